import BatchRun
import Bookkeeping
import Documents
import Failures
import Ledger
import Rules

extension AskedLedger {
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

  /// Whether a run before `end` shows the names of fees; then the last one does.
  package func showsNames(before end: Int = .max) -> Bool {
    history.runs.last { $0.number < end }.map { ReportKind.showsNames(sums: $0.sums) } ?? false
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
}
