import BatchFile
import BatchRun
import Glibc
import Settlement

/// What the command says, and where.
enum Terminal {
  /// Writes a text to standard output; nothing is said where nobody reads it any more.
  static func print(_ text: String) {
    write(STDOUT_FILENO, text + "\n")
  }

  /// Writes a line to standard error.
  static func complain(_ text: String) {
    write(STDERR_FILENO, "settle: " + text + "\n")
  }

  /// Writes a line to standard error as it is.
  static func note(_ text: String) {
    write(STDERR_FILENO, text + "\n")
  }

  /// Writes bytes to standard output, or says why not.
  static func emit(_ bytes: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    var written = 0
    while written < count {
      let result = Glibc.write(STDOUT_FILENO, bytes + written, count - written)
      if result > 0 {
        written += result
      } else if result < 0, errno == EPIPE {
        throw .brokenPipe
      } else if result < 0, errno != EINTR {
        throw .inputOutput("standard output: cannot be written: \(String(cString: strerror(errno)))")
      }
    }
  }

  private static func write(_ descriptor: Int32, _ text: String) {
    let bytes = Array(text.utf8)
    var written = 0
    bytes.withUnsafeBufferPointer { buffer in
      while written < buffer.count {
        let result = Glibc.write(descriptor, buffer.baseAddress.unsafelyUnwrapped + written, buffer.count - written)
        if result > 0 { written += result } else if errno != EINTR { return }
      }
    }
  }
}
