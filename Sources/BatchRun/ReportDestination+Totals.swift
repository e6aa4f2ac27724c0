import Failures
import Documents
import Text

extension ReportDestination {
  /// Writes the reports of a batch's totals.
  package func writeTotals(of result: RunResult) throws(Failure) {
    for report in ReportKind.allCases {
      var text = TextBuffer()
      if report.write(result.totals, to: &text) {
        try write(report) { $0.append(text.span) }
      }
    }
    try write(.summary) { text in
      let summary = SummaryReport(
        version: BatchRun.version, batchID: result.batchID, controlTotals: result.controlTotals,
        files: result.files, createdAt: result.createdAt, rules: result.rules, totals: result.totals,
        showsNames: result.showsNames)
      summary.write(to: &text)
    }
  }
}
