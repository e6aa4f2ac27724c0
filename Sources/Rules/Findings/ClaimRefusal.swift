import ExactArithmetic
import Records

/// Why a claim on an agreement or on a payment that is refunded is refused (`rules.md`, "Claims").
public struct ClaimRefusal: Sendable {
  /// The reason.
  public let reason: RejectionReason
  /// The field it points at.
  public let path: FieldPath
  /// The figure found and the one expected, if the message shows them.
  public let figures: (found: ExactDecimal, expected: ExactDecimal)?

  /// A refusal.
  public init(
    _ reason: RejectionReason, at path: FieldPath, figures: (found: ExactDecimal, expected: ExactDecimal)? = nil
  ) {
    self.reason = reason
    self.path = path
    self.figures = figures
  }
}
