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

  /// The form in which a ledger keeps it: the number of receivers, what each gave, the fees that came back.
  var entered: [UInt8] {
    var writer = ByteWriter()
    writer.number(parts.count)
    for amount in parts + [feesReturned] { writer.decimal(amount) }
    return writer.bytes
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
