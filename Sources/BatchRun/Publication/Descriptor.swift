import Glibc

/// Writing to open files, pipes and terminals.
public enum Descriptor {
  /// A file that so often in a row takes nothing, though it has no error or could be written to, has failed.
  private static let mostIdleCalls = 1000

  /// Writes all bytes, through short writes and interruptions; waits where a pipe or terminal takes no more for now.
  ///
  /// Throws `brokenPipe` where nobody reads any more, `inputOutput` where the system refuses.
  /// - Parameter name: what is written to, for the message; escaped already.
  public static func writeAll(
    _ descriptor: Int32, _ bytes: UnsafePointer<UInt8>, count: Int, name: @autoclosure () -> String
  ) throws(RunFailure) {
    var written = 0
    var idleCalls = 0
    while written < count {
      let result = SystemCall.retrying { Glibc.write(descriptor, bytes + written, count - written) }
      if result > 0 {
        written += result
        idleCalls = 0
        continue
      }
      if result < 0, errno == EPIPE { throw .brokenPipe }
      if result < 0, errno != EAGAIN { throw .inputOutput("\(name()): cannot be written: \(SystemError.text(errno))") }
      idleCalls += 1
      guard idleCalls < mostIdleCalls else {
        throw .inputOutput("\(name()): cannot be written: the system takes no byte of it")
      }
      // Another process may have made a shared standard output non-blocking.
      if result < 0 { waitUntilWritable(descriptor) }
    }
  }

  private static func waitUntilWritable(_ descriptor: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = SystemCall.retrying { poll(&request, 1, -1) }
  }
}
