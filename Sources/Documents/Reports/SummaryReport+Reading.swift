import FileSystem
import JSON
import Records
import Rules
import Text

extension SummaryReport {
  /// What is wrong with a JSON text that is not a summary.
  public struct Fault: Error {
    /// The key, with dots.
    public let key: String
    /// Its value, which no run writes, or nil.
    public let found: JSONTree?
  }

  /// Reads a summary from its JSON value.
  ///
  /// Spaces, the order of keys, and keys that a summary does not have are ignored: `write(to:)` reveals such
  /// differences.
  public init(_ tree: JSONTree) throws(Fault) {
    func value<Value>(_ key: String, _ read: (JSONTree) -> Value?) throws(Fault) -> Value {
      let there = key.split(separator: ".").reduce(tree as JSONTree?) { $0?[String($1)] }
      guard let value = there.flatMap(read) else { throw Fault(key: key, found: there) }
      return value
    }
    func counts(_ key: String, _ codes: [StaticString]) throws(Fault) -> CodeCounts {
      let codes = Set(codes.map(\.description))
      var counts: [String: Int] = [:]
      for (code, count) in try value(key, \.fields) {
        // Keep the known spelling: strings with other bytes may compare as equal.
        guard let place = codes.firstIndex(of: code), let number = count.count else {
          throw Fault(key: "\(key).\(code)", found: count)
        }
        counts[codes[place]] = number
      }
      return Self.sorted(counts.map { ($0, $1) })
    }
    version = try value("engine.version") { $0.string.flatMap(Self.identifier) }
    batchID = try value("batch.id") { id -> String?? in
      if case .null = id { return .some(nil) }
      return id.string.flatMap(Self.identifier).map { .some($0) }
    }
    controlTotals = try value("batch.controlTotals") { $0.string.flatMap(ControlTotalsState.init) }
    files = try value("batch.files") { Self.all($0.elements, Self.file).flatMap { $0.isEmpty ? nil : $0 } }
    day = tree["day"] == nil ? nil : .some(try value("day", Self.day))
    rules = tree["rules"] == nil ? nil : try value("rules", RuleValues.init)
    var records: [Int] = []
    for count in Count.allCases { records.append(try value("records.\(count.key)", \.count)) }
    self.records = records
    errors = try counts("errors", RejectionReason.allCases.map(\.code))
    notices = try counts("notices", Notice.allCases.map(\.code))
    totals = try value("totals") { Self.all($0.elements, Self.total) }
    fees = tree["fees"] == nil ? nil : .some(try value("fees") { Self.all($0.elements, Fees.init) })
  }

  /// The values of all elements; nil if one element has no value.
  private static func all<Value>(_ elements: [JSONTree]?, _ read: (JSONTree) -> Value?) -> [Value]? {
    let values = elements?.compactMap(read)
    return values?.count == elements?.count ? values : nil
  }

  private static func identifier(_ text: String) -> String? {
    BatchIdentifier.isValid(Array(text.utf8).span) ? text : nil
  }

  /// The day, nil within for `null`; nil if the value is neither.
  private static func day(_ tree: JSONTree) -> CalendarDay?? {
    if case .null = tree { return .some(nil) }
    return tree.string.flatMap { CalendarDay($0) }.map { .some($0) }
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
