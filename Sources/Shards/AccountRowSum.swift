import BatchRun
import ExactArithmetic
import Glibc
import Money
import Reports
import Text

/// Adds up adjacent rows of one account and currency, in the form of `receivers.csv`. An account with no payments and
/// refunds left gets no row.
///
/// The rows come from files that other machines wrote, so their values are read from text: each by its column's name.
/// Only account and currency, by which `receivers.csv` is sorted, are known by their place.
struct AccountRowSum: ~Copyable {
  private typealias Column = ReceiversReport.Column

  /// The rows that are done.
  private(set) var text = TextBuffer(capacity: 1 << 16)
  /// What these rows pay.
  private(set) var payouts = ReceiverPayouts()
  /// How many accounts and currencies have a payment.
  private(set) var paid = 0
  private let keepsPayouts: Bool
  /// The first row of the account and currency.
  private var row = TextBuffer(capacity: 256)
  /// The length of the row's account and currency.
  private var keyLength = 0
  private var isOpen = false
  /// The payout of the first row, if payouts are kept.
  private var payout: (currency: Currency, amount: ExactDecimal)?
  /// The sums of the account and currency, from the second row on.
  private var figures: Figures?

  private struct Figures {
    var payments = 0
    var gross: ExactDecimal
    var passedOn: ExactDecimal
    var fee: ExactDecimal
    var refunds = 0
    var refundNet: ExactDecimal

    var net: ExactDecimal { gross - passedOn - fee }
    var payout: ExactDecimal { net + refundNet }

    mutating func add(_ other: Figures) {
      payments += other.payments
      gross.add(other.gross)
      passedOn.add(other.passedOn)
      fee.add(other.fee)
      refunds += other.refunds
      refundNet.add(other.refundNet)
    }
  }

  /// - Parameter keepsPayouts: whether the rows' payouts are kept, too.
  init(keepsPayouts: Bool = false) { self.keepsPayouts = keepsPayouts }

  /// Whether enough rows are done to be written.
  var hasText: Bool { text.count > 1 << 15 }

  /// Forgets the rows that are done, if they are many.
  mutating func clearText() {
    guard hasText else { return }
    text.removeAll()
    payouts.removeAll()
  }

  /// Takes the next row; false if it is malformed.
  mutating func take(_ next: SortedRow) -> Bool {
    let start = next.bytes + next.keyLength
    guard next.count > next.keyLength + 5, start[0] == 0x2C, start[4] == 0x2C else { return false }
    let length = next.keyLength + 4
    if isOpen, length == keyLength, memcmp(row.bytes, next.bytes, length) == 0 {
      guard let more = Self.figures(next.bytes, next.count) else { return false }
      if figures == nil { figures = Self.figures(row.bytes, row.count) }
      guard figures != nil else { return false }
      figures?.add(more)
      return true
    }
    finish()
    row.removeAll()
    row.append(next.bytes, count: next.count)
    (keyLength, isOpen) = (length, true)
    // Rows without payments, or with some taken out, may come to nothing.
    if let first = Self.field(.payments, row.bytes, row.count)?.first, first == 0x30 || first == 0x2D {
      figures = Self.figures(row.bytes, row.count)
      if figures == nil { return false }
    }
    guard keepsPayouts else { return true }
    payout = Self.payout(row.bytes, row.count)
    return payout != nil
  }

  /// Ends the last row.
  mutating func finish() {
    guard isOpen else { return }
    isOpen = false
    defer { (figures, payout) = (nil, nil) }
    guard let figures else {
      paid += 1
      text.append(row.bytes, count: row.count)
      text.append("\n")
      return keep(payout?.amount)
    }
    guard figures.payments != 0 || figures.refunds != 0 else { return }
    if figures.payments > 0 { paid += 1 }
    append(figures)
    keep(figures.payout)
  }

  private mutating func keep(_ amount: ExactDecimal?) {
    guard let amount, let currency = payout?.currency else { return }
    payouts.append(UnsafeBufferPointer(start: row.bytes, count: keyLength - 4), currency, amount)
  }

  private mutating func append(_ figures: Figures) {
    for column in Column.allCases {
      if column != .account { text.append(",") }
      switch column {
      case .account: text.append(row.bytes, count: keyLength - 4)
      case .currency: text.append(row.bytes + keyLength - 3, count: 3)
      case .payments: text.append(number: figures.payments)
      case .gross: text.append(figures.gross)
      case .passedOn: text.append(figures.passedOn)
      case .fee: text.append(figures.fee)
      case .net: text.append(figures.net)
      case .refunds: text.append(number: figures.refunds)
      case .refundNet: text.append(figures.refundNet)
      case .payout: text.append(figures.payout)
      }
    }
    text.append("\n")
  }

  // MARK: The fields of a row

  /// The field of a column; nil if the row ends before it.
  private static func field(
    _ column: Column, _ row: UnsafePointer<UInt8>, _ count: Int
  ) -> UnsafeBufferPointer<UInt8>? {
    var start = row
    let end = row + count
    for _ in 0..<column.place {
      guard let comma = memchr(start, 0x2C, end - start) else { return nil }
      start = UnsafePointer(comma.assumingMemoryBound(to: UInt8.self)) + 1
    }
    let comma = memchr(start, 0x2C, end - start)?.assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(start: start, count: (comma.map { UnsafePointer($0) } ?? end) - start)
  }

  private static func currency(_ row: UnsafePointer<UInt8>, _ count: Int) -> Currency? {
    field(.currency, row, count).flatMap { Currency.find($0.span) }
  }

  /// An amount with exactly the currency's decimals.
  private static func amount(
    _ column: Column, _ currency: Currency, _ row: UnsafePointer<UInt8>, _ count: Int
  ) -> ExactDecimal? {
    guard let field = field(column, row, count) else { return nil }
    let literal = DecimalLiteral.scan(field.span, digitLimit: ExactDecimalLimits.maximumDigits, exponentLimit: 0)
    guard literal.form != .malformed else { return nil }
    let amount = literal.decimal(text: field.span)
    return amount.exponent == -currency.settlementExponent ? amount : nil
  }

  private static func figures(_ row: UnsafePointer<UInt8>, _ count: Int) -> Figures? {
    func number(_ column: Column) -> Int? {
      field(column, row, count).flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    }
    guard let currency = currency(row, count), let payments = number(.payments), let refunds = number(.refunds),
      let gross = amount(.gross, currency, row, count), let passedOn = amount(.passedOn, currency, row, count),
      let fee = amount(.fee, currency, row, count), let refundNet = amount(.refundNet, currency, row, count)
    else { return nil }
    return Figures(
      payments: payments, gross: gross, passedOn: passedOn, fee: fee, refunds: refunds, refundNet: refundNet)
  }

  private static func payout(
    _ row: UnsafePointer<UInt8>, _ count: Int
  ) -> (currency: Currency, amount: ExactDecimal)? {
    guard let currency = currency(row, count), let amount = amount(.payout, currency, row, count) else { return nil }
    return (currency, amount)
  }
}
