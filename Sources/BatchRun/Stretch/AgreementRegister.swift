import Claims
import Rules
import Text

/// The agreements that a batch names: judges claims on them in batch order.
///
/// Of each there is in memory how it stands, and what became of it in this batch.
struct AgreementRegister {
  /// An agreement that the batch names.
  struct Named {
    /// Its key.
    let key: [UInt8]
    /// How it stands; nil where there is none of that key.
    var agreement: Agreement?
    /// The records of this batch that were accepted.
    var records: [AgreementRecord] = []
    /// The settled payments of this batch.
    var payments: [AgreementPayment] = []

    /// Whether `preapprovals.csv` has a row of it.
    var isReported: Bool { !records.isEmpty || !payments.isEmpty }
  }

  private let earlier: EarlierSettlements?
  private(set) var named: [Fingerprint: Named] = [:]

  /// - Parameter earlier: tells how agreements stood before the batch.
  init(earlier: EarlierSettlements?) { self.earlier = earlier }

  /// Judges a claim on an agreement, and lets its record act where it is not refused.
  ///
  /// - Returns: why it is refused; empty where it is not.
  mutating func take(_ claim: LaterClaim) -> [ClaimRefusal] {
    var entry =
      named.removeValue(forKey: claim.key)
      ?? Named(key: claim.keyText, agreement: earlier?.agreement(of: claim.key))
    defer { named[claim.key] = entry }
    switch claim.subject {
    case .agreement(let record):
      let refusals = Agreement.take(record, on: &entry.agreement)
      if refusals.isEmpty { entry.records.append(record) }
      return refusals
    case .payment(let payment):
      let refusals = Agreement.take(payment, on: &entry.agreement)
      if refusals.isEmpty, payment.isSettled { entry.payments.append(payment) }
      return refusals
    case .refund: preconditionFailure("a refund claims no agreement")
    }
  }

  /// The agreements with a row in `preapprovals.csv`, by their keys' bytes.
  var reported: [Named] {
    named.values.filter(\.isReported).sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }
}
