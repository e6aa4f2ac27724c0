import Glibc

/// Writing to open files, pipes and terminals.
public enum Descriptor {
  /// Writes all bytes, through short writes and interruptions.
  ///
  /// Throws `brokenPipe` where nobody reads any more, `inputOutput` where the system refuses.
  /// - Parameter name: what is written to, for the message; escaped already.
  public static func writeAll(
    _ descriptor: Int32, _ bytes: UnsafePointer<UInt8>, count: Int, name: String
  ) throws(RunFailure) {
    var written = 0
    while written < count {
      let result = Glibc.write(descriptor, bytes + written, count - written)
      if result > 0 {
        written += result
      } else if result < 0, errno == EPIPE {
        throw .brokenPipe
      } else if result < 0, errno != EINTR {
        throw .inputOutput("\(name): cannot be written: \(SystemError.text(errno))")
      }
    }
  }
}
