import Claims
import Ledger
import Records
import Rules

/// A settled payment over all nights.
public struct PaymentHistory: Sendable {
  /// The run that settled it.
  public let run: Int
  /// The payment, and what was taken of it; nil if the ledger does not keep it any more.
  public let payment: RefundedPayment?
  /// Its refunds, in order.
  public let refunds: [EarlierTaking]
}

/// An agreement over all nights.
public struct AgreementHistory: Sendable {
  /// How it stands.
  public let agreement: Agreement
  /// The records that took effect, with the runs that took them, in order.
  public let records: [(action: PreapprovalAction, run: Int)]
}

/// Looks up payments and agreements over all nights of a ledger, which is read and not written. Runs that are not
/// published do not count.
public struct LedgerSearch {
  /// The ledger's runs.
  public var history: RunHistory { ledger.history }
  private let ledger: AskedLedger

  /// Opens a ledger.
  public init(ledger path: String) throws(RunFailure) { ledger = try AskedLedger(path) }

  private func asking<Found>(
    _ body: (EarlierSettlements) throws(RunFailure) -> Found
  ) throws(RunFailure) -> Found {
    let earlier = try ledger.earlier(before: ledger.lastRun + 1)
    defer { earlier.close() }
    let found = try body(earlier)
    try ledger.expectUnchanged()
    return found
  }

  /// The payment of a pay key; nil if no run settled it.
  public func payment(_ payKey: [UInt8]) throws(RunFailure) -> PaymentHistory? {
    try asking { earlier throws(RunFailure) in
      var found: PaymentHistory?
      let key = earlier.hash.fingerprint(payKey, count: payKey.count).ofPayKey
      try earlier.forEachPayment(of: [key]) { _, payment in
        let refundable = payment.bytes.flatMap { $0.withUnsafeBytes { RefundablePayment($0) } }
        var refunded = refundable.map { RefundedPayment($0, run: payment.run) }
        for refund in payment.refunds { refunded?.take(refund.parts) }
        found = PaymentHistory(run: payment.run, payment: refunded, refunds: payment.refunds)
      }
      return found
    }
  }

  /// The agreement of a preapproval key; nil if there is none.
  public func agreement(_ preapprovalKey: [UInt8]) throws(RunFailure) -> AgreementHistory? {
    try asking { earlier throws(RunFailure) in try earlier.agreement(of: preapprovalKey) }
  }
}
