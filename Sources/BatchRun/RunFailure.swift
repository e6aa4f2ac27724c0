import FileSystem
import Input
import Rules

/// Why a run ended without a result; each has an exit code (`reports.md`).
public enum RunFailure: Error, Sendable {
  /// The batch as a whole cannot be settled (2).
  case batch(BatchError)
  /// Reports, and the batch that they are said to be of, are not those of one settlement (2).
  case notOfOneSettlement(String)
  /// The command line leaves out what the batch does not tell either (64).
  case usage(String)
  /// An input cannot be opened or read (66).
  case unreadable(String)
  /// The output exists or cannot be made (73).
  case outputUnavailable(String)
  /// Reading or writing failed on the way (74).
  case inputOutput(String)
  /// Another run holds the output or the ledger (75).
  case busy(String)
  /// The fee schedule or the ledger cannot be used, or another version of settle gave a batch other results (78).
  case configuration(String)
  /// Nobody reads the output any more (141, as a signal SIGPIPE ends a program). Expected; nothing is said.
  case brokenPipe

  /// The process's exit code.
  public var exitCode: Int32 {
    switch self {
    case .batch, .notOfOneSettlement: 2
    case .usage: 64
    case .unreadable: 66
    case .outputUnavailable: 73
    case .inputOutput: 74
    case .busy: 75
    case .configuration: 78
    case .brokenPipe: 141
    }
  }

  /// What is said on standard error.
  public var message: String {
    switch self {
    case .batch(let error): error.description
    case .notOfOneSettlement(let text), .usage(let text), .unreadable(let text), .outputUnavailable(let text),
      .inputOutput(let text), .busy(let text), .configuration(let text):
      text
    case .brokenPipe: "standard output was closed"
    }
  }
}

extension RunFailure {
  /// What fails with files fails the run.
  public init(_ failure: FileFailure) {
    self =
      switch failure {
      case .unreadable(let text): .unreadable(text)
      case .unavailable(let text): .outputUnavailable(text)
      case .inputOutput(let text): .inputOutput(text)
      case .busy(let text): .busy(text)
      case .brokenPipe: .brokenPipe
      }
  }
}

/// The value of what is done with files; what fails there fails the run.
public func asRunFailure<Result>(
  _ body: @autoclosure () throws(FileFailure) -> Result
) throws(RunFailure) -> Result {
  do throws(FileFailure) { return try body() } catch { throw RunFailure(error) }
}

/// The value of what opens or reads a batch file; what fails there fails the run.
func asRead<Result>(_ body: @autoclosure () throws(ReadFailure) -> Result) throws(RunFailure) -> Result {
  do throws(ReadFailure) {
    return try body()
  } catch {
    let message = BatchInput.message(error)
    throw error.operation == .open ? .unreadable(message) : .inputOutput(message)
  }
}
