import BatchRun
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

  /// Reads the bytes from an offset on until the buffer is full or the report ends.
  ///
  /// - Returns: the number of bytes read.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    let count = min(buffer.count, size - offset)
    var read = 0
    while read < count, let (part, start) = parts.last(where: { $0.start <= offset + read }) {
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[read..<min(count, start + part.size - offset)])
      let place = Int64(offset + read - start)
      let got: Int
      do throws(Errno) {
        let file = try part.opened(in: directory)
        got = try systemCall(throwing: { try file.descriptor.read(fromAbsoluteOffset: place, into: room) })
      } catch {
        throw .inputOutput("\(shownPath): cannot be read: \(error)")
      }
      guard got > 0 else { throw .inputOutput("\(shownPath): is shorter than it was; it is being changed") }
      read += got
    }
    return read
  }

  /// Some bytes from an offset on; fewer if the report ends before.
  func bytes(at offset: Int, count: Int) throws(Failure) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { buffer.deallocate() }
    return Array(buffer[..<(try read(at: offset, into: buffer))])
  }
}
