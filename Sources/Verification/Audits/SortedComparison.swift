import BatchRun
import Glibc

/// Holds a report whose rows are sorted by their first columns against the rows that it must have, in their order.
///
/// What is missing, too much, changed, twice or out of order is told row by row; one wrong row makes no other wrong.
struct SortedComparison: ~Copyable {
  private let lines: ReportLines
  private let columns: ReportColumns
  private let keyColumns: Int
  private let reason: String
  private let log: FindingLog

  private var row = ReportRow()
  private var other = ReportRow()
  private var before = ReportRow()
  private var hasRow = false
  /// The row before.
  private let previous = UnsafeMutablePointer<UInt8>.allocate(capacity: ReportLines.maximumLength)
  private var previousLength = 0

  /// - Parameters:
  ///   - keyColumns: the number of columns by which the rows are sorted.
  ///   - reason: what the expected rows come from.
  init(_ lines: ReportLines, _ columns: ReportColumns, keyColumns: Int, reason: String, _ log: FindingLog) {
    self.lines = lines
    self.columns = columns
    self.keyColumns = keyColumns
    self.reason = reason
    self.log = log
  }

  deinit { previous.deallocate() }

  /// Takes the header and goes to the first row.
  mutating func begin() throws(RunFailure) {
    try lines.takeHeader(columns, log)
    try advance()
  }

  /// Holds the report against the next row it must have; the row's line feed is not counted.
  mutating func expect(_ expected: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    other.split(expected, count: count)
    while hasRow {
      if lines.length == count, memcmp(lines.line, expected, count) == 0 { return try advance() }
      let order = Self.order(row, other, keyColumns: keyColumns)
      if order > 0 { break }
      if order == 0 {
        compareFields()
        return try advance()
      }
      log.add(
        ReportFinding(
          columns.file, line: lines.number, found: ShownField.row(lines.bytes), "no such row can be; \(reason)"))
      try advance()
    }
    log.add(
      ReportFinding(
        columns.file, line: hasRow ? lines.number : nil,
        expected: ShownField.ownRow(UnsafeBufferPointer(start: expected, count: count)),
        "the row is missing; \(reason)"))
  }

  /// Holds the report against the next rows of a text, from an offset in it on.
  mutating func expectRows(_ text: UnsafePointer<UInt8>, count: Int, behind offset: Int = 0) throws(RunFailure) {
    var at = offset
    while let length = LineFeed.lineLength(text + at, count: count - at) {
      try expect(text + at, count: length)
      at += length + 1
    }
  }

  /// Ends the report: no row may be left.
  mutating func end() throws(RunFailure) {
    while hasRow {
      log.add(
        ReportFinding(
          columns.file, line: lines.number, found: ShownField.row(lines.bytes), "no such row can be; \(reason)"))
      try advance()
    }
  }

  private func compareFields() {
    for column in keyColumns..<columns.names.count where !Self.same(row[column], other[column]) {
      log.add(
        ReportFinding(
          columns.file, line: lines.number, field: columns.names[column], found: ShownField.figure(row[column]),
          expected: ShownField.ownRow(other[column]), reason))
    }
  }

  // MARK: The rows there are

  /// Goes to the next row that can be compared.
  private mutating func advance() throws(RunFailure) {
    hasRow = false
    while try lines.next() {
      guard lines.isProperLine(log) else { continue }
      row.split(lines.line, count: lines.length)
      guard row.count == columns.names.count else {
        log.add(lines.finding("is no row of \(columns.names.count) fields"))
        continue
      }
      guard isInOrder() else { continue }
      hasRow = true
      return
    }
  }

  private mutating func isInOrder() -> Bool {
    var isInOrder = true
    if previousLength > 0 {
      before.split(previous, count: previousLength)
      let order = Self.order(before, row, keyColumns: keyColumns)
      isInOrder = order < 0
      if !isInOrder {
        let key = columns.names.prefix(keyColumns).joined(separator: " and ")
        log.add(
          ReportFinding(
            columns.file, line: lines.number, found: ShownField.row(lines.bytes),
            order == 0 ? "a row before has the same \(key)" : "is out of order; rows are sorted by \(key)"))
      }
    }
    if isInOrder {
      memcpy(previous, lines.line, lines.length)
      previousLength = lines.length
    }
    return isInOrder
  }

  private static func order(_ left: borrowing ReportRow, _ right: borrowing ReportRow, keyColumns: Int) -> Int {
    for column in 0..<keyColumns {
      let (one, two) = (left[column], right[column])
      let length = min(one.count, two.count)
      if length > 0, let first = one.baseAddress, let second = two.baseAddress {
        let order = memcmp(first, second, length)
        if order != 0 { return Int(order) }
      }
      if one.count != two.count { return one.count - two.count }
    }
    return 0
  }

  private static func same(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    left.elementsEqual(right)
  }
}
