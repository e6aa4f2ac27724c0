import BatchFile
import Glibc

/// Calls of the system that a signal may interrupt.
public enum SystemCall {
  /// A call that is interrupted so often in a row has failed.
  private static let mostInterruptions = 1000

  /// Makes a call, again where it was interrupted; the result is below 0, with `errno`, where it failed.
  public static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    for _ in 1..<mostInterruptions {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
    return call()
  }
}

/// The system's words for an error number.
enum SystemError {
  static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// What a name or descriptor stands for, whatever it is called.
struct FileIdentity: Equatable {
  private let device: dev_t
  private let number: ino_t

  private init(_ status: stat) {
    device = status.st_dev
    number = status.st_ino
  }

  /// Of an open file.
  static func of(_ descriptor: Int32, shown: String) throws(RunFailure) -> FileIdentity {
    var status = stat()
    guard SystemCall.retrying({ fstat(descriptor, &status) }) == 0 else {
      throw .unavailable(errno, shown, "examined")
    }
    return FileIdentity(status)
  }

  /// Of a name beside an output, of a link itself; nil where there is none.
  static func of(_ name: String, in place: OutputPlace) throws(RunFailure) -> FileIdentity? {
    var status = stat()
    let result = FileName.withCString(name) { name in
      SystemCall.retrying { fstatat(place.parent, name, &status, AT_SYMLINK_NOFOLLOW) }
    }
    guard result != 0 else { return FileIdentity(status) }
    guard errno == ENOENT else { throw .unavailable(errno, place.shown(beside: name), "examined") }
    return nil
  }
}

extension RunFailure {
  /// An output that cannot be made ready: which call failed, on what, and what it was to do ("made", "locked").
  static func unavailable(_ code: Int32, _ shown: String, _ deed: String) -> RunFailure {
    .outputUnavailable("\(shown): cannot be \(deed): \(SystemError.text(code))")
  }

  /// The same of an output that is under way.
  static func failed(_ code: Int32, _ shown: String, _ deed: String) -> RunFailure {
    .inputOutput("\(shown): cannot be \(deed): \(SystemError.text(code))")
  }
}
