import BatchRun
import Reports

/// The rows of a CSV report, one after the other.
package final class ReportRows: ReportFields {
  private let lines: ReportLines
  private let shownFolder: String
  private let failure: (String) -> RunFailure
  private let log = FindingLog()
  /// The row it is at; good until `next`.
  package private(set) var row = ReportRow()

  /// Takes the header row.
  ///
  /// - Parameter failure: what a report that is none fails with.
  init(_ lines: ReportLines, shownFolder: String, failure: @escaping (String) -> RunFailure) throws(RunFailure) {
    self.lines = lines
    self.shownFolder = shownFolder
    self.failure = failure
    try lines.takeHeader(log)
    guard log.count == 0 else { throw log.failure(shownFolder, failure) }
  }

  /// Goes to the next row; false if there is none.
  package func next() throws(RunFailure) -> Bool {
    guard try lines.next() else { return false }
    guard lines.split(into: &row, log) else { throw log.failure(shownFolder, failure) }
    return true
  }

  /// The failure that the row is not as it must be; no text of it is in the message.
  package func fault(_ reason: String) -> RunFailure {
    failure("\(shownFolder)/\(lines.name):\(lines.number): \(reason)")
  }
}
