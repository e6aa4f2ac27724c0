import Documents
import Publication

/// Where the texts of a batch go, in batch order. One thread writes at a time, but not always the same one.
package struct ReportSink {
  /// Takes the rows of settled parties, or entries; those of one payment together. A validation settles nothing.
  package let settlement: (any ReportWriter)?
  /// Takes the rows of `exceptions.csv`, or the lines of a validation; entries have none.
  package let rows: (any ReportWriter)?
  /// Takes the rows of `refunds.csv`, which only a settlement has.
  package let refunds: (any ReportWriter)?
  /// Takes the rows of `fees.csv`, which only a settlement has that shows the names of fees.
  package var fees: (any ReportWriter)?
  /// Takes the entries, too, if they are wanted instead of reports.
  package let entries: (any EntryDestination)?

  /// Lets the digests of the large reports wait until they are taken along with other bytes: the largest one first, which
  /// takes the other along, too. Nil if they have threads of their own.
  func letDigestsWait() -> WaitingDigest? {
    let settlement = (settlement as? ReportFile)?.letDigestWait()
    return (fees as? ReportFile)?.letDigestWait(next: settlement) ?? settlement
  }

  package init(settlement: any ReportWriter, exceptions: any ReportWriter, refunds: (any ReportWriter)?) {
    (self.settlement, rows, self.refunds, entries) = (settlement, exceptions, refunds, nil)
  }

  /// The lines of a validation.
  package init(findings: any ReportWriter) { (settlement, rows, refunds, entries) = (nil, findings, nil, nil) }

  package init(entries: any EntryDestination) {
    (settlement, rows, refunds, self.entries) = (entries, nil, nil, entries)
  }
}
