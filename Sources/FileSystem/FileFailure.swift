import Glibc
import SystemPackage

/// Why files cannot be made, written or read. Messages name the file and what was to be done with it.
public enum FileFailure: Error, Sendable, Equatable {
  /// An input cannot be opened or read (66).
  case unreadable(String)
  /// An output exists already or cannot be made (73).
  case unavailable(String)
  /// Reading or writing failed on the way (74).
  case inputOutput(String)
  /// Another process holds an output (75).
  case busy(String)
  /// No one reads what is written any more (141, as a signal SIGPIPE ends a program).
  case brokenPipe

  /// The exit code of a process that it ends.
  public var exitCode: Int32 {
    switch self {
    case .unreadable: 66
    case .unavailable: 73
    case .inputOutput: 74
    case .busy: 75
    case .brokenPipe: 141
    }
  }

  /// What went wrong, in words.
  public var message: String {
    switch self {
    case .unreadable(let text), .unavailable(let text), .inputOutput(let text), .busy(let text): text
    case .brokenPipe: "standard output was closed"
    }
  }
}

/// Does something to make an output ready; if the system refuses, the output is unavailable.
///
/// - Parameters:
///   - shown: the file's path for messages.
///   - deed: what is done to it, such as "opened".
@discardableResult
public func preparing<Result>(
  _ shown: @autoclosure () -> String, _ deed: String, _ body: @autoclosure () throws(Errno) -> Result
) throws(FileFailure) -> Result {
  do throws(Errno) { return try body() } catch { throw .unavailable("\(shown()): cannot be \(deed): \(error)") }
}

/// Does something with an output that is under way; if the system refuses, it is an error of input or output.
@discardableResult
public func using<Result>(
  _ shown: @autoclosure () -> String, _ deed: String, _ body: @autoclosure () throws(Errno) -> Result
) throws(FileFailure) -> Result {
  do throws(Errno) { return try body() } catch { throw .inputOutput("\(shown()): cannot be \(deed): \(error)") }
}

/// Makes a call of the system, again if a signal interrupts it; throws why it failed.
///
/// For calls that swift-system does not have.
@discardableResult
public func systemCall<Result: SignedInteger>(_ call: () -> Result) throws(Errno) -> Result {
  while true {
    let result = call()
    if result >= 0 { return result }
    let error = Errno(rawValue: errno)
    if error != .interrupted { throw error }
  }
}

/// Makes a call of swift-system, which throws `Errno` and nothing else.
public func systemCall<Result>(throwing call: () throws -> Result) throws(Errno) -> Result {
  do {
    return try call()
  } catch {
    guard let error = error as? Errno else { preconditionFailure("swift-system throws \(error)") }
    throw error
  }
}
