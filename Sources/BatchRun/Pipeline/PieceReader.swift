import Failures
import FileSystem
import Glibc
import SystemPackage
import Text

/// Reads a source in pieces: lines, bytes, or a number of bytes at once. Results are valid until the next call.
package class PieceReader {
  // Used for every payment.
  @exclusivity(unchecked) private var held: TextBuffer
  @exclusivity(unchecked) private var at = 0
  private var isAtEnd = false

  /// - Parameter capacity: the initial capacity in bytes.
  init(capacity: Int) { held = TextBuffer(capacity: capacity) }

  /// Appends the next piece to the unread bytes; false at the end.
  func takePiece(_ held: inout TextBuffer) throws(Failure) -> Bool {
    preconditionFailure("each kind of reader overrides this")
  }

  /// Takes the next piece; false at the end.
  private func fill() throws(Failure) -> Bool {
    if isAtEnd { return false }
    let rest = held.count - at
    if rest == 0 {
      held.removeAll(keeping: 1 << 20)
    } else {
      memmove(held.bytes, held.bytes + at, rest)
      held.truncate(to: rest)
    }
    at = 0
    isAtEnd = try !takePiece(&held)
    return !isAtEnd
  }

  /// The next bytes that are available, at most `most`; nil at the end.
  final func piece(atMost most: Int = .max) throws(Failure) -> UnsafeBufferPointer<UInt8>? {
    if at == held.count, try !fill() { return nil }
    let count = min(most, held.count - at)
    defer { at += count }
    return UnsafeBufferPointer(start: held.bytes + at, count: count)
  }

  /// The next byte; nil at the end.
  @inline(__always)
  final func byte() throws(Failure) -> UInt8? {
    if at == held.count, try !fill() { return nil }
    at += 1
    return held.bytes[at - 1]
  }

  /// The next `count` bytes; nil at the end.
  package final func read(_ count: Int) throws(Failure) -> UnsafeRawBufferPointer? {
    while held.count - at < count {
      guard try fill() else {
        precondition(held.count == 0, "what was appended was cut short")
        return nil
      }
    }
    defer { at += count }
    return UnsafeRawBufferPointer(start: held.bytes + at, count: count)
  }

  /// The next line without its line feed, which may be missing from the last one; nil at the end.
  final func line() throws(Failure) -> UnsafeBufferPointer<UInt8>? {
    var searched = 0
    while true {
      let start = held.bytes + at
      let rest = held.count - at
      if let feed = memchr(start + searched, 0x0A, rest - searched) {
        let count = UnsafeRawPointer(feed) - UnsafeRawPointer(start)
        at += count + 1
        return UnsafeBufferPointer(start: start, count: count)
      }
      searched = rest
      if try !fill() { return rest > 0 ? try piece() : nil }
    }
  }
}

/// Reads the contents of a spool from its beginning.
package final class SpoolReader: PieceReader {
  private let file: SpoolFile
  private var offset = 0

  package init(_ file: SpoolFile) {
    self.file = file
    super.init(capacity: 256)
  }

  override func takePiece(_ held: inout TextBuffer) throws(Failure) -> Bool {
    guard let piece = try file.piece(at: offset) else { return false }
    piece.withMemoryRebound(to: UInt8.self) { held.append($0.baseAddress!, count: $0.count) }
    offset += piece.count
    return true
  }
}

/// Reads standard input.
final class StandardInputReader: PieceReader {
  init() { super.init(capacity: 1 << 16) }

  override func takePiece(_ held: inout TextBuffer) throws(Failure) -> Bool {
    do throws(Errno) {
      let count = try systemCall { Glibc.read(STDIN_FILENO, held.reserve(1 << 16), 1 << 16) }
      held.advance(by: count)
      return count > 0
    } catch { throw .inputOutput("standard input: cannot be read: \(error)") }
  }
}
