import BatchRun
import ExactArithmetic
import Money
import Documents
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
  mutating func add(_ next: SortedRow) -> Bool {
    let (comma, length) = (UInt8(ascii: ","), next.keyLength + 4)
    guard next.text.count > length + 1, next.text[next.keyLength] == comma, next.text[length] == comma else {
      return false
    }
    if isOpen, length == keyLength,
      row.span.extracting(first: length).isEqual(to: next.text.extracting(first: length))
    {
      guard let more = Self.figures(next.text) else { return false }
      if figures == nil { figures = Self.figures(row.span) }
      guard figures != nil else { return false }
      figures?.add(more)
      return true
    }
    finish()
    row.removeAll()
    row.append(next.text)
    (keyLength, isOpen) = (length, true)
    // Rows without payments, or with some taken out, may come to nothing.
    if let payments = Self.place(of: .payments, in: row.span),
      row[payments.lowerBound] == UInt8(ascii: "0")
        || row[payments.lowerBound] == UInt8(ascii: "-")
    {
      figures = Self.figures(row.span)
      if figures == nil { return false }
    }
    guard keepsPayouts else { return true }
    payout = Self.payout(row.span)
    return payout != nil
  }

  /// Ends the last row.
  mutating func finish() {
    guard isOpen else { return }
    isOpen = false
    defer { (figures, payout) = (nil, nil) }
    guard let figures else {
      paid += 1
      text.append(row)
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
    Self.keep(row, keyLength - 4, currency, amount, in: &payouts)
  }

  private static func keep(
    _ row: borrowing TextBuffer, _ length: Int, _ currency: Currency, _ amount: ExactDecimal,
    in payouts: inout ReceiverPayouts
  ) {
    payouts.append(row.span.extracting(first: length), currency, amount)
  }

  private mutating func append(_ figures: Figures) {
    for column in Column.allCases {
      if column != .account { text.append(",") }
      switch column {
      case .account: text.append(row, 0..<keyLength - 4)
      case .currency: text.append(row, keyLength - 3..<keyLength)
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

  /// Where the field of a column is; nil if the row ends before it.
  private static func place(of column: Column, in row: Span<UInt8>) -> Range<Int>? {
    var start = 0
    for _ in 0..<column.place {
      guard let comma = row.place(of: UInt8(ascii: ","), from: start) else { return nil }
      start = comma + 1
    }
    let end = row.place(of: UInt8(ascii: ","), from: start) ?? row.count
    return start == end ? nil : start..<end
  }

  private static func currency(_ row: Span<UInt8>) -> Currency? {
    place(of: .currency, in: row).flatMap { Currency.find(row.extracting($0)) }
  }

  /// An amount with exactly the currency's decimals.
  private static func amount(_ column: Column, _ currency: Currency, _ row: Span<UInt8>) -> ExactDecimal? {
    guard let place = place(of: column, in: row) else { return nil }
    let field = row.extracting(place)
    let literal = DecimalLiteral.scan(field, digitLimit: ExactDecimalLimits.maximumDigits, exponentLimit: 0)
    guard literal.form != .malformed else { return nil }
    let amount = literal.decimal(text: field)
    return amount.exponent == -currency.settlementExponent ? amount : nil
  }

  private static func figures(_ row: Span<UInt8>) -> Figures? {
    func number(_ column: Column) -> Int? {
      place(of: column, in: row).flatMap { Int(String(decoding: row.extracting($0))) }
    }
    guard let currency = currency(row), let payments = number(.payments), let refunds = number(.refunds),
      let gross = amount(.gross, currency, row), let passedOn = amount(.passedOn, currency, row),
      let fee = amount(.fee, currency, row), let refundNet = amount(.refundNet, currency, row)
    else { return nil }
    return Figures(
      payments: payments, gross: gross, passedOn: passedOn, fee: fee, refunds: refunds, refundNet: refundNet)
  }

  private static func payout(_ row: Span<UInt8>) -> (currency: Currency, amount: ExactDecimal)? {
    guard let currency = currency(row), let amount = amount(.payout, currency, row) else { return nil }
    return (currency, amount)
  }
}
