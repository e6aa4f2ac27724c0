import ExactArithmetic
import Failures
import JSON
import Money
import Text

/// The fields of a header or trailer line.
struct EnvelopeFields {
  private let fields: [(name: [UInt8], value: JSONTree)]
  private let code: BatchErrorCode
  private let place: BatchEnvelope.Place

  init(_ text: [UInt8], hasDuplicateField: Bool, code: BatchErrorCode, place: BatchEnvelope.Place) throws(BatchError) {
    guard case .object(let fields)? = try? JSONTree(parsing: text) else {
      preconditionFailure("a header or trailer that the record scanner accepted is not a JSON object")
    }
    self.fields = fields
    self.code = code
    self.place = place
    if hasDuplicateField {
      throw BatchError(code, "a field is given twice in one object", file: place.file, line: place.line)
    }
  }

  /// A field's value; nil if it is absent or null.
  subscript(name: String) -> JSONTree? {
    guard let value = fields.first(where: { $0.name.elementsEqual(name.utf8) })?.value else { return nil }
    if case .null = value { return nil }
    return value
  }

  /// The error for a field, showing its value or `found`, a value inside it.
  func invalid(_ name: String, _ expected: String, found: JSONTree? = nil) -> BatchError {
    let found = (found ?? self[name]).map { "is \($0.shown)" } ?? "is missing"
    return BatchError(code, "\(name) \(found); expected \(expected)", file: place.file, line: place.line)
  }

  /// A trailer field's sums, by `Currency.index`; nil for currencies that it does not list.
  func totals(_ field: String) throws(BatchError) -> [ExactDecimal?] {
    let expected = "an object of currency codes with amounts of zero or more"
    guard case .object(let entries) = self[field] else { throw invalid(field, expected) }
    var totals = [ExactDecimal?](repeating: nil, count: Currency.count)
    var seen: Set<[UInt8]> = []
    for (name, value) in entries {
      guard seen.insert(name).inserted else { throw twice(field, name) }
      if case .null = value { continue }
      guard let currency = Currency.find(name.span) else {
        throw invalid("a currency of \(field)", "a code that settle currencies lists", found: .string(name))
      }
      guard let total = Self.amount(value, currency: currency) else {
        throw invalid(
          "\(currency.code) of \(field)", "an amount of zero or more; \(currency.decimalsTaken)", found: value)
      }
      totals[Int(currency.index)] = total
    }
    return totals
  }

  private func twice(_ field: String, _ name: [UInt8]) -> BatchError {
    BatchError(
      code, "\(field) has \(MessageText.quoted(name)) twice; expected each currency once", file: place.file,
      line: place.line)
  }

  private static func amount(_ value: JSONTree, currency: Currency) -> ExactDecimal? {
    guard let amount = value.decimal(digitLimit: DecimalLimits.totalDigits), amount.isZero || !amount.isNegative
    else { return nil }
    return amount.exact(at: -currency.settlementExponent)
  }
}
