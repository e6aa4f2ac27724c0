import BatchRun
import Documents
import Failures
import Ledger

extension LedgerReading {
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
      earlierKeys(readers: EarlierSettlements.readers(threads), areMany: areMany), earlierEntries(before: end),
      hash: hash, before: end, shown: shown, hasPlainRuns: history.hasPlainRuns, expectNew: expectNew)
  }
}
