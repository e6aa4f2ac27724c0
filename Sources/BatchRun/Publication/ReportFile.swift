import CSystemCalls
import Crypto
import Glibc

/// One file of a settlement directory, hashed as it is written.
final class ReportFile {
  /// Bytes after which the system is asked to begin bringing a file to its disk, so that little is left for the end.
  private static let writebackLength = 8 << 20

  private let shown: String
  private var descriptor: Int32
  private var digest = SHA256()
  private var written = 0
  private var begun = 0

  /// - Parameter shown: the file's name for messages, escaped already.
  init(shown: String, descriptor: Int32) {
    self.shown = shown
    self.descriptor = descriptor
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Writes all bytes or throws.
  func write(_ bytes: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    try Descriptor.writeAll(descriptor, bytes, count: count, name: shown)
    digest.update(bufferPointer: UnsafeRawBufferPointer(start: bytes, count: count))
    written += count
    if written - begun >= Self.writebackLength { beginWriteback() }
  }

  /// Ends the writing and gives the file's SHA-256 in hexadecimal digits; `sync()` must follow.
  func finish() -> String {
    beginWriteback()
    return Hexadecimal.text(digest.finalize())
  }

  /// Waits until the file is on its disk, all of it, and closes it.
  func sync() throws(RunFailure) {
    guard SystemCall.retrying({ fsync(descriptor) }) == 0 else { throw .failed(errno, shown, "synced") }
    var status = stat()
    guard SystemCall.retrying({ fstat(descriptor, &status) }) == 0 else {
      throw .failed(errno, shown, "examined")
    }
    guard status.st_size == written else {
      throw .inputOutput("\(shown): has \(status.st_size) bytes, where \(written) were written")
    }
    let result = close(descriptor)
    descriptor = -1
    // An interrupted close has closed, and the bytes are on the disk.
    guard result == 0 || errno == EINTR else { throw .failed(errno, shown, "closed") }
  }

  /// Only begins: an error is told by `sync()`.
  private func beginWriteback() {
    _ = settle_begin_writeback(descriptor, Int64(begun), Int64(written - begun))
    begun = written
  }
}
