import Failures
import Records
import Documents

/// The payments of `settlement.csv`, then its refunds, one after the other.
struct SettledParties {
  /// A receiver's row.
  struct Receiver {
    let account: [UInt8]
    let isPrimary: Bool
    /// The currency, a space, and the gross without its sign.
    let amount: [UInt8]
  }

  private typealias Column = SettlementReport.Column

  private let rows: ReportRows
  private var hasRow: Bool
  /// The key of the payment, or of the refunded payment; empty after the last one.
  private(set) var payKey: [UInt8] = []
  /// The key of the refund; empty for a payment.
  private(set) var refundKey: [UInt8] = []
  /// The sender's account; empty if it is not given.
  private(set) var sender: [UInt8] = []
  private(set) var receivers: [Receiver] = []

  /// Starts at the first payment.
  init(_ rows: ReportRows) throws(Failure) {
    self.rows = rows
    hasRow = try rows.next()
    try next()
  }

  private var isSender: Bool { rows.bytes(Column.role).elementsEqual("SENDER".utf8) }

  /// Goes to the next payment or refund.
  mutating func next() throws(Failure) {
    receivers.removeAll(keepingCapacity: true)
    payKey = []
    guard hasRow else { return }
    guard isSender else { throw rows.fault("a payment or refund begins with its sender") }
    payKey = Array(rows.bytes(Column.payKey))
    refundKey = Array(rows.bytes(Column.refundKey))
    sender = Array(rows.bytes(Column.account))
    hasRow = try rows.next()
    while hasRow, !isSender {
      guard receivers.count < PaymentKind.maximumReceivers else { throw rows.fault("has too many receivers") }
      let gross = rows.bytes(Column.gross)
      receivers.append(
        Receiver(
          account: Array(rows.bytes(Column.account)), isPrimary: rows.bytes(Column.role).elementsEqual("PRIMARY".utf8),
          amount: Array(rows.bytes(Column.currency)) + [UInt8(ascii: " ")]
            + gross.drop { $0 == UInt8(ascii: "-") }))
      hasRow = try rows.next()
    }
  }
}
