import Failures
import FileSystem
import Ledger

/// A ledger that is only read.
package struct AskedLedger {
  /// Its path for messages.
  package let shown: String
  package let reading: LedgerReading
  /// The runs that count: not one that is entered but not published.
  package let history: RunHistory

  package init(_ path: String) throws(Failure) {
    shown = OutputPlace.shown(path)
    reading = try LedgerReading(path: path)
    history = RunHistory(reading.history, shown: shown)
  }

  /// The number of the last run that counts, or 0.
  package var lastRun: Int { history.runs.last?.number ?? 0 }

  /// Whether some of its runs were entered by the plain digests of their texts.
  package var hasPlainRuns: Bool { reading.history.runs.contains { $0.identity.isPlain } }

  /// Throws if a run wrote to the ledger while it was read.
  package func expectUnchanged() throws(Failure) {
    guard try reading.hasChanged() else { return }
    throw .busy("\(shown): a run has written to the ledger meanwhile; try again when it is done")
  }
}
