import BatchRun

extension SummaryText {
  private static let mostBytes = 32 << 20

  /// Reads `summary.json`; nil, and a finding, where it is none.
  package static func read(_ lines: ReportLines, _ log: FindingLog) throws(RunFailure) -> SummaryText? {
    guard let text = try lines.wholeText(limit: mostBytes) else {
      log.add(ReportFinding(lines.name, "has more than \(mostBytes) bytes"))
      return nil
    }
    do throws(Fault) {
      return try SummaryText(text)
    } catch {
      let there = text[error.offset...].prefix(256)
      log.add(
        ReportFinding(
          lines.name, line: 1, field: "byte \(error.offset)",
          found: there.isEmpty ? "the end" : there.withUnsafeBufferPointer { ShownField.text($0) },
          expected: error.expected, "the form is fixed"))
      return nil
    }
  }
}
