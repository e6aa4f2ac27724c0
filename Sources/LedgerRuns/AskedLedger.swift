import BatchRun
import Failures
import FileSystem
import Ledger
import Rules

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

  /// Throws if an earlier run settled the same texts by other rules, or other texts under the same batch id.
  package func expectNew(_ identities: [RunIdentity], _ envelope: BatchEnvelope) throws(Failure) {
    let runs = history.runs
    guard !runs.contains(where: { identities.contains($0.identity) }) else { return }
    let contents = identities.map(\.content)
    if let run = runs.last(where: { contents.contains($0.identity.content) }) {
      throw .rulesChanged(run, identities[0], envelope)
    }
    if let id = envelope.batchID, let run = runs.first(where: { $0.batchID == id }) {
      throw .batchIDReused(id, by: run.number, envelope)
    }
  }

  /// What the runs before `end` settled, for a number of threads.
  ///
  /// - Parameter areMany: whether many keys are looked up.
  package func earlier(
    threads: Int = 1, before end: Int, areMany: Bool = true, expectNew: EarlierSettlements.Check? = nil
  ) throws(Failure) -> EarlierSettlements {
    try EarlierSettlements(
      reading.earlierKeys(readers: EarlierSettlements.readers(threads), areMany: areMany),
      reading.earlierEntries(before: end), hash: reading.hash, before: end, shown: shown,
      hasPlainRuns: hasPlainRuns, expectNew: expectNew)
  }

  /// Throws if a run wrote to the ledger while it was read.
  package func expectUnchanged() throws(Failure) {
    guard try reading.hasChanged() else { return }
    throw .busy("\(shown): a run has written to the ledger meanwhile; try again when it is done")
  }
}
