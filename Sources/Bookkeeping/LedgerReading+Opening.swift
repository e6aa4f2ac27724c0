import Failures
import FileSystem
import Ledger

extension LedgerReading {
  /// Opens a ledger that must exist, for a command that settles nothing.
  public static func opened(_ path: String) throws(Failure) -> LedgerReading {
    try Failure.opening(path) { _ throws(Failure) in try LedgerReading(path: path) }
  }
}

extension Failure {
  /// Opens a ledger that must exist. One that cannot be used is no reason to look at the rules: that is 74, not 78.
  ///
  /// - Parameters:
  ///   - witness: the path of its witness; nil if none is given.
  ///   - open: opens it; a lock file or a witness without a ledger means that the ledger is lost.
  package static func opening<Opened>(
    _ path: String, witness: String? = nil, _ open: (_ isGone: Bool) throws(Failure) -> Opened
  ) throws(Failure) -> Opened {
    let isGone = OutputPlace.isGone(path)
    if isGone, OutputPlace.isGone(path + "-lock"), witness.map(OutputPlace.isGone) ?? true {
      throw .unreadable("\(OutputPlace.shown(path)): there is no such ledger")
    }
    do throws(Failure) { return try open(isGone) } catch {
      throw error.exitCode == Kind.configuration.exitCode ? .inputOutput(error.message) : error
    }
  }
}
