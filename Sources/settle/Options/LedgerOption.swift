import ArgumentParser
import Console
import Failures
import Ledger

extension LedgerHistory {
  /// The runs and payouts of a ledger; warns if it may be out of date.
  static func warned(_ ledger: String) throws(Failure) -> LedgerHistory {
    let history = try LedgerHistory(ledger: ledger)
    Log.warn(about: history)
    return history
  }
}

/// The options of commands that settle a batch with a ledger.
struct SettlingLedgerOption: ParsableArguments {
  @Option(
    .file(
      "Record what was settled in this file, made on first use: nothing is settled twice, on any night.",
      name: .customLong("ledger")))
  var path: String?

  @Flag(help: "Fail (74) if that file is not a ledger with earlier runs, instead of making one.")
  var existingLedger = false

  func validate() throws {
    if existingLedger, path == nil { throw ValidationError("--existing-ledger needs --ledger, which names it.") }
  }
}
