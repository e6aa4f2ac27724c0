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
