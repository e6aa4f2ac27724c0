import CSystemCalls
import Glibc

/// A file without a name, beside an output, for what does not fit into memory; it goes with its owner or the process.
public final class SpoolFile {
  /// Open for reading and writing.
  let descriptor: Int32
  private let shown: String
  private let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: bufferLength)
  private static let bufferLength = 1 << 18
  private var held = 0
  private var written = 0

  /// - Parameters:
  ///   - directory: the open directory whose disk it is to be on.
  ///   - shown: that directory for messages.
  init(in directory: Int32, shown: String) throws(RunFailure) {
    self.shown = "\(shown): a file without a name"
    // Some file systems have no such files: one is made and loses its name at once.
    var descriptor = SystemCall.retrying { settle_open_unnamed(directory) }
    if descriptor < 0 {
      let name = ".spool-\(getpid())"
      descriptor = SystemCall.retrying {
        openat(directory, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      }
      if descriptor >= 0 { _ = SystemCall.retrying { unlinkat(directory, name, 0) } }
    }
    guard descriptor >= 0 else { throw .failed(errno, self.shown, "made") }
    self.descriptor = descriptor
  }

  /// Makes the file in the directory of a path, whether or not something bears that name; throws where there is none.
  public convenience init(beside path: String) throws(RunFailure) {
    let place = try OutputPlace(path: path)
    try self.init(in: place.parent, shown: place.shown)
  }

  deinit {
    close(descriptor)
    buffer.deallocate()
  }

  /// The bytes appended.
  public var count: Int { written + held }

  /// Appends bytes.
  public func append(_ bytes: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    if held + count > Self.bufferLength { try flush() }
    guard count <= Self.bufferLength else {
      try Descriptor.writeAll(descriptor, bytes, count: count, name: shown)
      written += count
      return
    }
    memcpy(buffer + held, bytes, count)
    held += count
  }

  /// Writes what is held back: to be called before `read`.
  public func flush() throws(RunFailure) {
    try Descriptor.writeAll(descriptor, buffer, count: held, name: shown)
    written += held
    held = 0
  }

  /// Reads bytes that were appended, all of them.
  public func read(_ bytes: UnsafeMutablePointer<UInt8>, count: Int, at offset: Int) throws(RunFailure) {
    precondition(offset >= 0 && offset + count <= written, "reading what was not written")
    var done = 0
    while done < count {
      let result = SystemCall.retrying { pread(descriptor, bytes + done, count - done, off_t(offset + done)) }
      guard result > 0 else {
        throw result < 0 ? .failed(errno, shown, "read") : .inputOutput("\(shown): is shorter than was written")
      }
      done += result
    }
  }

  /// Hands out all that was appended, piece by piece, from the first byte on.
  public func readAll(_ take: (UnsafeRawBufferPointer) throws(RunFailure) -> Void) throws(RunFailure) {
    try flush()
    for offset in stride(from: 0, to: written, by: Self.bufferLength) {
      // Nothing is held back now: the buffer is free.
      let count = min(Self.bufferLength, written - offset)
      try read(buffer, count: count, at: offset)
      try take(UnsafeRawBufferPointer(start: buffer, count: count))
    }
  }
}
