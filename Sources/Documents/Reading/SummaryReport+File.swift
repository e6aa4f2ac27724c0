import Failures
import JSON
import Text

extension SummaryReport {
  /// Reads `summary.json`; nil, with a finding, if it is not a summary.
  ///
  /// What was read is written again: any byte of the file that differs is also a finding.
  package static func read(_ lines: ReportLines, _ log: FindingLog) throws(Failure) -> SummaryReport? {
    guard let (text, tree) = try log.tree(of: lines) else { return nil }
    do throws(JSONFault) {
      let summary = try SummaryReport(reading: JSONNode(tree))
      var written = TextBuffer()
      summary.write(to: &written)
      log.checkForm(lines.name, text, tree, written.span, summary.json)
      return summary
    } catch {
      let node = error.node
      let found = node.found.map { JSONEntry.all($0).first.map { ShownField.figure($0.value) } ?? $0.kindName }
      log.add(
        lines.name, field: MessageText.text(node.path.dotted().utf8), found: found ?? "missing",
        "a run writes another value")
      return nil
    }
  }

  /// Compares the values with the expected ones; `reason` says where those come from.
  package func compare(with expected: SummaryReport, _ reason: String, _ log: FindingLog) {
    _ = log.compare(ReportKind.summary.fileName, json, expected.json, reason)
  }
}

// Files of one JSON object.
extension FindingLog {
  private static let mostBytes = 32 << 20

  /// Reads a file as JSON; nil, with a finding, if it is not JSON.
  package func tree(of lines: ReportLines) throws(Failure) -> (text: [UInt8], tree: JSONTree)? {
    guard let text = try lines.rest(limit: Self.mostBytes) else {
      add(lines.name, "has more than \(Self.mostBytes) bytes")
      return nil
    }
    do throws(JSONTree.SyntaxError) {
      return (text, try JSONTree(parsing: text))
    } catch {
      tell(lines.name, text, at: error.offset, expected: error.expected)
      return nil
    }
  }

  private func tell(_ file: String, _ text: [UInt8], at offset: Int, expected: String) {
    let there = text[offset...].prefix(256)
    add(
      file, line: 1, field: "byte \(offset)", found: there.isEmpty ? "the end" : MessageText.text(there),
      expected: expected, "the form is fixed")
  }

  /// Reports how a text differs from what its values are written as.
  package func checkForm(
    _ file: String, _ text: [UInt8], _ tree: JSONTree, _ written: Span<UInt8>, _ expected: JSONTree
  ) {
    guard !text.span.isEqual(to: written), !compare(file, tree, expected, "the form is fixed") else { return }
    let written = [UInt8](written)
    let offset = zip(text, written).prefix { $0 == $1 }.count
    tell(file, text, at: offset, expected: MessageText.text(written[offset...]))
  }

  /// Reports the keys whose values differ; returns whether any do.
  package func compare(_ file: String, _ found: JSONTree, _ expected: JSONTree, _ reason: String) -> Bool {
    let found = Dictionary(JSONEntry.all(found)) { first, _ in first }
    let expected = JSONEntry.all(expected)
    let before = count
    func add(_ key: String, expected: [UInt8]? = nil, _ reason: String) {
      self.add(
        file, field: MessageText.text(key.utf8), found: found[key].map { ShownField.figure($0) } ?? "missing",
        expected: expected.map { ShownField.figure($0) }, reason)
    }
    for (key, value) in expected where found[key] != value { add(key, expected: value, reason) }
    for key in Set(found.keys).subtracting(expected.map(\.key)).sorted() { add(key, "no such key; \(reason)") }
    return count > before
  }
}

/// The values of a JSON tree, one by one.
private enum JSONEntry {
  /// Every value by its key with dots: `records.settled`, `totals.USD.fees`, `files[0].name`.
  static func all(_ tree: JSONTree, _ key: String = "") -> [(key: String, value: [UInt8])] {
    switch tree {
    case .object(let fields):
      let prefix = key.isEmpty ? "" : key + "."
      return fields.flatMap { all($0.value, prefix + String(decoding: $0.name, as: UTF8.self)) }
    case .array(let elements):
      return elements.enumerated().flatMap { place, element in
        // A currency may have several files, and a row for each state.
        let currency = element["name"] == nil ? element[TotalsReport.Column.currency.key]?.string : nil
        let state = element["state"]?.string.map { ".\($0)" } ?? ""
        return all(element, key + (currency.map { ".\($0)\(state)" } ?? "[\(place)]"))
      }
    case .string(let characters): return [(key, characters)]
    case .number(let digits): return [(key, digits)]
    case .boolean(let value): return [(key, Array("\(value)".utf8))]
    case .null: return [(key, Array("null".utf8))]
    }
  }
}
