import Failures
import FileSystem
import SystemPackage

/// A report that several threads can read at any offset. A report in parts is read as one file.
///
/// It is not hashed.
final class ReportBytes: Sendable {
  private let parts: [(part: ReportPart, start: Int)]
  private let directory: Directory
  private let shownPath: String
  /// The bytes of all parts.
  let size: Int

  init(parts: [ReportPart], in directory: Directory, shownPath: String) {
    var size = 0
    self.parts = parts.map { part in
      defer { size += part.size }
      return (part, size)
    }
    self.size = size
    self.directory = directory
    self.shownPath = shownPath
  }

  /// Appends the bytes from an offset on until the room is full or the report ends.
  func read(at offset: Int, into room: inout OutputSpan<UInt8>) throws(Failure) {
    let end = offset + min(room.freeCapacity, size - offset)
    var at = offset
    while at < end, let (part, start) = parts.last(where: { $0.start <= at }) {
      let before = room.count
      do throws(Errno) {
        let file = try part.opened(in: directory)
        try file.descriptor.read(
          fromAbsoluteOffset: at - start, atMost: min(end, start + part.size) - at, into: &room)
      } catch {
        throw .inputOutput("\(shownPath): cannot be read: \(error)")
      }
      guard room.count > before else {
        throw .inputOutput("\(shownPath): is shorter than it was; it is being changed")
      }
      at += room.count - before
    }
  }

  /// Some bytes from an offset on; fewer if the report ends before.
  func bytes(at offset: Int, count: Int) throws(Failure) -> [UInt8] {
    try [UInt8](capacity: count) { room throws(Failure) in try read(at: offset, into: &room) }
  }
}
