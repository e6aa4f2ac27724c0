import BatchRun
import Glibc
import Reports

/// Takes the reports of a run and compares each with the file of a directory while it is written.
final class ReportComparison: ReportDestination {
  private let folder: ReportFolder
  private let summary: SummaryText?
  private let log: FindingLog

  init(_ folder: ReportFolder, summary: SummaryText?, _ log: FindingLog) {
    self.folder = folder
    self.summary = summary
    self.log = log
  }

  func makeFile(_ name: String) throws(RunFailure) -> ComparedReport {
    let columns: [ReportColumns] = [.settlement, .receivers, .totals, .control, .exceptions]
    // A file that is not there was told already.
    let lines = try folder.open(name, FindingLog())
    return ComparedReport(lines, columns.first { $0.file == name }, log)
  }

  func finish(_ file: ComparedReport, name: String) throws(RunFailure) {
    if name == SummaryReport.fileName { compareSummary(file.text) } else { try file.finish() }
  }

  private func compareSummary(_ text: [UInt8]) {
    // A summary that cannot be read was told already.
    guard let summary, let expected = try? SummaryText(text) else { return }
    let found = Dictionary(summary.entries) { first, _ in first }
    let wanted = Set(expected.entries.map(\.key))
    for (key, value) in expected.entries {
      let there = found[key]
      if there != value {
        log.add(
          ReportFinding(
            SummaryReport.fileName, field: key, found: there.map { ShownField.text($0) } ?? "nothing",
            expected: ShownField.text(value), Resettlement.reason))
      }
    }
    for (key, value) in summary.entries where !wanted.contains(key) {
      log.add(
        ReportFinding(
          SummaryReport.fileName, field: key, found: ShownField.text(value), "no such key; \(Resettlement.reason)"))
    }
  }
}

/// One report, compared line by line with what stands in the directory.
///
/// Where lines differ, the next few of both are looked at for where they agree again, so that one line too much or too
/// few does not make all that follow wrong.
final class ComparedReport: ReportWriter {
  /// The most lines that are looked at: a payment has seven at most.
  private static let window = 16

  private struct Line: Equatable {
    let number: Int
    let bytes: [UInt8]
    static func == (left: Line, right: Line) -> Bool { left.bytes == right.bytes }
  }

  private let lines: ReportLines?
  private let columns: ReportColumns?
  private let log: FindingLog
  private var found: [Line] = []
  private var expected: [Line] = []
  /// Where no further line is compared: there are findings enough, or nothing to compare with.
  private var isDone: Bool

  /// The bytes so far, of a report that is no CSV.
  private(set) var text: [UInt8] = []

  init(_ lines: ReportLines?, _ columns: ReportColumns?, _ log: FindingLog) {
    self.lines = lines
    self.columns = columns
    self.log = log
    isDone = lines == nil
  }

  func write(_ bytes: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    guard columns != nil else { return text.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count)) }
    var at = 0
    // Reports are written in whole lines.
    while let length = LineFeed.lineLength(bytes + at, count: count - at) {
      if !isDone { try expect(bytes + at, count: length) }
      at += length + 1
    }
    precondition(at == count, "a report is written in whole lines")
  }

  /// Takes the next line that must be there.
  private func expect(_ line: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    if found.isEmpty, expected.isEmpty, let lines, try lines.next() {
      if lines.length == count, memcmp(lines.line, line, count) == 0, lines.hasLineFeed { return }
      found.append(Line(number: lines.number, bytes: Array(lines.bytes)))
    }
    expected.append(Line(number: 0, bytes: Array(UnsafeBufferPointer(start: line, count: count))))
    try readOn()
    align(isEnd: false)
  }

  /// Has as many lines at hand as are expected, where there are so many.
  private func readOn() throws(RunFailure) {
    while found.count < expected.count, let lines, try lines.next() {
      found.append(Line(number: lines.number, bytes: Array(lines.bytes)))
    }
  }

  /// Ends the report: no line may be left.
  func finish() throws(RunFailure) {
    guard let lines, !isDone else { return }
    try readOn()
    align(isEnd: true)
    while !isDone, try lines.next() {
      found.append(Line(number: lines.number, bytes: Array(lines.bytes)))
      align(isEnd: true)
    }
  }

  /// Tells what differs among the lines at hand, as far as that can be told yet.
  private func align(isEnd: Bool) {
    while !isDone, let first = found.first, let wanted = expected.first {
      if first == wanted {
        found.removeFirst()
        expected.removeFirst()
      } else if let (extra, missing) = agreement() {
        tell(extra, missing)
      } else if isEnd || expected.count >= Self.window {
        tell(1, 1)
      } else {
        return
      }
    }
    // Where the report has ended, what is expected is missing; at the very end, what is found is too much.
    if expected.count >= Self.window || isEnd { tell(0, expected.count) }
    if isEnd { tell(found.count, 0) }
  }

  /// How many lines of both to pass over to come to the nearest line that they share.
  private func agreement() -> (Int, Int)? {
    for distance in 1..<(found.count + expected.count) {
      for extra in max(0, distance - expected.count + 1)..<min(found.count, distance + 1)
      where found[extra] == expected[distance - extra] {
        return (extra, distance - extra)
      }
    }
    return nil
  }

  /// Tells that the first `extra` lines found stand for the first `missing` lines expected.
  private func tell(_ extra: Int, _ missing: Int) {
    for place in 0..<max(extra, missing) {
      if place < min(extra, missing) {
        tellChange(found[place], expected[place])
      } else if place < extra {
        add(found[place].number, found: found[place], "no such line; \(Resettlement.reason)")
      } else {
        add(
          extra < found.count ? found[extra].number : nil, expected: expected[place],
          "the line is missing; \(Resettlement.reason)")
      }
    }
    found.removeFirst(extra)
    expected.removeFirst(missing)
  }

  private func tellChange(_ found: Line, _ wanted: Line) {
    guard let columns, let there = fields(found, columns), let fields = fields(wanted, columns) else {
      return add(found.number, found: found, expected: wanted, Resettlement.reason)
    }
    let changed = columns.names.indices.filter { there[$0] != fields[$0] }
    guard changed.count * 2 <= columns.names.count else {
      return add(found.number, found: found, expected: wanted, Resettlement.reason)
    }
    for column in changed {
      log.add(
        ReportFinding(
          columns.file, line: found.number, field: columns.names[column],
          found: there[column].withUnsafeBufferPointer { ShownField.figure($0) },
          expected: fields[column].withUnsafeBufferPointer { ShownField.ownRow($0) }, Resettlement.reason))
    }
    // The last line without its line feed has no other change.
    if changed.isEmpty { add(found.number, found: found, expected: wanted, Resettlement.reason) }
    isDone = log.isFull(columns.file)
  }

  private func fields(_ line: Line, _ columns: ReportColumns) -> [[UInt8]]? {
    var row = ReportRow()
    return line.bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return nil }
      row.split(start, count: bytes.count)
      guard row.count == columns.names.count else { return nil }
      return columns.names.indices.map { Array(row[$0]) }
    }
  }

  private func add(_ number: Int?, found: Line? = nil, expected: Line? = nil, _ reason: String) {
    guard let columns else { return }
    log.add(
      ReportFinding(
        columns.file, line: number, found: found.map { $0.bytes.withUnsafeBufferPointer { ShownField.row($0) } },
        expected: expected.map { $0.bytes.withUnsafeBufferPointer { ShownField.ownRow($0) } }, reason))
    isDone = log.isFull(columns.file)
  }
}
