import Reports
import Text

/// Where the reports of a settlement go: a directory that is published, or somebody who looks at them.
///
/// `settlement.csv` and `exceptions.csv` are written at the same time, by whichever thread commits; the others follow.
public protocol ReportDestination: AnyObject {
  /// One report while it is written.
  associatedtype Report: ReportWriter

  /// Begins a report; `name` is the file's, such as `settlement.csv`.
  func makeFile(_ name: String) throws(RunFailure) -> Report

  /// Ends a report: all its bytes were written.
  func finish(_ file: Report, name: String) throws(RunFailure)
}

extension ReportDestination {
  /// Writes a report of which all is at hand.
  func write(_ report: ReportKind, _ body: (inout TextBuffer) -> Void) throws(RunFailure) {
    let file = try makeFile(report.fileName)
    try file.write(body)
    try finish(file, name: report.fileName)
  }

  /// Writes the reports of a batch's totals.
  func writeTotals(of result: RunResult) throws(RunFailure) {
    for report in ReportKind.allCases {
      var text = TextBuffer()
      if report.write(result.totals, to: &text) {
        try write(report) { $0.append(UnsafePointer(text.bytes), count: text.count) }
      }
    }
    try write(.summary) { text in
      let summary = SummaryReport(
        version: BatchRun.version, batchID: result.batchID, controlTotals: result.controlTotals,
        files: result.files, rules: result.rules, totals: result.totals)
      summary.write(to: &text)
    }
  }
}

/// Takes the bytes of one report.
public protocol ReportWriter: AnyObject {
  /// Takes the next `count` bytes.
  func write(_ bytes: UnsafePointer<UInt8>, count: Int) throws(RunFailure)

  /// Takes a text whose memory may be kept, if that of another one is left in its place.
  func take(_ text: inout TextBuffer) throws(RunFailure)
}

extension ReportWriter {
  /// Takes the text, and its memory stays.
  public func take(_ text: inout TextBuffer) throws(RunFailure) { try write(text.bytes, count: text.count) }

  /// Takes a text.
  public func write(_ text: String) throws(RunFailure) { try write { $0.append(text) } }

  /// Takes what `body` appends.
  public func write(_ body: (inout TextBuffer) -> Void) throws(RunFailure) {
    var text = TextBuffer(capacity: 4096)
    body(&text)
    try write(text.bytes, count: text.count)
  }

  /// Takes a text that has grown long, and empties it.
  func takeLong(_ text: inout TextBuffer) throws(RunFailure) {
    guard text.count > 1 << 16 else { return }
    try write(text.bytes, count: text.count)
    text.removeAll(keeping: 1 << 20)
  }
}
