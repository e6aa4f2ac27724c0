import FileSystem
import JSON
import Records
import Rules
import Text

/// Its keys and values, in their order.
///
/// Spaces, the order of keys, and keys that a summary does not have are ignored when it is read: `write(to:)` reveals
/// such differences.
extension SummaryReport: JSONObject {
  package static var fields: [JSONField<Self>] {
    [
      .init(
        "engine",
        [.init("name", constant: "settle"), .init(text: "version", \.version, "a version", { $0 }, identifier)]),
      .init("batch", [batchID, .init(named: "controlTotals", \.controlTotals), inputs]), batchDay,
      JSONField("rules") {
        $0.rules?.tree
      } read: { (summary, node) throws(JSONFault) in
        summary.rules = try node.given?.value("rules", RuleValues.init)
      }, .init("records", Count.allCases.map { .init(count: $0.key, \.records[$0.place]) }),
      codes("errors", \.errors, RejectionReason.allCases.map(\.code)),
      codes("notices", \.notices, Notice.allCases.map(\.code)), currencies,
      JSONField("fees") {
        $0.fees?.json
      } read: { (summary, node) throws(JSONFault) in
        summary.fees = try node.given?.value("fees") { all($0.elements) { try? Fees(reading: JSONNode($0)) } }
      },
    ]
  }

  private static var batchID: JSONField<Self> {
    JSONField("id") {
      $0.batchID.json
    } read: { (summary, node) throws(JSONFault) in
      if case .null? = node.found { return }
      summary.batchID = try node.value("an identifier") { $0.string.flatMap(identifier) }
    }
  }

  /// The batch's files.
  private static var inputs: JSONField<Self> {
    JSONField("files") {
      .array($0.files.map { ["name": $0.name.json, "bytes": $0.bytes.json, "sha256": $0.sha256.json] })
    } read: { (summary, node) throws(JSONFault) in
      summary.files = try node.value("files") { all($0.elements, file).flatMap { $0.isEmpty ? nil : $0 } }
    }
  }

  private static var batchDay: JSONField<Self> {
    JSONField("day") {
      $0.day.map { ($0?.text).json }
    } read: { (summary, node) throws(JSONFault) in
      guard node.found != nil else { return }
      summary.day = .some(node.isNull ? nil : try node.value("a day") { $0.string.flatMap { CalendarDay($0) } })
    }
  }

  /// Numbers by code.
  private static func codes(
    _ name: String, _ path: WritableKeyPath<Self, CodeCounts>, _ codes: [StaticString]
  ) -> JSONField<Self> {
    JSONField(name) {
      .object($0[keyPath: path].map { ($0.code, $0.count.json) })
    } read: { (summary, node) throws(JSONFault) in
      let codes = Set(codes.map(\.description))
      var counts: [String: Int] = [:]
      for (code, _) in try node.value("an object", \.fields) {
        // Keep the known spelling: strings with other bytes may compare as equal.
        guard let place = codes.firstIndex(of: code) else { throw node[code].unknown() }
        counts[codes[place]] = try node[code].value("a number", \.count)
      }
      summary[keyPath: path] = sorted(counts.map { ($0, $1) })
    }
  }

  private static var currencies: JSONField<Self> {
    JSONField("totals") { summary in
      .array(
        summary.totals.map { row in
          .object(
            zip(TotalsReport.Column.allCases, row).map { column, field in
              (column.key, column.meaning.content == .integer ? .number(Array(field.utf8)) : .string(field))
            })
        })
    } read: { (summary, node) throws(JSONFault) in
      summary.totals = try node.value("totals") { all($0.elements, total) }
    }
  }

  /// The values of all elements; nil if one element has no value.
  private static func all<Value>(_ elements: [JSONTree]?, _ read: (JSONTree) -> Value?) -> [Value]? {
    let values = elements?.compactMap(read)
    return values?.count == elements?.count ? values : nil
  }

  private static func identifier(_ text: String) -> String? {
    BatchIdentifier.isValid(Array(text.utf8).span) ? text : nil
  }

  private static func file(_ tree: JSONTree) -> StoredFile? {
    guard let name = tree["name"]?.string, name == MessageText.escapedName(Array(name.utf8)),
      let bytes = tree["bytes"]?.count, let sha256 = tree["sha256"]?.string, RuleValue.isDigest(sha256)
    else { return nil }
    return StoredFile(name: name, bytes: bytes, sha256: sha256)
  }

  private static func total(_ tree: JSONTree) -> [String]? {
    all(TotalsReport.Column.allCases.map { tree[$0.key] ?? .null }) { field in
      field.count.map { "\($0)" } ?? field.string
    }
  }
}

extension SummaryReport.Fees: JSONObject {
  package init() { self.init(currency: "", name: "", amounts: FeeSums.figures.map { _ in "" }) }

  package static var fields: [JSONField<Self>] {
    [.init("currency", \.currency), .init("name", \.name)]
      + FeeSums.figures.enumerated().map { place, figure in .init(figure.name, \.amounts[place]) }
  }
}
