import Failures
import FileSystem
import SystemPackage
import Text

/// The lines of a stored report, read front to back and hashed while they are read; `digests` has the SHA-256 of each file
/// once `skipRest` has read the rest.
///
/// The file may contain anything. If a line has more than 65,536 bytes, only its beginning is returned, and no line
/// after it.
package final class ReportLines: PartReader {
  /// The most bytes of a line. The longest that a run writes has about 25,000, including a file name of 4,096 bytes.
  private static let maximumLength = 1 << 16

  /// The file's name.
  package let name: String
  /// The columns of the report; empty if the file is not CSV.
  package private(set) var columns: [String]
  /// When the file was last written to, in seconds since 1970.
  let modified: Int

  /// The number of the current line, from 1. `current` is the line without its line feed.
  package private(set) var number = 0
  /// Whether it is over the limit, and only its beginning is here.
  private(set) var isTooLong = false
  /// Whether it ends in a line feed, as all lines of a report do.
  private(set) var hasLineFeed = false

  /// Reads the parts of a report, one after the other. Their sizes must not change.
  ///
  /// - Parameters:
  ///   - shownPath: the path for messages.
  ///   - isHashed: whether digests are wanted.
  init(
    name: String, columns: [String], parts: [ReportPart], in directory: Directory, shownPath: String,
    isHashed: Bool = true
  ) {
    (self.name, self.columns) = (name, columns)
    modified = parts.first?.modified ?? 0
    super.init(parts, in: directory, shownPath: shownPath, isHashed: isHashed)
  }

  /// Goes to the next line; false at the end.
  package func next() throws(Failure) -> Bool {
    guard !isTooLong, let line = try line(limit: Self.maximumLength) else { return false }
    (hasLineFeed, isTooLong) = (line.hasLineFeed, line.isCut)
    number += 1
    return true
  }
}

// Findings on lines.
extension ReportLines {
  /// Adds a finding on a field of the line.
  package func note(_ fault: RowFault, in row: ReportRow, _ log: FindingLog) {
    log.add(name, line: number, field: fault.column, found: MessageText.text([UInt8](row[fault.place])), fault.reason)
  }

  /// Whether a report may have such a line: not empty, not over the limit, with its line feed.
  private func isProperLine(_ log: FindingLog) -> Bool {
    if !current.isEmpty, !isTooLong, hasLineFeed { return true }
    if isTooLong {
      log.add(name, line: number, "has more than \(Self.maximumLength) bytes; no row of a report is that long")
    } else {
      log.add(name, line: number, current.isEmpty ? "is empty" : "lacks its line feed; the file was cut short")
    }
    return false
  }

  /// Takes the first line, which must be the header.
  ///
  /// - Parameter columns: those of this directory; nil for those that the report always has.
  package func readHeader(_ log: FindingLog, columns own: [String]? = nil) throws(Failure) {
    if let own { columns = own }
    guard try next() else { return log.add(name, "is empty; expected the header row at least") }
    let header = columns.joined(separator: ",")
    if isProperLine(log), !current.isEqual(to: header.utf8Span.span) {
      log.add(
        name, line: 1, field: "the header", found: MessageText.text([UInt8](current)), expected: header,
        "the columns are fixed")
    }
  }

  /// Splits the line; false, with a finding, if it is not a row of the report.
  package func split(into row: inout ReportRow, _ log: FindingLog) -> Bool {
    guard isProperLine(log) else { return false }
    row.split(current)
    if row.count != columns.count { log.add(name, line: number, "is not a row of \(columns.count) fields") }
    return row.count == columns.count
  }
}
