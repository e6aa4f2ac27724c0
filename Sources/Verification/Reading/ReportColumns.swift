import ExactArithmetic
import Money
import Payments
import Reports
import Settlement

/// The columns of a CSV report, as its header names them.
package struct ReportColumns {
  /// The name of the report's file.
  package let file: String
  let header: StaticString
  /// The columns' names, in their order.
  package let names: [String]

  init(_ file: String, header: StaticString) {
    self.file = file
    self.header = header
    names = header.description.dropLast().split(separator: ",").map(String.init)
  }

  /// Those of `settlement.csv`.
  package static let settlement = ReportColumns(SettlementReport.fileName, header: SettlementReport.header)
  /// Those of `receivers.csv`.
  package static let receivers = ReportColumns(ReceiversReport.fileName, header: ReceiversReport.header)
  /// Those of `totals.csv`.
  package static let totals = ReportColumns(TotalsReport.fileName, header: TotalsReport.header)
  /// Those of `control.csv`.
  package static let control = ReportColumns(ControlReport.fileName, header: ControlReport.header)
  /// Those of `exceptions.csv`.
  package static let exceptions = ReportColumns(ExceptionsReport.fileName, header: ExceptionsReport.header)
}

/// A row of a CSV report, split at its commas; good until its line is.
package struct ReportRow: ~Copyable {
  /// The most columns that are told apart; no report has more.
  static let mostColumns = 12

  private let starts: UnsafeMutablePointer<UnsafePointer<UInt8>>
  private let lengths: UnsafeMutablePointer<Int>
  /// The number of columns, more than `mostColumns` counted as one more.
  package private(set) var count = 0
  /// Whether a field is in quotes, or has a quote in it.
  private(set) var hasQuotes = false

  /// Room for a row; there is none in it yet.
  package init() {
    starts = .allocate(capacity: Self.mostColumns + 1)
    lengths = .allocate(capacity: Self.mostColumns + 1)
  }

  deinit {
    starts.deallocate()
    lengths.deallocate()
  }

  /// A field as it stands, its quotes included.
  package subscript(column: Int) -> UnsafeBufferPointer<UInt8> {
    assert(column < count)
    return UnsafeBufferPointer(start: starts[column], count: lengths[column])
  }

  /// Splits a line; a comma within quotes divides nothing.
  package mutating func split(_ line: UnsafePointer<UInt8>, count length: Int) {
    count = 0
    hasQuotes = false
    var start = line
    var at = line
    let end = line + length
    while at < end {
      let byte = at.pointee
      if byte == UInt8(ascii: ",") {
        add(start, at)
        if count > Self.mostColumns { return }
        start = at + 1
      } else if byte == UInt8(ascii: "\"") {
        hasQuotes = true
        at += 1
        // Up to the closing quote; a doubled one closes and opens again.
        while at < end, at.pointee != UInt8(ascii: "\"") { at += 1 }
        if at == end { break }
      }
      at += 1
    }
    add(start, end)
  }

  private mutating func add(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
    starts[count] = start
    lengths[count] = end - start
    count += 1
  }
}

/// Fields of a report, read as strictly as the report writes them: each value has one form.
package enum ReportField {
  /// The most digits of an amount. The largest that can come about are far below: 128 for one, ten more for a billion.
  static let mostDigits = 256

  /// An amount with exactly the currency's decimals; never `-0`.
  @inline(__always)
  package static func amount(_ field: UnsafeBufferPointer<UInt8>, _ currency: Currency) -> ExactDecimal? {
    guard let bytes = field.baseAddress, !field.isEmpty else { return nil }
    let literal = DecimalLiteral.scan(bytes, count: field.count, digitLimit: mostDigits, exponentLimit: 0)
    let decimals = currency.settlementExponent
    guard literal.form != .malformed, Int(literal.exponent) == -decimals, !(literal.isZero && literal.isNegative)
    else { return nil }
    // An exponent mark gives itself away: the last of the digits stands where it has to, or it does not.
    if decimals > 0 {
      guard bytes[field.count - decimals - 1] == UInt8(ascii: ".") else { return nil }
    } else {
      for byte in field where byte | 0x20 == UInt8(ascii: "e") { return nil }
    }
    return literal.decimal(text: bytes, count: field.count)
  }

  /// A whole number from 0, without leading zeros.
  package static func count(_ field: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !field.isEmpty, field.count <= 18, field[0] != UInt8(ascii: "0") || field.count == 1 else { return nil }
    var number = 0
    for byte in field {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return number
  }

  /// A pay key.
  static func isPayKey(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = field.baseAddress else { return false }
    return PayKey.isValid(start, count: field.count)
  }

  /// A currency.
  package static func currency(_ field: UnsafeBufferPointer<UInt8>) -> Currency? { Currency.find(field) }

  /// A kind of payment, by its name in reports.
  static func kind(_ field: UnsafeBufferPointer<UInt8>) -> PaymentKind? {
    guard let start = field.baseAddress else { return nil }
    if PaymentKind.simple.name.matches(start, count: field.count) { return .simple }
    if PaymentKind.parallel.name.matches(start, count: field.count) { return .parallel }
    return PaymentKind.chained.name.matches(start, count: field.count) ? .chained : nil
  }

  /// The role of a party, by its name in reports.
  static func role(_ field: UnsafeBufferPointer<UInt8>) -> PartyRole? {
    guard let start = field.baseAddress else { return nil }
    if PartyRole.receiver.name.matches(start, count: field.count) { return .receiver }
    if PartyRole.sender.name.matches(start, count: field.count) { return .sender }
    if PartyRole.secondary.name.matches(start, count: field.count) { return .secondary }
    return PartyRole.primary.name.matches(start, count: field.count) ? .primary : nil
  }
}
