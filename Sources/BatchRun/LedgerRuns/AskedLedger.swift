import FileSystem
import Ledger

/// A ledger that is asked and never written, with words for what fails.
struct AskedLedger {
  /// Its path for messages.
  let shown: String
  let reading: LedgerReading
  /// The runs that count: one that is entered but not published does not.
  let history: RunHistory

  init(_ path: String) throws(RunFailure) {
    shown = OutputPlace.shown(path)
    reading = try asRunFailure(ledger: shown, LedgerReading(path: path))
    history = RunHistory(reading.history)
  }

  /// The number of the last run that counts; 0 if there is none.
  var lastRun: Int { history.runs.last?.number ?? 0 }

  /// What the runs before one settled, for so many threads.
  ///
  /// - Parameter areMany: whether many keys are looked up.
  func earlier(threads: Int = 1, before end: Int, areMany: Bool = true) throws(RunFailure) -> EarlierSettlements {
    try asRunFailure(
      ledger: shown,
      EarlierSettlements(
        reading.earlierKeys(readers: EarlierSettlements.readers(threads), areMany: areMany),
        reading.earlierEntries(before: end),
        hash: reading.hash, before: end, shown: shown))
  }

  /// Throws if a run wrote to the ledger while it was read.
  func expectUnchanged() throws(RunFailure) {
    guard try asRunFailure(ledger: shown, reading.hasChanged()) else { return }
    throw .busy("\(shown): a run has written to the ledger meanwhile; try again when it is done")
  }
}
