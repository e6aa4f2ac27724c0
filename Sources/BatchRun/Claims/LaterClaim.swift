import Claims
import Rules

/// A claim of the second or third step (`rules.md`, "Claims"); the record's claim of the first step is granted.
package struct LaterClaim: Sendable {
  /// What is claimed.
  package enum Subject: Sendable {
    /// A record makes or changes an agreement.
    case agreement(AgreementRecord)
    case payment(AgreementPayment)
    /// A refund claims a settled payment.
    case refund(RefundTerms)
  }

  /// The index of the record's claim of the first step among the stretch's claims.
  package let claim: Int
  /// The key of the agreement, or of the refunded payment.
  package let key: Fingerprint
  /// The agreement's key as reports show it; empty for a refund.
  package let keyText: [UInt8]
  /// What is claimed.
  package let subject: Subject

  /// The step that judges it, counted from 0.
  package var level: Int { if case .refund = subject { 2 } else { 1 } }
}
