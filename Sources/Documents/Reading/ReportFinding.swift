import Failures

/// A fault in a settlement directory: its place, what was found, what was expected, and why.
public struct ReportFinding: Sendable, Equatable {
  /// The file in the directory; empty for the directory itself.
  public let file: String
  /// The line in the file, from 1; nil for the file as a whole.
  public let line: Int?
  /// The column of a CSV file, or the key of `summary.json` with dots: `records.settled`.
  public let field: String?
  /// What was found, made fit for a message.
  public let found: String?
  /// What was expected, made fit for a message.
  public let expected: String?
  /// The reason, in words; it contains no text of the directory's files.
  public let reason: String

  /// One line for people: `receivers.csv:3: gross is 10.00; expected 11.00: what settlement.csv adds up to`.
  public var text: String {
    var text = file
    if let line { text += ":\(line)" }
    if !text.isEmpty { text += ": " }
    if let found { text += "\(field.map { "\($0) is " } ?? "")\(found.isEmpty ? "empty" : found)" }
    if let expected {
      text += found == nil ? "\(field.map { "\($0) " } ?? "")" : "; "
      text += "expected \(expected.isEmpty ? "nothing" : expected)"
    }
    if found != nil || expected != nil { text += ": " }
    return text + reason
  }
}

/// The findings. Only some are listed: one wrong line may make a million others wrong.
package final class FindingLog {
  /// No findings yet.
  package init() {}

  /// The maximum number of findings that are listed for one file.
  static let mostOfOneFile = 20

  /// The listed findings, in the order in which they were found.
  package private(set) var findings: [ReportFinding] = []
  /// The number of findings, listed or not.
  package private(set) var count = 0
  private var counts: [String: Int] = [:]

  /// Adds a finding, or only counts it if its file has enough of them.
  package func add(
    _ file: String, line: Int? = nil, field: String? = nil, found: String? = nil, expected: String? = nil,
    _ reason: String
  ) {
    count += 1
    counts[file, default: 0] += 1
    guard counts[file, default: 0] <= Self.mostOfOneFile else { return }
    findings.append(
      ReportFinding(file: file, line: line, field: field, found: found, expected: expected, reason: reason))
  }

  /// Adds a finding in a column of a report's row.
  package func add(
    _ report: ReportKind, line: Int, _ column: some ReportColumn, found: String, expected: String? = nil,
    _ reason: String
  ) {
    add(report.fileName, line: line, field: column.name, found: found, expected: expected, reason)
  }

  /// A failure with the text of the first finding; there must be one.
  package func failure(_ shownFolder: String, _ failure: (String) -> Failure) -> Failure {
    failure("\(shownFolder)/\(findings[0].text)")
  }

  /// Whether a file has the maximum number of listed findings, so that no more need to be searched for.
  package func isFull(_ file: String) -> Bool { counts[file, default: 0] >= Self.mostOfOneFile }

  /// The number of findings that were counted but not listed, by file, sorted by name.
  package var unlisted: [(file: String, count: Int)] {
    counts.filter { $0.value > Self.mostOfOneFile }.map { ($0.key, $0.value - Self.mostOfOneFile) }
      .sorted { $0.file < $1.file }
  }
}
