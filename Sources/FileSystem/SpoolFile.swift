import CSystemCalls
import Failures
import Glibc
import SystemPackage
import Text

/// A file without a name, next to an output, for what does not fit into memory. It disappears with the object or
/// process.
public final class SpoolFile {
  /// Open for reading and writing.
  public var descriptor: FileDescriptor { file.descriptor }
  /// The file, for code that writes bytes at offsets and reports their number at the end.
  public let file: OpenFile
  private static let bufferLength = 1 << 18
  /// The bytes that are not in the file yet.
  private var buffer = TextBuffer(capacity: bufferLength)
  private var written = 0

  /// - Parameters:
  ///   - directory: a directory on the disk to use.
  ///   - shown: that directory for messages.
  init(in directory: Directory, shown: String) throws(Failure) {
    let shown = "\(shown): a file without a name"
    file = OpenFile(try using(shown, "made", Self.make(in: directory)), shown: shown)
  }

  private static func make(in directory: Directory) throws(Errno) -> FileDescriptor {
    if let unnamed = try? systemCall({ settle_open_unnamed(directory.descriptor.rawValue) }) {
      return FileDescriptor(rawValue: unnamed)
    }
    // Some file systems have no such files. There, make one with a name and remove the name at once.
    let name = ".spool-\(getpid())"
    let descriptor = try directory.open(name, O_RDWR | O_CREAT | O_EXCL)
    try? directory.remove(name)
    return descriptor
  }

  /// Makes the file on an output's disk.
  public convenience init(beside place: OutputPlace) throws(Failure) {
    try self.init(in: place.parent, shown: place.shown)
  }

  /// Makes the file on the disk of a path, next to it.
  public convenience init(beside path: String) throws(Failure) { try self.init(beside: OutputPlace(path: path)) }

  /// The number of bytes appended.
  public var count: Int { written + buffer.count }

  public func append(_ text: Span<UInt8>) throws(Failure) {
    buffer.append(text)
    if buffer.count >= Self.bufferLength { try flush() }
  }

  /// Appends a number in four bytes.
  func append(_ number: UInt32) throws(Failure) {
    buffer.append(littleEndian: number)
    if buffer.count >= Self.bufferLength { try flush() }
  }

  /// Notes how many bytes were written at offsets; nothing may have been appended.
  public func noteWritten(_ count: Int) {
    precondition(written == 0 && buffer.count == 0, "bytes are appended, or written at offsets")
    written = count
  }

  /// Writes buffered bytes; call it before `read`.
  public func flush() throws(Failure) {
    try buffer.withSpan { text throws(Failure) in try file.write(text) }
    written += buffer.count
    buffer.removeAll(keeping: 2 * Self.bufferLength)
  }

  /// Appends bytes that were written to a room; all of them must exist.
  public func read(_ range: Range<Int>, into room: inout OutputSpan<UInt8>) throws(Failure) {
    precondition(range.lowerBound >= 0 && range.upperBound <= written, "reading beyond the written bytes")
    precondition(range.count <= room.freeCapacity, "the room is too small")
    var left = range
    while !left.isEmpty {
      let before = room.count
      try using(
        file.shown, "read",
        descriptor.read(fromAbsoluteOffset: left.lowerBound, atMost: left.count, into: &room))
      guard room.count > before else { throw .inputOutput("\(file.shown): is shorter than was written") }
      left = left.dropFirst(room.count - before)
    }
  }

  /// Bytes that were written; all of them must exist.
  public func bytes(_ range: Range<Int>) throws(Failure) -> [UInt8] {
    try [UInt8](capacity: range.count) { room throws(Failure) in try read(range, into: &room) }
  }

  /// Gives the disk space of bytes back that are not read any more, if the file system can.
  public func release(_ range: Range<Int>) {
    _ = settle_release_blocks(descriptor.rawValue, Int64(range.lowerBound), Int64(range.count))
  }

  /// Passes on all bytes that were appended, a piece at a time.
  public func forEachPiece(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
    try flush()
    try forEachPiece(of: 0..<written, body)
  }

  /// Passes on bytes that were written, a piece at a time.
  public func forEachPiece(of range: Range<Int>, _ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
    var piece = TextBuffer(capacity: Self.bufferLength)
    for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.bufferLength) {
      let part = start..<min(start + Self.bufferLength, range.upperBound)
      piece.removeAll()
      try piece.append(atMost: part.count) { room throws(Failure) in try read(part, into: &room) }
      try body(piece.span)
    }
  }
}
