import ExactArithmetic
import Input
import JSON
import Money

/// The fields of a header or trailer line.
struct EnvelopeFields {
  private let fields: [(name: [UInt8], value: JSONTree)]
  private let code: BatchErrorCode
  private let place: BatchEnvelope.Place

  init(_ text: [UInt8], hasDuplicateField: Bool, code: BatchErrorCode, place: BatchEnvelope.Place) throws(BatchError) {
    guard case .object(let fields)? = try? JSONTree(parsing: text) else {
      preconditionFailure("a header or trailer that the record scanner accepted is no JSON object")
    }
    self.fields = fields
    self.code = code
    self.place = place
    if hasDuplicateField {
      throw BatchError(code, "a field stands twice in one object", file: place.file, line: place.line)
    }
  }

  /// A field's value; nil if it is absent or null.
  subscript(name: String) -> JSONTree? {
    guard let value = fields.first(where: { $0.name.elementsEqual(name.utf8) })?.value else { return nil }
    if case .null = value { return nil }
    return value
  }

  func invalid(_ name: String, _ expected: String) -> BatchError {
    BatchError(
      code, self[name] == nil ? "\(name) is missing; \(expected)" : "\(name) is not valid; \(expected)",
      file: place.file, line: place.line)
  }

  /// Sums of the trailer by `Currency.index`; nil if a currency is left out.
  func totals(_ field: String) throws(BatchError) -> [ExactDecimal?] {
    let expected = "expected an object of currency codes with amounts of zero or more"
    guard case .object(let entries) = self[field] else { throw invalid(field, expected) }
    var totals = [ExactDecimal?](repeating: nil, count: Currency.count)
    var seen: Set<[UInt8]> = []
    for (name, value) in entries {
      guard seen.insert(name).inserted else { throw invalid(field, "a currency is given twice") }
      if case .null = value { continue }
      guard let currency = name.withUnsafeBufferPointer({ Currency.find($0) }) else {
        throw invalid(field, "expected only codes that settle currencies lists")
      }
      guard let total = Self.amount(value, currency: currency) else {
        throw invalid(field, "expected an amount of zero or more for \(currency.code)")
      }
      totals[Int(currency.index)] = total
    }
    return totals
  }

  private static func amount(_ value: JSONTree, currency: Currency) -> ExactDecimal? {
    guard let amount = value.decimal(digitLimit: DecimalLimits.totalDigits), amount.isZero || !amount.isNegative
    else { return nil }
    return amount.exact(at: -currency.settlementExponent)
  }
}
