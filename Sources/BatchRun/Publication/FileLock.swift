import Glibc

/// Locks on open files and directories, which end with the process that holds them, however it ends.
enum FileLock {
  /// Locks an open file for this process alone, or throws at once.
  ///
  /// - Parameters:
  ///   - shown: the file's path for messages.
  ///   - holder: what is said where another process holds it, such as "another run is at work on this output".
  static func take(_ descriptor: Int32, shown: String, holder: String) throws(RunFailure) {
    guard SystemCall.retrying({ flock(descriptor, LOCK_EX | LOCK_NB) }) != 0 else { return }
    throw errno == EWOULDBLOCK
      ? .busy("\(shown): \(holder); wait for it to end") : .unavailable(errno, shown, "locked")
  }

  /// Lets others have a locked file.
  static func release(_ descriptor: Int32) { _ = SystemCall.retrying { flock(descriptor, LOCK_UN) } }
}
