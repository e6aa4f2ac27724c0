import ExactArithmetic
import Money
import Records
import Text

/// A row of a CSV report, split at its commas.
package struct ReportRow {
  /// The most columns that are split.
  private static let mostColumns =
    (ReportKind.allCases.map(\.columns.count) + AnswerReport.allCases.map(\.columns.count)).max()!

  private var line: [UInt8] = []
  /// Where the fields are in the line. If a row has too many, only one more than the widest report has.
  private var places: [Range<Int>] = []

  /// An empty row, to be split into.
  package init() {}

  /// The number of its fields.
  package var count: Int { places.count }

  /// A field as written, with quotes.
  package subscript(place: Int) -> Span<UInt8> {
    @inline(__always) @_lifetime(borrow self) get { line.span.extracting(places[place]) }
  }

  /// A field as written, with quotes.
  package subscript(column: some ReportColumn) -> Span<UInt8> {
    @inline(__always) @_lifetime(borrow self) get { self[column.place] }
  }

  /// A copy of a field as written, with quotes.
  package func bytes(_ column: some ReportColumn) -> [UInt8] { [UInt8](self[column]) }

  /// A field as written, with quotes, as a string.
  package func text(_ column: some ReportColumn) -> String { String(decoding: self[column]) }

  /// Copies a line and splits it. A comma within quotes is not a separator.
  package mutating func split(_ line: Span<UInt8>) {
    places.removeAll(keepingCapacity: true)
    self.line.removeAll(keepingCapacity: true)
    self.line.append(line)
    var start = 0
    var isQuoted = false
    for place in line.indices {
      let byte = line[place]
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard byte == UInt8(ascii: ","), !isQuoted else { continue }
      places.append(start..<place)
      if places.count > Self.mostColumns { return }
      start = place + 1
    }
    places.append(start..<line.count)
  }
}

/// Why a row of a report is not valid.
package struct RowFault: Error {
  /// The name of the column.
  package let column: String
  package let place: Int
  /// What is wrong, in words; it contains no text of the row.
  package let reason: String

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
  package static func amount(_ field: Span<UInt8>, _ currency: Currency) -> ExactDecimal? {
    guard !field.isEmpty else { return nil }
    let literal = DecimalLiteral.scan(field, digitLimit: mostDigits, exponentLimit: 0)
    let decimals = currency.settlementExponent
    guard literal.form != .malformed, Int(literal.exponent) == -decimals, !(literal.isZero && literal.isNegative)
    else { return nil }
    // An exponent would put the decimal point at another place.
    if decimals > 0 {
      guard field[field.count - decimals - 1] == UInt8(ascii: ".") else { return nil }
    } else {
      guard field.allSatisfy({ $0 | 0x20 != UInt8(ascii: "e") }) else { return nil }
    }
    return literal.decimal(text: field)
  }

  /// A whole number from 0, without leading zeros.
  package static func count(_ field: Span<UInt8>) -> Int? {
    guard field.count <= 18, let number = Int(String(decoding: field)), number >= 0 else { return nil }
    return field.isEqual(to: "\(number)".utf8Span.span) ? number : nil
  }

  package static func isPayKey(_ field: Span<UInt8>) -> Bool { PayKey.isValid(field) }

  /// A kind of payment, by its name in reports.
  package static func kind(_ field: Span<UInt8>) -> PaymentKind? { kinds.first { `is`($0.name, field) } }

  /// The role of a party, by its name in reports.
  package static func role(_ field: Span<UInt8>) -> PartyRole? { roles.first { `is`($0.name, field) } }

  /// Whether a field is a text, byte by byte.
  package static func `is`(_ text: StaticString, _ field: Span<UInt8>) -> Bool { text.matches(field) }

  /// A field that may need quotes, without them; nil if it is not quoted exactly as the reports quote it.
  package static func unquoted(_ field: Span<UInt8>) -> [UInt8]? {
    let quote = UInt8(ascii: "\"")
    guard field.place(of: quote) != nil else { return [UInt8](field) }
    var text: [UInt8] = []
    var isFirstOfTwo = false
    for place in field.indices.dropFirst().dropLast() {
      let byte = field[place]
      isFirstOfTwo = byte == quote && !isFirstOfTwo
      if !isFirstOfTwo { text.append(byte) }
    }
    var written = TextBuffer()
    CSV.append(text.span, to: &written)
    return field.isEqual(to: written.span) ? text : nil
  }
}
