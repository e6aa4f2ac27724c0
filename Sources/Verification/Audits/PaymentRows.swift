import ExactArithmetic
import Money
import Payments

/// The rows of one payment in `settlement.csv`, added up as they come.
struct PaymentRows: ~Copyable {
  private let key: UnsafeMutablePointer<UInt8>
  private(set) var keyLength = 0
  private(set) var kind = PaymentKind.simple
  private(set) var currency = Currency.usd
  /// The line of the sender.
  private(set) var line = 0
  /// Whether a sender began it and all its rows could be read; else its sums mean nothing.
  var isWhole = false

  private(set) var receivers = 0
  private(set) var primaries = 0
  /// What the sender sends, without fees.
  private(set) var senderAmount = ExactDecimal.zero
  private(set) var senderFees = ExactDecimal.zero
  /// The receivers' gross, all together and by role.
  private(set) var gross = ExactDecimal.zero
  private(set) var primaryGross = ExactDecimal.zero
  private(set) var primaryPassedOn = ExactDecimal.zero
  private(set) var secondaryGross = ExactDecimal.zero
  /// The sum of the receivers' net.
  private(set) var receiverNet = ExactDecimal.zero
  /// The sum of all net and all fees.
  private(set) var balance = ExactDecimal.zero
  /// All fees.
  private(set) var fees = ExactDecimal.zero

  init() { key = .allocate(capacity: PayKey.maximumLength) }

  deinit { key.deallocate() }

  /// The pay key; empty before the first payment.
  var payKey: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: key, count: keyLength) }

  /// Whether a row belongs to it by its pay key.
  @inline(__always)
  func hasKey(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = bytes.baseAddress, bytes.count == keyLength else { return false }
    return keyLength == 0 || SameBytes.are(key, start, count: keyLength)
  }

  /// Begins with the row of a sender.
  mutating func begin(_ row: borrowing PartyRow, line: Int) {
    if let start = row.payKey.baseAddress { key.update(from: start, count: row.payKey.count) }
    keyLength = row.payKey.count
    kind = row.kind
    currency = row.currency
    self.line = line
    isWhole = true
    receivers = 0
    primaries = 0
    let zero = ExactDecimal(magnitude: 0, exponent: -currency.settlementExponent)
    senderAmount.set(row.gross)
    senderAmount.negate()
    senderFees.set(row.fee)
    gross.set(zero)
    primaryGross.set(zero)
    primaryPassedOn.set(zero)
    secondaryGross.set(zero)
    receiverNet.set(zero)
    fees.set(row.fee)
    balance.set(row.net)
    balance.add(row.fee)
  }

  /// Adds the row of a receiver.
  mutating func add(_ row: borrowing PartyRow) {
    receivers += 1
    gross.add(row.gross)
    switch row.role {
    case .primary:
      primaries += 1
      primaryGross.set(row.gross)
      primaryPassedOn.set(row.passedOn)
    case .secondary: secondaryGross.add(row.gross)
    case .receiver, .sender: break
    }
    receiverNet.add(row.net)
    fees.add(row.fee)
    balance.add(row.net)
    balance.add(row.fee)
  }
}

/// One row of `settlement.csv`, read.
struct PartyRow: ~Copyable {
  var payKey = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  var account = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  var kind = PaymentKind.simple
  var role = PartyRole.sender
  var currency = Currency.usd
  var gross = ExactDecimal.zero
  var passedOn = ExactDecimal.zero
  var fee = ExactDecimal.zero
  var net = ExactDecimal.zero
}
