import Failures

/// The rows of a CSV report, one after the other.
package final class ReportRows: ReportFields {
  private let lines: ReportLines
  private let shownFolder: String
  private let failure: (String) -> Failure
  private let log = FindingLog()
  /// The current row; valid until `next`.
  package private(set) var row = ReportRow()

  /// Takes the header row.
  ///
  /// - Parameter failure: the failure for a report that is not valid.
  init(_ lines: ReportLines, shownFolder: String, failure: @escaping (String) -> Failure) throws(Failure) {
    self.lines = lines
    self.shownFolder = shownFolder
    self.failure = failure
    try lines.readHeader(log)
    guard log.count == 0 else { throw log.failure(shownFolder, failure) }
  }

  /// Goes to the next row; false at the end.
  package func next() throws(Failure) -> Bool {
    guard try lines.next() else { return false }
    guard lines.split(into: &row, log) else { throw log.failure(shownFolder, failure) }
    return true
  }

  /// The failure for a row that is not valid; the message has no text of the row.
  package func fault(_ reason: String) -> Failure {
    failure("\(shownFolder)/\(lines.name):\(lines.number): \(reason)")
  }
}
