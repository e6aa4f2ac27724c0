import FileSystem
import Input
import Rules

/// Why a run ended without a result; each has an exit code (`reports.md`).
public enum RunFailure: Error, Sendable {
  /// The batch as a whole cannot be settled (2).
  case batch(BatchError)
  /// The reports and the batch do not belong to the same settlement (2).
  case notOfOneSettlement(String)
  /// The command line lacks something that the batch does not say either (64).
  case usage(String)
  /// An input cannot be opened or read (66).
  case unreadable(String)
  /// The output exists or cannot be made (73).
  case outputUnavailable(String)
  /// Reading or writing failed on the way (74).
  case inputOutput(String)
  /// Another run holds the output or the ledger (75).
  case busy(String)
  /// The fee schedule or the ledger cannot be used, or another version of settle got other results for a batch (78).
  case configuration(String)
  /// The reader of the output is gone (141, like a program that SIGPIPE ended). Expected; no message is shown.
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

  /// The message for standard error.
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
  /// Turns a failed file operation into the run's failure.
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

/// Returns the value of a file operation; its failure becomes the run's.
public func asRunFailure<Result>(
  _ body: @autoclosure () throws(FileFailure) -> Result
) throws(RunFailure) -> Result {
  do throws(FileFailure) { return try body() } catch { throw RunFailure(error) }
}

/// Returns the value of opening or reading a batch file; its failure becomes the run's.
func asRead<Result>(_ body: @autoclosure () throws(ReadFailure) -> Result) throws(RunFailure) -> Result {
  do throws(ReadFailure) {
    return try body()
  } catch {
    let message = BatchInput.message(error)
    throw error.operation == .open ? .unreadable(message) : .inputOutput(message)
  }
}
