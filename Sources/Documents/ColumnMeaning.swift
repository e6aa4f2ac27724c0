import JSON
import Money

/// The contents of a column's fields.
public struct ColumnMeaning: Sendable {
  /// The form of a field.
  public enum Content: Sendable, Equatable {
    /// Text, also if it looks like a number: keys, accounts, names, messages.
    case text
    /// A whole number, zero or more: a count, a place, the number of an error.
    case integer
    /// An amount of money: a decimal number with exactly its currency's decimals, up to hundreds of digits.
    case amount
    /// One of these words.
    case code([String])
  }

  /// The form of its fields.
  public let content: Content
  /// Whether a field may be empty.
  let isOptional: Bool
  /// What the field means, in words.
  public let text: String

  init(_ content: Content, _ text: String, isOptional: Bool = false) {
    (self.content, self.isOptional, self.text) = (content, isOptional, text)
  }

  /// The currency codes, in their order.
  static let currencies = Content.code(Currency.all.map(\.code.description))
}

extension ReportKind {
  /// A Frictionless Data Package that describes the CSV files of a directory of reports, for programs that load them.
  ///
  /// It describes amounts as XML Schema decimals (`rdfType`), and keys and accounts as strings.
  ///
  /// - Parameter showsNames: whether the directory is of a night that shows the names of fees.
  public static func dataPackage(version: String, showsNames: Bool) -> JSONTree {
    ColumnMeaning.dataPackage(
      "settle-reports", "The reports of a settled batch", version: version,
      all(showsNames: showsNames).filter { !$0.columns.isEmpty }.map(\.resource))
  }

  private var resource: JSONTree {
    // If rows are sorted by columns, no two rows have the same values there.
    ColumnMeaning.resource(
      fileName, columns, meanings, key: columns.prefix(sortColumns), currencies: currenciesReport?.fileName)
  }

  /// The report that has a row for each currency of this one, or nil.
  private var currenciesReport: ReportKind? {
    switch self {
    case .fees, .receivers, .settlement: .totals
    case .exceptions: .control
    default: nil
    }
  }
}

extension PayoutReport {
  /// The same for the CSV files of a payout's directory.
  public static func dataPackage(version: String, hasTerms: Bool) -> JSONTree {
    let carriedColumns = CarriedReport.columns(hasTerms: hasTerms)
    return ColumnMeaning.dataPackage(
      "settle-payout", "A payout", version: version,
      [
        ColumnMeaning.resource(payouts.fileName, payouts.columns, payouts.meanings, key: ["reference"]),
        ColumnMeaning.resource(
          carried.fileName, carriedColumns.map(\.name), carriedColumns.map(\.meaning), key: ["account", "currency"]),
        ColumnMeaning.resource(returned.fileName, returned.columns, returned.meanings, key: ["reference"]),
        ColumnMeaning.resource(adjusted.fileName, adjusted.columns, adjusted.meanings, key: ["key"]),
      ])
  }
}

extension ColumnMeaning {
  fileprivate static func dataPackage(
    _ name: String, _ title: String, version: String, _ resources: [JSONTree]
  ) -> JSONTree {
    [
      "$schema": .string("https://datapackage.org/profiles/2.0/datapackage.json"), "name": .string(name),
      "title": .string(title), "version": .string(version), "resources": .array(resources),
    ]
  }

  /// - Parameter currencies: the file that has a row for each currency of this one, or nil.
  fileprivate static func resource(
    _ file: String, _ columns: [String], _ meanings: [ColumnMeaning], key: ArraySlice<String>, currencies: String? = nil
  ) -> JSONTree {
    var schema: [(String, JSONTree)] = [
      ("fields", .array(zip(columns, meanings).map(Self.field))), ("missingValues", .array([.string("")])),
    ]
    if !key.isEmpty { schema.append(("primaryKey", .array(key.map { .string($0) }))) }
    func name(_ file: String) -> JSONTree { .string(String(file.prefix { $0 != "." })) }
    if let currencies {
      let currency = JSONTree.array([.string("currency")])
      let reference: JSONTree = ["resource": name(currencies), "fields": currency]
      schema.append(("foreignKeys", .array([["fields": currency, "reference": reference]])))
    }
    return [
      "name": name(file), "path": .string(file), "type": .string("table"), "format": .string("csv"),
      "mediatype": .string("text/csv"), "encoding": .string("utf-8"), "schema": .object(schema),
    ]
  }

  private static func field(_ name: String, _ meaning: ColumnMeaning) -> JSONTree {
    var field: [(String, JSONTree)] = [("name", .string(name)), ("description", .string(meaning.text))]
    var constraints: [(String, JSONTree)] = meaning.isOptional ? [] : [("required", .boolean(true))]
    switch meaning.content {
    case .text: field.append(("type", .string("string")))
    case .integer:
      field.append(("type", .string("integer")))
      constraints.append(("minimum", .number(0)))
    case .amount:
      field += [
        ("type", .string("number")), ("rdfType", .string("http://www.w3.org/2001/XMLSchema#decimal")),
      ]
    case .code(let words):
      field.append(("type", .string("string")))
      constraints.append(("enum", .array(words.map { .string($0) })))
    }
    if !constraints.isEmpty { field.append(("constraints", .object(constraints))) }
    return .object(field)
  }
}
