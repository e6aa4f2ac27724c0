import ExactArithmetic
import Glibc
import Money
import Text

/// Adds up adjacent rows of one account and currency, in the form of `receivers.csv`. An account with no payments and
/// refunds left gets no row.
struct AccountRowSum: ~Copyable {
  /// The rows that are done.
  private(set) var text = TextBuffer(capacity: 1 << 16)
  /// How many accounts and currencies have a payment.
  private(set) var paid = 0
  /// The first row of the account and currency.
  private var row = TextBuffer(capacity: 256)
  /// The length of the row's account and currency.
  private var keyLength = 0
  private var isOpen = false
  /// The row's figures, from the second row on: payments, gross, passed on, fee, refunds, refund net.
  private var figures: Figures?

  private struct Figures {
    var payments = 0
    var gross: ExactDecimal
    var passedOn: ExactDecimal
    var fee: ExactDecimal
    var refunds = 0
    var refundNet: ExactDecimal

    mutating func add(_ other: Figures) {
      payments += other.payments
      gross.add(other.gross)
      passedOn.add(other.passedOn)
      fee.add(other.fee)
      refunds += other.refunds
      refundNet.add(other.refundNet)
    }
  }

  init() {}

  /// Whether enough rows are done to be written.
  var hasText: Bool { text.count > 1 << 15 }

  /// Forgets the rows that are done, if they are many.
  mutating func clearText() { if hasText { text.removeAll() } }

  /// Takes the next row; false if it is malformed.
  mutating func take(_ next: SortedRow) -> Bool {
    let start = next.bytes + next.keyLength
    guard next.count > next.keyLength + 5, start[0] == 0x2C, start[4] == 0x2C else { return false }
    let length = next.keyLength + 4
    if isOpen, length == keyLength, memcmp(row.bytes, next.bytes, length) == 0 {
      guard let more = Self.figures(next.bytes, next.count, keyLength: length) else { return false }
      if figures == nil { figures = Self.figures(row.bytes, row.count, keyLength: keyLength) }
      guard figures != nil else { return false }
      figures?.add(more)
      return true
    }
    finish()
    row.removeAll()
    row.append(next.bytes, count: next.count)
    (keyLength, isOpen) = (length, true)
    return true
  }

  /// Ends the last row.
  mutating func finish() {
    guard isOpen else { return }
    isOpen = false
    defer { figures = nil }
    if figures == nil, row.count > keyLength + 2, row.bytes[keyLength + 1] == 0x30 || row.bytes[keyLength + 1] == 0x2D {
      figures = Self.figures(row.bytes, row.count, keyLength: keyLength)
    }
    guard let figures else {
      paid += 1
      text.append(row.bytes, count: row.count)
      return text.append("\n")
    }
    guard figures.payments != 0 || figures.refunds != 0 else { return }
    if figures.payments > 0 { paid += 1 }
    text.append(row.bytes, count: keyLength)
    text.append(",")
    text.append(number: figures.payments)
    var net = figures.gross
    net.subtract(figures.passedOn)
    net.subtract(figures.fee)
    for amount in [figures.gross, figures.passedOn, figures.fee, net] { append(amount) }
    text.append(",")
    text.append(number: figures.refunds)
    append(figures.refundNet)
    append(net + figures.refundNet)
    text.append("\n")
  }

  private mutating func append(_ amount: ExactDecimal) {
    text.append(",")
    text.append(amount)
  }

  private static func figures(_ row: UnsafePointer<UInt8>, _ count: Int, keyLength: Int) -> Figures? {
    var at = keyLength + 1
    func field() -> String? {
      guard at <= count else { return nil }
      let start = at
      while at < count, row[at] != 0x2C { at += 1 }
      defer { at += 1 }
      return String(decoding: UnsafeBufferPointer(start: row + start, count: at - start), as: UTF8.self)
    }
    func number() -> Int? { field().flatMap { Int($0) } }
    func amount() -> ExactDecimal? { field().flatMap { ExactDecimal($0) } }
    guard let payments = number(), let gross = amount(), let passedOn = amount(), let fee = amount(), amount() != nil,
      let refunds = number(), let refundNet = amount()
    else { return nil }
    return Figures(
      payments: payments, gross: gross, passedOn: passedOn, fee: fee, refunds: refunds, refundNet: refundNet)
  }
}
