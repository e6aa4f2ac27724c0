import Crypto
import Glibc

/// One file of a settlement directory, hashed as it is written.
final class ReportFile {
  let name: String
  private var descriptor: Int32
  private var digest = SHA256()
  private(set) var isClosed = false

  init(name: String, descriptor: Int32) {
    self.name = name
    self.descriptor = descriptor
  }

  deinit {
    if !isClosed { close(descriptor) }
  }

  /// Writes all bytes or throws.
  func write(_ bytes: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    try Descriptor.writeAll(descriptor, bytes, count: count, name: name)
    digest.update(bufferPointer: UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Closes the file and gives its SHA-256 in hexadecimal digits.
  func finish() throws(RunFailure) -> String {
    isClosed = true
    guard close(descriptor) == 0 else { throw .inputOutput("\(name): cannot be written: \(SystemError.text(errno))") }
    return Hexadecimal.text(digest.finalize())
  }
}

/// The system's words for an error number.
enum SystemError {
  static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
