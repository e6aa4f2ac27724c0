import Failures
import Ledger

/// The old name of `Failure`, until no one uses it.
public typealias RunFailure = Failure

/// Converts nothing any more: leave it out.
public func asRunFailure<Result>(
  ledger: String = "", _ body: @autoclosure () throws(Failure) -> Result
) throws(Failure) -> Result { try body() }

/// Converts nothing any more: leave it out.
func asRead<Result>(_ body: @autoclosure () throws(Failure) -> Result) throws(Failure) -> Result { try body() }

extension Failure {
  /// The old name of `unavailable`.
  public static func outputUnavailable(_ message: String) -> Failure { .unavailable(message) }
}

extension RunLedger {
  /// Converts nothing any more: leave it out.
  package func calling<Result>(_ body: @autoclosure () throws(Failure) -> Result) throws(Failure) -> Result {
    try body()
  }
}
