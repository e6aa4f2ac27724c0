import Failures
import FileSystem
import SystemPackage

/// An outbox: its lines are checked in one pass, and later read again one by one.
final class OutboxFile: Sendable {
  /// The maximum number of bytes of a line; the longest that settle writes has about 60,000.
  private static let mostBytes = 1 << 20

  private let file: OpenFile
  private let shown: String

  /// Opens an outbox; throws if there is no such file.
  init(_ path: String) throws(Failure) {
    shown = OutputPlace.shown(path)
    do throws(Errno) {
      file = try OpenFile(reading: path, waits: false)
      guard try Stat(file.descriptor).type == .regular else { throw Errno.invalidArgument }
    } catch {
      throw .unreadable("\(shown): cannot be opened as an outbox: \(error)")
    }
  }

  private func read(_ count: Int, at offset: Int) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    do throws(Errno) {
      let length = try systemCall(throwing: {
        try bytes.withUnsafeMutableBytes { try file.descriptor.read(fromAbsoluteOffset: Int64(offset), into: $0) }
      })
      bytes.removeLast(count - length)
    } catch {
      throw .inputOutput("\(shown): cannot be read: \(error)")
    }
    return bytes
  }

  /// Visits all messages with their lines' places; throws if a line is not a message.
  func forEachMessage(_ visit: (OutboxMessage, _ place: Range<Int>) throws(Failure) -> Void) throws(Failure) {
    var held: [UInt8] = []
    var (start, line) = (0, 0)
    while true {
      let piece = try read(Self.mostBytes, at: start + held.count)
      guard !piece.isEmpty else { break }
      held += piece
      var at = 0
      while let end = held[at...].firstIndex(of: 0x0A) {
        line += 1
        guard let message = OutboxMessage(Array(held[at..<end])) else { throw damaged(line) }
        try visit(message, start + at..<start + end)
        at = end + 1
      }
      if held.count - at > Self.mostBytes { throw damaged(line + 1) }
      held.removeFirst(at)
      start += at
    }
    if !held.isEmpty { throw damaged(line + 1) }
  }

  private func damaged(_ line: Int) -> Failure {
    .unreadable("\(shown):\(line): is not an outbox message, or its digest is wrong; make the outbox again")
  }

  /// The message in the line at a place.
  func message(at place: Range<Int>) throws(Failure) -> OutboxMessage {
    let line = try read(place.count, at: place.lowerBound)
    guard let message = OutboxMessage(line) else { throw .inputOutput("\(shown): changed while it was read") }
    return message
  }
}
