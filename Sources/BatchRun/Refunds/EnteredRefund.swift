import Claims
import ExactArithmetic
import Ledger
import Rules

extension RefundEntry {
  /// A refund that was made, as a ledger keeps it: the number of receivers, what each gave, the fees that came back.
  init(_ refund: MadeRefund, of payment: Fingerprint, refundKey: [UInt8]) {
    var writer = ByteWriter()
    writer.number(refund.parts.count)
    for amount in refund.parts { writer.decimal(amount) }
    writer.decimal(refund.feesReturned)
    self.init(refundKey: String(decoding: refundKey, as: UTF8.self), payment: payment, taken: writer.bytes)
  }
}

/// What an earlier refund took, read back from a ledger.
struct EarlierTaking {
  /// What each receiver gave, in the payment's order.
  let parts: [ExactDecimal]
  /// The fees that came back.
  let feesReturned: ExactDecimal

  /// - Parameter ledger: its name for messages.
  init(_ entered: [UInt8], ledger: String) throws(RunFailure) {
    var reader = ByteReader(entered[...], name: ledger)
    var amounts: [ExactDecimal] = []
    for _ in 0...(try reader.number()) {
      guard let amount = ExactDecimal(try reader.string()) else { throw reader.damage("a refund is no amount") }
      amounts.append(amount)
    }
    feesReturned = amounts.removeLast()
    parts = amounts
  }
}
