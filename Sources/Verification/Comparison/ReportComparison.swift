import Failures
import JSON
import Documents

/// Takes the reports of a run. Compares each, except the summary, with the file of a directory while it is written.
final class ReportComparison: ReportDestination {
  private let folder: ReportFolder
  private let (knowsRuns, comparesMessages): (Bool, Bool)
  private let log: FindingLog
  /// The run's summary, after the run has ended.
  private(set) var summary: SummaryReport?

  init(_ folder: ReportFolder, knowsRuns: Bool, comparesMessages: Bool, _ log: FindingLog) {
    (self.knowsRuns, self.comparesMessages) = (knowsRuns, comparesMessages)
    self.folder = folder
    self.log = log
  }

  /// One report: a table that is compared while it is written, or the text of the summary.
  final class Report: ReportWriter {
    fileprivate let table: ComparedReport?
    fileprivate var text: [UInt8] = []

    fileprivate init(_ table: ComparedReport?) { self.table = table }

    func write(_ text: Span<UInt8>) throws(Failure) {
      guard let table else { return self.text.append(text) }
      try table.write(text)
    }
  }

  func makeFile(_ name: String) throws(Failure) -> Report {
    if name == ReportKind.summary.fileName { return Report(nil) }
    // A missing file was already reported.
    let lines = try folder.open(name, FindingLog())
    return Report(
      ComparedReport(
        lines, knowsRuns: knowsRuns, comparesMessages: comparesMessages, DirectoryAudit.replayReason, log))
  }

  func finish(_ file: Report, name: String) throws(Failure) {
    try file.table?.finish()
    guard name == ReportKind.summary.fileName else { return }
    guard let tree = try? JSONTree(parsing: file.text), let summary = try? SummaryReport(reading: JSONNode(tree)) else {
      preconditionFailure("a run wrote a summary that it cannot read")
    }
    self.summary = summary
  }
}
