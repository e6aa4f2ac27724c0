import CSystemCalls
import Glibc
import SystemPackage

/// An open file; closed with its owner.
public final class OpenFile: Sendable {
  /// What it is open on.
  public let descriptor: FileDescriptor
  /// The file's path for messages.
  let shown: String

  /// Takes over an open descriptor.
  ///
  /// - Parameter shown: the file's path for messages.
  public init(_ descriptor: FileDescriptor, shown: String) {
    self.descriptor = descriptor
    self.shown = shown
  }

  deinit { try? descriptor.close() }

  /// Writes all bytes.
  public func write(_ bytes: UnsafePointer<UInt8>, count: Int) throws(FileFailure) {
    try Self.writeAll(descriptor.rawValue, bytes, count: count, name: shown)
  }

  /// Waits until the file is on its disk.
  public func sync() throws(FileFailure) { try using(shown, "synced", systemCall { fsync(descriptor.rawValue) }) }

  /// Has a part of the file brought to its disk without waiting for it; an error is told by `sync()`.
  public func beginWriteback(from offset: Int, count: Int) {
    _ = settle_begin_writeback(descriptor.rawValue, Int64(offset), Int64(count))
  }

  /// Opens a file for reading, or standard input if the path is `-`, which stays open.
  ///
  /// - Parameter waits: whether a pipe without a writer is waited for.
  public convenience init(reading path: String, waits: Bool) throws(Errno) {
    let flags = O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK)
    let opened = try systemCall { path == "-" ? dup(STDIN_FILENO) : FileName.withCString(path) { open($0, flags) } }
    self.init(FileDescriptor(rawValue: opened), shown: path)
  }

  /// The bytes of the file from where it stands, but not many more than `most`.
  public func bytes(atMost most: Int) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= most {
      let count = try systemCall(throwing: { try piece.withUnsafeMutableBytes { try descriptor.read(into: $0) } })
      if count == 0 { break }
      bytes += piece[..<count]
    }
    return bytes
  }

  /// Writes all bytes to a file, pipe or terminal; waits if it takes no more for now.
  ///
  /// Throws `brokenPipe` if nobody reads any more, `inputOutput` if the system refuses.
  /// - Parameter name: what is written to, for the message; escaped already.
  public static func writeAll(
    _ descriptor: Int32, _ bytes: UnsafePointer<UInt8>, count: Int, name: @autoclosure () -> String
  ) throws(FileFailure) {
    var written = 0
    while written < count {
      do throws(Errno) {
        written += try systemCall { Glibc.write(descriptor, bytes + written, count - written) }
      } catch .brokenPipe {
        throw .brokenPipe
      } catch .wouldBlock {
        // Another process may have made a shared standard output non-blocking.
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
      } catch {
        throw .inputOutput("\(name()): cannot be written: \(error)")
      }
    }
  }
}
