import ExactArithmetic
import Money
import Records
import Reports
import Text

/// A row of a CSV report, split at its commas; valid as long as its line is.
package struct ReportRow {
  /// The most columns that are split.
  private static let mostColumns = ReportKind.allCases.map(\.columns.count).max() ?? 0

  /// The fields as written, with quotes. If a row has too many, only one more than the widest report has.
  package private(set) var fields: [UnsafeBufferPointer<UInt8>] = []

  /// An empty row, to be split into.
  package init() {}

  /// A field as written, with quotes.
  @inline(__always)
  package subscript(column: some ReportColumn) -> UnsafeBufferPointer<UInt8> { fields[column.place] }

  /// Splits a line. A comma within quotes is not a separator.
  package mutating func split(_ line: UnsafeBufferPointer<UInt8>) {
    fields.removeAll(keepingCapacity: true)
    var start = 0
    var isQuoted = false
    for (place, byte) in line.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard byte == UInt8(ascii: ","), !isQuoted else { continue }
      fields.append(UnsafeBufferPointer(rebasing: line[start..<place]))
      if fields.count > Self.mostColumns { return }
      start = place + 1
    }
    fields.append(UnsafeBufferPointer(rebasing: line[start...]))
  }
}

/// Why a row of a report is not valid.
package struct RowFault: Error {
  /// The name of the column.
  let column: String
  let place: Int
  /// What is wrong, in words; it contains no text of the row.
  let reason: String

  package init(_ column: some ReportColumn, _ reason: String) {
    self.init(column.name, at: column.place, reason)
  }

  /// A fault in a column, given by its name and place.
  package init(_ column: String, at place: Int, _ reason: String) {
    (self.column, self.place, self.reason) = (column, place, reason)
  }
}

/// Fields of a report, read as strictly as the report writes them: each value has one form.
package enum ReportField {
  /// The most digits of an amount. The largest possible ones are far shorter: 128 for one, ten more for a billion.
  static let mostDigits = 256

  private static let kinds = PaymentKind.allCases
  private static let roles = PartyRole.allCases

  /// An amount with exactly the currency's decimals; never `-0`.
  @inline(__always)
  package static func amount(_ field: UnsafeBufferPointer<UInt8>, _ currency: Currency) -> ExactDecimal? {
    guard !field.isEmpty else { return nil }
    let literal = DecimalLiteral.scan(field.span, digitLimit: mostDigits, exponentLimit: 0)
    let decimals = currency.settlementExponent
    guard literal.form != .malformed, Int(literal.exponent) == -decimals, !(literal.isZero && literal.isNegative)
    else { return nil }
    // An exponent would put the decimal point at another place.
    if decimals > 0 {
      guard field[field.count - decimals - 1] == UInt8(ascii: ".") else { return nil }
    } else {
      for byte in field where byte | 0x20 == UInt8(ascii: "e") { return nil }
    }
    return literal.decimal(text: field.span)
  }

  /// A whole number from 0, without leading zeros.
  package static func count(_ field: UnsafeBufferPointer<UInt8>) -> Int? {
    guard field.count <= 18, let number = Int(String(decoding: field, as: UTF8.self)), number >= 0 else { return nil }
    return field.elementsEqual("\(number)".utf8) ? number : nil
  }

  static func isPayKey(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
    PayKey.isValid(field.span)
  }

  /// A kind of payment, by its name in reports.
  static func kind(_ field: UnsafeBufferPointer<UInt8>) -> PaymentKind? { kinds.first { `is`($0.name, field) } }

  /// The role of a party, by its name in reports.
  static func role(_ field: UnsafeBufferPointer<UInt8>) -> PartyRole? { roles.first { `is`($0.name, field) } }

  /// Whether a field is a text, byte by byte.
  static func `is`(_ text: StaticString, _ field: UnsafeBufferPointer<UInt8>) -> Bool {
    text.matches(field.span)
  }

  /// A field that may need quotes, without them; nil if it is not quoted exactly as the reports quote it.
  package static func unquoted(_ field: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    let quote = UInt8(ascii: "\"")
    guard field.contains(quote) else { return Array(field) }
    var text: [UInt8] = []
    var isFirstOfTwo = false
    for byte in field.dropFirst().dropLast() {
      isFirstOfTwo = byte == quote && !isFirstOfTwo
      if !isFirstOfTwo { text.append(byte) }
    }
    var written = TextBuffer()
    CSV.append(text.span, to: &written)
    return field.span.isEqual(to: written.span) ? text : nil
  }
}
