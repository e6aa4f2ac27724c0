import Claims
import ExactArithmetic
import Failures
import Ledger
import Rules

extension RefundEntry {
  /// A refund as a ledger keeps it: the number of receivers, the amount of each, the returned fees.
  package init(_ refund: MadeRefund, of payment: Fingerprint, refundKey: [UInt8]) {
    var writer = ByteWriter()
    writer.number(refund.parts.count)
    for amount in refund.parts { writer.decimal(amount) }
    writer.decimal(refund.feesReturned)
    self.init(refundKey: String(decoding: refundKey, as: UTF8.self), payment: payment, taken: writer.bytes)
  }
}

/// A refund by an earlier run, read back from a ledger.
public struct RefundTaking: Sendable {
  public let refundKey: String
  public let run: Int
  /// What each receiver paid back, in the payment's order.
  public let parts: [ExactDecimal]
  public let feesReturned: ExactDecimal

  /// What the sender got back, without fees.
  public var amount: ExactDecimal { parts.dropFirst().reduce(parts[0], +) }

  /// - Parameter ledger: the ledger's name for messages.
  package init(_ refund: RefundOfRun, ledger: String) throws(Failure) {
    refundKey = refund.entry.refundKey
    run = refund.run
    var reader = ByteReader(refund.entry.taken[...], name: ledger)
    var amounts: [ExactDecimal] = []
    for _ in 0...(try reader.number()) {
      guard let amount = ExactDecimal(try reader.string()) else { throw reader.damage("invalid refund amount") }
      amounts.append(amount)
    }
    feesReturned = amounts.removeLast()
    parts = amounts
  }
}
