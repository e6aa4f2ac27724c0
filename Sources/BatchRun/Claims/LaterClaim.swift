import Claims
import Rules

/// A claim of the second or third step (`rules.md`, "Claims"), of a record whose claim of the first step is granted.
struct LaterClaim: Sendable {
  /// What is claimed.
  enum Subject: Sendable {
    /// An agreement, by a record that makes or changes it.
    case agreement(AgreementRecord)
    /// An agreement, by a payment under it.
    case payment(AgreementPayment)
    /// A settled payment, by a refund of it.
    case refund(RefundTerms)
  }

  /// The place of the record's claim of the first step among the stretch's claims.
  let claim: Int
  /// The key: of the agreement, or of the payment that is refunded.
  let key: Fingerprint
  /// The agreement's key as reports show it; empty of a refund.
  let keyText: [UInt8]
  /// What is claimed.
  let subject: Subject

  /// The step that judges it, from 0.
  var level: Int { if case .refund = subject { 2 } else { 1 } }
}
