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
  /// - Parameter areMany: whether so many keys are looked up that it pays to read the filters.
  package func earlier(
    threads: Int = 1, before end: Int, areMany: Bool = true, expectNew: SettlementLookup.Check? = nil
  ) throws(Failure) -> SettlementLookup {
    try SettlementLookup(
      keyLookup(readers: SettlementLookup.readers(threads), filterMemory: areMany ? KeyLookup.filterLimit : 0),
      entryLookup(before: end), hasPlainRuns: history.hasPlainRuns, expectNew: expectNew)
  }
}
