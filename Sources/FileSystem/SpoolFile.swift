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
  @exclusivity(unchecked) private var buffer = TextBuffer(capacity: bufferLength)
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

  public func append(_ bytes: UnsafePointer<UInt8>, count: Int) throws(Failure) {
    buffer.append(bytes, count: count)
    if buffer.count >= Self.bufferLength { try flush() }
  }

  /// Appends the bytes of a text.
  func append(_ text: Span<UInt8>) throws(Failure) {
    try text.withUnsafeBufferPointer { bytes throws(Failure) in
      if let start = bytes.baseAddress { try append(start, count: bytes.count) }
    }
  }

  /// Appends a number in four bytes.
  func append(_ number: UInt32) throws(Failure) {
    try withUnsafeBytes(of: number.littleEndian) { bytes throws(Failure) in
      try append(bytes.assumingMemoryBound(to: UInt8.self).baseAddress!, count: bytes.count)
    }
  }

  /// Notes how many bytes were written at offsets; nothing may have been appended.
  public func noteWritten(_ count: Int) {
    precondition(written == 0 && buffer.count == 0, "bytes are appended, or written at offsets")
    written = count
  }

  /// Writes buffered bytes; call it before `read`.
  public func flush() throws(Failure) {
    try file.write(buffer.bytes, count: buffer.count)
    written += buffer.count
    buffer.removeAll(keeping: 2 * Self.bufferLength)
  }

  /// Reads bytes that were appended; all of them must exist.
  public func read(_ bytes: UnsafeMutablePointer<UInt8>, count: Int, at offset: Int) throws(Failure) {
    precondition(offset >= 0 && offset + count <= written, "reading beyond the written bytes")
    var done = 0
    while done < count {
      let rest = UnsafeMutableRawBufferPointer(start: bytes + done, count: count - done)
      let result = try using(
        file.shown, "read",
        systemCall(throwing: { try descriptor.read(fromAbsoluteOffset: Int64(offset + done), into: rest) }))
      guard result > 0 else { throw .inputOutput("\(file.shown): is shorter than was written") }
      done += result
    }
  }

  /// The appended bytes, a piece at a time: those at an offset, valid until the next call; nil after the last byte.
  public func piece(at offset: Int) throws(Failure) -> UnsafeRawBufferPointer? {
    try flush()
    guard offset < written else { return nil }
    // The buffer is empty now, so it can be used here.
    let count = min(Self.bufferLength, written - offset)
    let start = buffer.reserve(count)
    try read(start, count: count, at: offset)
    return UnsafeRawBufferPointer(start: start, count: count)
  }
}
