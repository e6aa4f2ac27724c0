import ExactArithmetic
import Rules

/// A refund that was made, as a ledger keeps it.
struct EnteredRefund {
  /// Its key.
  let refundKey: [UInt8]
  /// The payment's key.
  let payKey: [UInt8]
  /// What each receiver gave, in the payment's order.
  let parts: [ExactDecimal]
  /// The fees that came back.
  let feesReturned: ExactDecimal

  init(_ refund: MadeRefund, refundKey: [UInt8], payKey: [UInt8]) {
    self.refundKey = refundKey
    self.payKey = payKey
    parts = refund.parts
    feesReturned = refund.feesReturned
  }
}
