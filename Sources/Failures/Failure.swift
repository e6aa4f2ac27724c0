/// Why a command, a run or a file operation ended without a result: what is wrong, where, and what was expected.
public struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
  /// What callers tell apart. Each kind has an exit code (`reports.md`).
  public enum Kind: Sendable, Equatable {
    /// The batch as a whole cannot be settled (2).
    case batch(BatchError)
    /// The reports and the batch do not belong to the same settlement (2).
    case notOfOneSettlement
    /// The command line lacks something that the batch does not say either (64).
    case usage
    /// An input cannot be opened or read (66).
    case unreadable
    /// An output exists already or cannot be made (73).
    case unavailable
    /// Reading or writing failed halfway (74).
    case inputOutput
    /// Another process holds an output or a ledger (75).
    case busy
    /// The fee schedule or the ledger cannot be used, or another version of settle got other results for a batch (78).
    case configuration
    /// The reader of the output is gone (141, the exit code of a program that SIGPIPE ends). Expected; no message is
    /// shown.
    case brokenPipe
  }

  /// What callers tell apart.
  public let kind: Kind
  /// The message for standard error.
  public let message: String

  private init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The process's exit code.
  public var exitCode: Int32 {
    switch kind {
    case .batch, .notOfOneSettlement: 2
    case .usage: 64
    case .unreadable: 66
    case .unavailable: 73
    case .inputOutput: 74
    case .busy: 75
    case .configuration: 78
    case .brokenPipe: 141
    }
  }

  /// The message.
  public var description: String { message }
}

extension Failure {
  /// A batch that cannot be settled as a whole.
  public static func batch(_ error: BatchError) -> Failure { Failure(.batch(error), error.description) }

  /// Reports and a batch that do not belong to the same settlement.
  public static func notOfOneSettlement(_ message: String) -> Failure { Failure(.notOfOneSettlement, message) }

  /// A command line that lacks something.
  public static func usage(_ message: String) -> Failure { Failure(.usage, message) }

  /// An input that cannot be opened or read.
  public static func unreadable(_ message: String) -> Failure { Failure(.unreadable, message) }

  /// An output that exists already or cannot be made.
  public static func unavailable(_ message: String) -> Failure { Failure(.unavailable, message) }

  /// Reading or writing that failed halfway.
  public static func inputOutput(_ message: String) -> Failure { Failure(.inputOutput, message) }

  /// An output or a ledger that another process holds.
  public static func busy(_ message: String) -> Failure { Failure(.busy, message) }

  /// A fee schedule or a ledger that cannot be used.
  public static func configuration(_ message: String) -> Failure { Failure(.configuration, message) }

  /// An output whose reader is gone.
  public static let brokenPipe = Failure(.brokenPipe, "standard output was closed")
}
