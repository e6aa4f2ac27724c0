import Glibc
import SystemPackage

/// Why files cannot be made, written or read. Messages name the file and the operation that failed.
public enum FileFailure: Error, Sendable, Equatable {
  /// An input cannot be opened or read (66).
  case unreadable(String)
  /// An output exists already or cannot be made (73).
  case unavailable(String)
  /// Reading or writing failed halfway (74).
  case inputOutput(String)
  /// Another process holds an output (75).
  case busy(String)
  /// The reader of the output is gone (141, the exit code of a program that SIGPIPE ends).
  case brokenPipe

  /// The exit code of a process that ends because of it.
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

/// Does something to make an output ready. If the system refuses, throws that the output is unavailable.
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

/// Does something with an output that is being written. If the system refuses, throws an input/output error.
@discardableResult
public func using<Result>(
  _ shown: @autoclosure () -> String, _ deed: String, _ body: @autoclosure () throws(Errno) -> Result
) throws(FileFailure) -> Result {
  do throws(Errno) { return try body() } catch { throw .inputOutput("\(shown()): cannot be \(deed): \(error)") }
}

/// Makes a system call, and repeats it if a signal interrupts it. Throws the error if it fails.
///
/// For calls that swift-system does not provide.
@discardableResult
public func systemCall<Result: SignedInteger>(_ call: () -> Result) throws(Errno) -> Result {
  while true {
    let result = call()
    if result >= 0 { return result }
    let error = Errno(rawValue: errno)
    if error != .interrupted { throw error }
  }
}

/// Makes a swift-system call, which throws only `Errno`.
public func systemCall<Result>(throwing call: () throws -> Result) throws(Errno) -> Result {
  do {
    return try call()
  } catch {
    guard let error = error as? Errno else { preconditionFailure("swift-system throws \(error)") }
    throw error
  }
}
