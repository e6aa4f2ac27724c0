import ExactArithmetic
import Ledger
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

/// A refund that an earlier run made, read back from a ledger.
public struct EarlierTaking: Sendable {
  /// Its key.
  public let refundKey: String
  /// The run that made it.
  public let run: Int
  /// What each receiver gave, in the payment's order.
  public let parts: [ExactDecimal]
  /// The fees that came back.
  public let feesReturned: ExactDecimal

  /// What the sender got back, without fees.
  public var amount: ExactDecimal { parts.dropFirst().reduce(parts[0], +) }

  /// - Parameter ledger: its name for messages.
  init(_ refund: EarlierRefund, ledger: String) throws(RunFailure) {
    refundKey = refund.entry.refundKey
    run = refund.run
    var reader = ByteReader(refund.entry.taken[...], name: ledger)
    var amounts: [ExactDecimal] = []
    for _ in 0...(try reader.number()) {
      guard let amount = ExactDecimal(try reader.string()) else { throw reader.damage("a refund is no amount") }
      amounts.append(amount)
    }
    feesReturned = amounts.removeLast()
    parts = amounts
  }
}
