import BatchRun
import Failures
import Publication
import Documents
import Text

/// Writes the files of the agreements that a batch changes or uses, as they are after their claims.
struct AgreementFiles {
  private let step: StepDirectory
  private let reports: ReportFile
  private let entries: ReportFile
  private let keepsEntries: Bool

  init(_ step: StepDirectory, keepsEntries: Bool) throws(Failure) {
    self.step = step
    self.keepsEntries = keepsEntries
    reports = try step.makeFile("preapprovals.csv")
    entries = try step.makeFile("agreements.csv")
  }

  /// Writes the agreements as they are now.
  func append(_ all: [AgreementRegister.Named]) throws(Failure) {
    for named in all {
      guard let agreement = named.agreement else { continue }
      var text = TextBuffer()
      PreapprovalsReport.append(agreement, key: named.key, to: &text)
      try reports.write(text.span)
      text.removeAll()
      if keepsEntries { AgreementRow.append(named.entry, to: &text) }
      try entries.write(text.span)
    }
  }

  func finish() {
    step.finish(reports, name: "preapprovals.csv")
    step.finish(entries, name: "agreements.csv")
  }
}
