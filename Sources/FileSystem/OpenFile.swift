import CSystemCalls
import Failures
import Glibc
import SystemPackage

/// An open file, closed when the object is deinitialized.
///
/// (Unsafe: the system gets a name that ends in a zero byte, and one request to poll, and keeps neither.)
public final class OpenFile: Sendable {
  public let descriptor: FileDescriptor
  /// The file's path for messages.
  let shown: String

  /// Takes ownership of an open descriptor.
  ///
  /// - Parameter shown: the file's path for messages.
  public init(_ descriptor: FileDescriptor, shown: String) {
    self.descriptor = descriptor
    self.shown = shown
  }

  deinit { try? descriptor.close() }

  public func write(_ bytes: Span<UInt8>) throws(Failure) { try Self.writeAll(descriptor, bytes, name: shown) }

  /// Writes all bytes at an offset where no one else writes; several threads may write at a time.
  public func write(_ bytes: Span<UInt8>, at offset: Int) throws(Failure) {
    var written = 0
    while written < bytes.count {
      written += try using(
        shown, "written",
        descriptor.write(toAbsoluteOffset: offset + written, bytes.extracting(droppingFirst: written)))
    }
  }

  /// Waits until the file is on disk.
  public func sync() throws(Failure) { try using(shown, "synced", systemCall { fsync(descriptor.rawValue) }) }

  /// Starts writing a part of the file to disk without waiting for it. `sync()` reports any error.
  public func beginWriteback(from offset: Int, count: Int) {
    _ = settle_begin_writeback(descriptor.rawValue, Int64(offset), Int64(count))
  }

  /// Opens a file for reading. If the path is `-`, uses standard input, which stays open.
  ///
  /// - Parameter waits: whether to wait for a writer if the file is a pipe.
  public convenience init(reading path: String, waits: Bool) throws(Errno) {
    let flags = O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK)
    let opened =
      try path == "-"
      ? FileDescriptor(rawValue: systemCall { dup(STDIN_FILENO) }) : FileName.open(path, flags)
    self.init(opened, shown: path)
  }

  /// Opens an existing pipe or device for writing; the caller closes it.
  public static func descriptor(writing path: String) throws(Errno) -> FileDescriptor {
    let flags = O_WRONLY | O_CLOEXEC
    return FileDescriptor(rawValue: try systemCall { unsafe FileName.withCString(path) { unsafe open($0, flags) } })
  }

  /// The bytes of the file from its current position, at most slightly more than `most`.
  public func bytes(atMost most: Int) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count <= most {
      let before = bytes.count
      try bytes.append(addingCapacity: 1 << 16) { room throws(Errno) in try descriptor.read(into: &room) }
      if bytes.count == before { break }
    }
    return bytes
  }

  /// Replaces an array by the next bytes, at most `most`; it is empty at the end of the file.
  public func read(_ most: Int, into bytes: inout [UInt8]) throws(Errno) {
    bytes.removeAll(keepingCapacity: true)
    try bytes.append(addingCapacity: most) { room throws(Errno) in try descriptor.read(into: &room) }
  }

  /// Writes all bytes to a file, pipe or terminal; waits while it cannot take more.
  ///
  /// Throws `brokenPipe` if the reader is gone, `inputOutput` if the system refuses.
  /// - Parameter name: what is written to, for the message; already escaped.
  public static func writeAll(
    _ descriptor: FileDescriptor, _ bytes: Span<UInt8>, name: @autoclosure () -> String
  ) throws(Failure) {
    var written = 0
    while written < bytes.count {
      do throws(Errno) {
        written += try descriptor.write(bytes.extracting(droppingFirst: written))
      } catch .brokenPipe {
        throw .brokenPipe
      } catch .wouldBlock {
        // Another process may have made a shared standard output non-blocking.
        var request = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&request, 1, -1)
      } catch {
        throw .inputOutput("\(name()): cannot be written: \(error)")
      }
    }
  }
}
