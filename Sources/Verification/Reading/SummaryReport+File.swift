import BatchRun
import JSON
import Reports
import Text

extension SummaryReport {
  private static let mostBytes = 32 << 20

  /// Reads `summary.json`; nil, and a finding, if it is none.
  ///
  /// What was read is written again: any other byte in the file is a finding, too.
  static func read(_ lines: ReportLines, _ log: FindingLog) throws(RunFailure) -> SummaryReport? {
    guard let text = try lines.wholeText(limit: mostBytes) else {
      log.add(lines.name, "has more than \(mostBytes) bytes")
      return nil
    }
    let tree: JSONTree
    do throws(JSONTree.SyntaxError) {
      tree = try JSONTree(parsing: text)
    } catch {
      tell(text, at: error.offset, expected: error.expected, log)
      return nil
    }
    do throws(Fault) {
      let summary = try SummaryReport(tree)
      summary.checkForm(text, tree, log)
      return summary
    } catch {
      let found = error.found.map { Self.entries($0).first.map { ShownField.figure($0.value) } ?? $0.kindName }
      log.add(
        lines.name, field: MessageText.text(error.key.utf8), found: found ?? "missing", "a run writes another value")
      return nil
    }
  }

  private static func tell(_ text: [UInt8], at offset: Int, expected: String, _ log: FindingLog) {
    let there = text[offset...].prefix(256)
    log.add(
      ReportKind.summary.fileName, line: 1, field: "byte \(offset)",
      found: there.isEmpty ? "the end" : MessageText.text(there), expected: expected, "the form is fixed")
  }

  private func checkForm(_ text: [UInt8], _ found: JSONTree, _ log: FindingLog) {
    var written = TextBuffer()
    write(to: &written)
    let expected = UnsafeBufferPointer(start: written.bytes, count: written.count)
    guard !text.elementsEqual(expected), !Self.compare(found, tree, "the form is fixed", log) else { return }
    let offset = zip(text, expected).prefix { $0 == $1 }.count
    let rest = UnsafeBufferPointer(rebasing: expected[offset...])
    Self.tell(text, at: offset, expected: MessageText.text(rest), log)
  }

  /// Holds the values against those that they must be; `reason` tells where those come from.
  func compare(with expected: SummaryReport, _ reason: String, _ log: FindingLog) {
    _ = Self.compare(tree, expected.tree, reason, log)
  }

  /// Tells the keys whose values differ; false if there are none.
  private static func compare(_ found: JSONTree, _ expected: JSONTree, _ reason: String, _ log: FindingLog) -> Bool {
    let found = Dictionary(entries(found)) { first, _ in first }
    let expected = entries(expected)
    let count = log.count
    func add(_ key: String, expected: [UInt8]? = nil, _ reason: String) {
      log.add(
        ReportKind.summary.fileName, field: MessageText.text(key.utf8),
        found: found[key].map { ShownField.figure($0) } ?? "missing",
        expected: expected.map { ShownField.figure($0) }, reason)
    }
    for (key, value) in expected where found[key] != value { add(key, expected: value, reason) }
    for key in Set(found.keys).subtracting(expected.map(\.key)).sorted() { add(key, "no such key; \(reason)") }
    return log.count > count
  }

  /// Every value by its key with dots: `records.settled`, `totals.USD.fees`.
  private static func entries(_ tree: JSONTree, _ key: String = "") -> [(key: String, value: [UInt8])] {
    switch tree {
    case .object(let fields):
      let prefix = key.isEmpty ? "" : key + "."
      return fields.flatMap { entries($0.value, prefix + String(decoding: $0.name, as: UTF8.self)) }
    case .array(let elements):
      return elements.enumerated().flatMap { place, element in
        let currency = element[TotalsReport.Column.currency.key]?.string
        return entries(element, key + (currency.map { ".\($0)" } ?? "[\(place)]"))
      }
    case .string(let characters): return [(key, characters)]
    case .number(let digits): return [(key, digits)]
    case .boolean(let value): return [(key, Array("\(value)".utf8))]
    case .null: return [(key, Array("null".utf8))]
    }
  }
}
