import ExactArithmetic
import Money
import Records
import Documents

/// The sums of the rows of one payment in `settlement.csv`, read one by one.
struct PaymentRows {
  /// The pay key; empty before the first payment.
  private(set) var key: [UInt8] = []
  private(set) var kind = PaymentKind.simple
  private(set) var currency = Currency.usd
  /// The line of the sender.
  private(set) var line = 0
  private(set) var receivers = 0
  private(set) var primaries = 0
  /// What the sender sends, without fees.
  private(set) var senderAmount = ExactDecimal.zero
  private(set) var senderFees = ExactDecimal.zero
  private(set) var sums = PartySums()

  /// Whether a row with this pay key belongs to the payment.
  @inline(__always)
  func hasKey(_ bytes: Span<UInt8>) -> Bool { !key.isEmpty && key.span.isEqual(to: bytes) }

  /// Begins with the row of a sender.
  mutating func begin(_ row: PartyRow, _ fields: ReportRow, line: Int) {
    key.removeAll(keepingCapacity: true)
    key.append(fields[SettlementReport.Column.payKey])
    kind = row.kind
    currency = row.currency
    self.line = line
    (receivers, primaries) = (0, 0)
    senderAmount = -row.gross
    senderFees = row.fee
    sums = PartySums(fees: row.fee)
  }

  /// Adds the row of a receiver.
  mutating func add(_ row: PartyRow) {
    receivers += 1
    if row.role == .primary { primaries += 1 }
    sums.add(row)
  }
}

/// The sums of the receivers' rows of a payment or refund.
struct PartySums {
  /// The gross of the receivers whom the sender pays: all except secondary ones.
  var sentGross = ExactDecimal.zero
  /// What primary receivers pass on, and the gross of the secondary ones.
  var passedOn = ExactDecimal.zero
  var secondaryGross = ExactDecimal.zero
  /// The sum of the receivers' net.
  var receiverNet = ExactDecimal.zero
  /// All fees, including the sender's.
  var fees = ExactDecimal.zero

  /// Adds the row of a receiver.
  mutating func add(_ row: PartyRow) {
    if row.role == .secondary { secondaryGross.add(row.gross) } else { sentGross.add(row.gross) }
    passedOn.add(row.passedOn)
    receiverNet.add(row.net)
    fees.add(row.fee)
  }
}

/// The values of one row of `settlement.csv`; its texts are in the row.
struct PartyRow {
  var isRefund = false
  var kind = PaymentKind.simple
  var role = PartyRole.sender
  var currency = Currency.usd
  var gross = ExactDecimal.zero
  var passedOn = ExactDecimal.zero
  var fee = ExactDecimal.zero
  var net = ExactDecimal.zero
}
