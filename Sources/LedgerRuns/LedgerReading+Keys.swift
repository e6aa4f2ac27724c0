import BatchRun
import Failures
import Ledger
import Records
import Rules

/// The history of a settled payment.
public struct PaymentHistory: Sendable {
  /// The run that settled it.
  public let run: Int
  /// The payment, and what was refunded of it; nil if the ledger no longer keeps it.
  public let payment: RefundedPayment?
  /// Its refunds, in order.
  public let refunds: [RefundTaking]
}

/// What a ledger knows of a key, for each kind of key that it may be.
public struct KeyHistory: Sendable {
  /// The payment with this pay key; nil if no run settled it.
  public let payment: PaymentHistory?
  /// The refund with this refund key; nil if no run made it.
  public let refund: RefundTaking?
  /// The agreement with this preapproval key; nil if it does not exist.
  public let agreement: AgreementHistory?
}

extension LedgerReading {
  /// What the ledger knows of a key.
  public func history(of key: [UInt8]) throws(Failure) -> KeyHistory {
    let earlier = try earlier(before: lastRun + 1, areMany: false)
    defer { earlier.close() }
    var settled: PaymentHistory?
    try earlier.forEachPayment(of: [earlier.hash.fingerprint(key.span).ofPayKey]) { _, payment in
      let refundable = payment.bytes.flatMap(RefundablePayment.init)
      var refunded = refundable.map { RefundedPayment($0, run: payment.run) }
      for refund in payment.refunds { refunded?.refund(refund.parts) }
      settled = PaymentHistory(run: payment.run, payment: refunded, refunds: payment.refunds)
    }
    var agreement = try earlier.agreement(of: key)
    if let found = agreement, let last = found.records.last?.run {
      agreement?.isExpired = self.history.runs.contains { run in
        run.number > last && found.agreement.isExpired(at: Timestamp.seconds(run.time.utf8.span))
      }
    }
    let history = KeyHistory(payment: settled, refund: try earlier.refund(of: key), agreement: agreement)
    try expectUnchanged()
    return history
  }
}
