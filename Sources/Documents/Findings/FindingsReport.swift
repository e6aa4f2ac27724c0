import Rules
import Text

/// The lines of `settle validate` for errors and notices, for people or for machines.
public enum FindingsReport {
  /// The format of the lines.
  public enum Format: String, CaseIterable, Sendable {
    /// `file:line: error: CODE at FIELD: message`, without the field if the error is about the whole record.
    case text
    /// One JSON object per line.
    case jsonl
    /// Workflow commands of GitHub Actions, one per line.
    case github
    /// One SARIF 2.1.0 log.
    case sarif
  }

  /// The line in `text` of an error of the record, without its place.
  public static func line(_ finding: Finding, of judgement: borrowing Judgement) -> String {
    var row = TextBuffer()
    FindingRow.append(finding, of: judgement, to: &row)
    return line(row)
  }

  /// The line in `text` of a notice of the record, without its place.
  public static func line(_ notice: NoticeFinding, of judgement: borrowing Judgement) -> String {
    var row = TextBuffer()
    FindingRow.append(notice, of: judgement, to: &row)
    return line(row)
  }

  private static func line(_ row: borrowing TextBuffer) -> String {
    let line = FindingLine(row: Array(row.span))
    return TextBuffer.string { line.append(.text, isColored: false, to: &$0) }
  }
}
