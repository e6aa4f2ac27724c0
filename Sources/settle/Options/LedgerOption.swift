import ArgumentParser
import Console
import Failures
import Ledger

/// The option of commands that work on a ledger with earlier runs.
struct LedgerOption: ParsableArguments {
  @Option(
    name: .customLong("ledger"),
    help: ArgumentHelp("The ledger, as settle run --ledger made it.", valueName: "file"), completion: .file(),
    transform: named)
  var path: String

  /// Its runs and payouts; warns if it may be out of date.
  func history() throws(Failure) -> LedgerHistory {
    let history = try LedgerHistory(ledger: path)
    Log.warn(about: history)
    return history
  }

  /// Opens it to ask about accounts; warns if it may be out of date.
  func accounts() throws(Failure) -> LedgerReading { try LedgerReading.warned(path) }
}

/// The options of commands that settle a batch with a ledger.
struct SettlingLedgerOption: ParsableArguments {
  @Option(
    name: .customLong("ledger"),
    help: ArgumentHelp(
      "Record what was settled in this file, made on first use: nothing is settled twice, on any night.",
      valueName: "file"), completion: .file(), transform: named)
  var path: String?

  @Flag(help: "Fail (74) if that file is not a ledger with earlier runs, instead of making one.")
  var existingLedger = false

  func validate() throws {
    if existingLedger, path == nil { throw ValidationError("--existing-ledger needs --ledger, which names it.") }
  }
}
