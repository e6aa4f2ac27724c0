import Failures
import Publication
import Rules

/// Compares one file of a directory line by line with the expected lines, while these are written.
///
/// In a sorted report, the order shows which lines are missing and which are extra. In any other report, the next few
/// lines of both are searched for the place where they agree again. So one missing or extra line does not make all
/// following lines wrong.
package final class ComparedReport: ReportWriter {
  private typealias Exceptions = ExceptionsReport.Column

  /// The most lines that are searched: a payment has at most seven.
  private static let window = 16

  private struct Line {
    let number: Int
    let bytes: [UInt8]
    var hasLineFeed = true
    /// The fields that are compared, if not all are.
    var compared: [[UInt8]]?

    func isSame(as other: Line) -> Bool {
      (compared.map { $0 == other.compared } ?? (bytes == other.bytes)) && hasLineFeed == other.hasLineFeed
    }
  }

  private let lines: ReportLines?
  /// The columns of the expected lines, of which the first is the header; empty if the file is not CSV. A file of the
  /// same name has others in another kind of directory.
  private var columns: [String]?
  private let sortColumns: Int
  private let knowsRuns: Bool
  /// The column that is not compared.
  private let omitted: Int?
  private let isSecret: Bool
  private let reason: String
  private let log: FindingLog
  private var found: [Line] = []
  private var expected: [Line] = []
  /// Whether no further lines are compared: there are enough findings, or there is no file.
  private var isDone: Bool

  /// - Parameters:
  ///   - lines: the file, not read yet; nil if it does not exist, which is not a finding here.
  ///   - knowsRuns: whether the expected lines know which run settled a pay key earlier, from a ledger.
  ///   - comparesMessages: whether the messages of `exceptions.csv` are compared: another version may word them otherwise.
  ///   - isSecret: whether findings must show nothing of the lines.
  ///   - reason: where the expected lines come from.
  package init(
    _ lines: ReportLines?, knowsRuns: Bool = true, comparesMessages: Bool = true, isSecret: Bool = false,
    _ reason: String, _ log: FindingLog
  ) {
    omitted = comparesMessages || lines?.name != ReportKind.exceptions.fileName ? nil : Exceptions.message.place
    self.lines = lines
    self.isSecret = isSecret
    self.knowsRuns = knowsRuns
    sortColumns = lines.flatMap { ReportKind(rawValue: $0.name)?.sortColumns } ?? 0
    self.reason = reason
    self.log = log
    isDone = lines == nil
  }

  /// Compares `SHA256SUMS` with the digests of the other files, given by their names.
  package static func compareSums(_ lines: ReportLines, _ digests: [String: String], _ log: FindingLog)
    throws(Failure)
  {
    let sums = ComparedReport(lines, "the files' own SHA-256", log)
    try sums.write(DigestList.text(digests))
    try sums.finish()
  }

  /// Takes the next expected lines, each with its line feed.
  package func write(_ text: Span<UInt8>) throws(Failure) {
    var at = 0
    while let end = text.place(of: 0x0A, from: at) {
      if !isDone { try expect(text.extracting(at..<end)) }
      at = end + 1
    }
    precondition(at == text.count, "a report is written in whole lines")
  }

  private func expect(_ line: Span<UInt8>) throws(Failure) {
    if columns == nil {
      let header = name.hasSuffix(".csv") ? fields(Line(number: 0, bytes: [UInt8](line))) : []
      columns = header.map { String(decoding: $0, as: UTF8.self) }
    }
    if found.isEmpty, expected.isEmpty, let lines, try lines.next() {
      if lines.current.isEqual(to: line), lines.hasLineFeed { return }
      addFound(lines)
    }
    expected.append(compared(Line(number: 0, bytes: [UInt8](line))))
    try readOn()
    align(isEnd: false)
  }

  private func addFound(_ lines: ReportLines) {
    found.append(
      compared(Line(number: lines.number, bytes: [UInt8](lines.current), hasLineFeed: lines.hasLineFeed)))
  }

  private func compared(_ line: Line) -> Line {
    guard let omitted else { return line }
    var line = line
    line.compared = fields(line).enumerated().filter { $0.offset != omitted }.map(\.element)
    return line
  }

  /// Reads lines until their number is that of the expected ones, or the file ends.
  private func readOn() throws(Failure) {
    while found.count < expected.count, let lines, try lines.next() { addFound(lines) }
  }

  /// Ends the report: no line may be left over.
  package func finish() throws(Failure) {
    guard let lines, !isDone else { return }
    try readOn()
    align(isEnd: true)
    while !isDone, try lines.next() {
      addFound(lines)
      align(isEnd: true)
    }
  }

  /// Reports the differences among the lines read so far, as far as they can be determined yet.
  private func align(isEnd: Bool) {
    while !isDone, let first = found.first, let wanted = expected.first {
      if first.isSame(as: wanted) {
        found.removeFirst()
        expected.removeFirst()
      } else if let (extra, missing) = sortColumns > 0 ? order(first, wanted) : agreement() {
        tell(extra, missing)
      } else if isEnd || expected.count >= Self.window {
        tell(1, 1)
      } else {
        return
      }
    }
    // Expected lines that remain are missing; found lines that remain at the end are extra.
    if expected.count >= Self.window || isEnd { tell(0, expected.count) }
    if isEnd { tell(found.count, 0) }
  }

  /// How many found and expected lines of a sorted report to skip: the line with the lower key, or both if the keys are
  /// equal.
  private func order(_ found: Line, _ wanted: Line) -> (Int, Int) {
    let (key, other) = (fields(found).prefix(sortColumns), fields(wanted).prefix(sortColumns))
    // The header always comes first.
    if found.number == 1 || key == other { return (1, 1) }
    return key.lexicographicallyPrecedes(other, by: { $0.lexicographicallyPrecedes($1) }) ? (1, 0) : (0, 1)
  }

  /// How many lines of both to skip to reach the nearest line that they share.
  private func agreement() -> (Int, Int)? {
    for distance in 1..<(found.count + expected.count) {
      for extra in max(0, distance - expected.count + 1)..<min(found.count, distance + 1)
      where found[extra].isSame(as: expected[distance - extra]) {
        return (extra, distance - extra)
      }
    }
    return nil
  }

  // MARK: Findings

  /// Reports that the first `extra` found lines are in the place of the first `missing` expected lines.
  private func tell(_ extra: Int, _ missing: Int) {
    for place in 0..<max(extra, missing) {
      if place < min(extra, missing) {
        tellChange(found[place], expected[place])
      } else if place < extra {
        add(found[place].number, found: found[place], "no such line; \(reason)")
      } else {
        add(
          extra < found.count ? found[extra].number : nil, expected: expected[place], "the line is missing; \(reason)")
      }
    }
    found.removeFirst(extra)
    expected.removeFirst(missing)
  }

  private func tellChange(_ found: Line, _ wanted: Line) {
    let (there, fields, columns) = (fields(found), fields(wanted), columns ?? [])
    let areRows = there.count == columns.count && fields.count == columns.count
    let changed = areRows ? columns.indices.filter { $0 != omitted && there[$0] != fields[$0] } : []
    if found.bytes == wanted.bytes {
      add(found.number, "lacks its line feed; the file was cut short")
    } else if !knowsRuns, changed == [Exceptions.message.place], isSettledEarlier(there, fields) {
      return
    } else if changed.isEmpty || changed.count * 2 > columns.count {
      add(found.number, found: found, expected: wanted, reason)
    } else {
      for column in changed {
        add(
          found.number, field: columns[column], found: ShownField.figure(there[column]),
          expected: ShownField.row(fields[column]), reason)
      }
    }
  }

  /// Whether the fields of two exceptions say the same about a key that was settled earlier, except for the run's
  /// number.
  private func isSettledEarlier(_ there: [[UInt8]], _ fields: [[UInt8]]) -> Bool {
    func words(_ fields: [[UInt8]]) -> [UInt8] { fields[Exceptions.message.place].filter { !(0x30...0x39 ~= $0) } }
    let code = RejectionReason.alreadySettled.code.description
    return fields[Exceptions.code.place].elementsEqual(code.utf8) && words(there) == words(fields)
  }

  private func fields(_ line: Line) -> [[UInt8]] {
    var row = ReportRow()
    row.split(line.bytes.span)
    return (0..<row.count).map { [UInt8](row[$0]) }
  }

  private var name: String { lines?.name ?? "" }

  private func add(_ number: Int?, found: Line? = nil, expected: Line? = nil, _ reason: String) {
    add(
      number, found: found.map { ShownField.row($0.bytes) }, expected: expected.map { ShownField.row($0.bytes) }, reason
    )
  }

  private func add(_ number: Int?, field: String? = nil, found: String?, expected: String?, _ reason: String) {
    let isChange = found != nil && expected != nil
    log.add(
      name, line: number, field: field, found: isSecret ? nil : found, expected: isSecret ? nil : expected,
      isSecret && isChange ? "differs from \(reason)" : reason)
    // The order of a sorted report cheaply shows what else is wrong. In any other report that takes long and helps no
    // one.
    isDone = sortColumns == 0 && log.isFull(name)
  }
}
