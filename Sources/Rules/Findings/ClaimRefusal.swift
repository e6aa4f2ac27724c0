import ExactArithmetic
import Records

/// Why a record's claim on a key is refused (`rules.md`, "Claims").
public struct ClaimRefusal: Sendable {
  /// The reason.
  public let reason: RejectionReason
  /// The field it points at.
  public let path: FieldPath
  /// The figure found and the one expected, if the message shows them.
  public let figures: (found: ExactDecimal, expected: ExactDecimal)?
  /// The run that used the key up, if one did; else 0.
  let run: Int

  /// A refusal of a record of a type.
  public init(
    _ reason: RejectionReason, of type: RecordType, figures: (found: ExactDecimal, expected: ExactDecimal)? = nil
  ) {
    self.init(reason, at: reason.path(ofClaimBy: type), figures: figures)
  }

  init(
    _ reason: RejectionReason, at path: FieldPath, figures: (found: ExactDecimal, expected: ExactDecimal)? = nil,
    run: Int = 0
  ) {
    self.reason = reason
    self.path = path
    self.figures = figures
    self.run = run
  }

  /// An earlier payment of the batch has the same pay key.
  public static let duplicatePayKey = ClaimRefusal(.duplicatePayKey, of: .payment)
  /// An earlier refund of the batch has the same refund key.
  public static let duplicateRefundKey = ClaimRefusal(.duplicateRefundKey, of: .refund)

  /// An earlier run settled a payment with the same pay key.
  public static func alreadySettled(run: Int) -> ClaimRefusal {
    ClaimRefusal(.alreadySettled, at: .top(.payKey), run: run)
  }

  /// An earlier run made a refund with the same refund key.
  public static func alreadyRefunded(run: Int) -> ClaimRefusal {
    ClaimRefusal(.alreadyRefunded, at: .refund(.refundKey), run: run)
  }
}

extension [ClaimRefusal] {
  /// Why the key of a payment or refund is refused; empty if it is granted.
  ///
  /// - Parameters:
  ///   - isRepeated: whether an earlier record of the batch has the same.
  ///   - earlierRun: the run that used it up; 0 if none did.
  public static func ofKey(isRefund: Bool, isRepeated: Bool, earlierRun: Int) -> [ClaimRefusal] {
    (isRepeated ? [isRefund ? .duplicateRefundKey : .duplicatePayKey] : [])
      + (earlierRun > 0 ? [isRefund ? .alreadyRefunded(run: earlierRun) : .alreadySettled(run: earlierRun)] : [])
  }
}

extension RejectionReason {
  /// The field that a refused claim points at, by the type of its record; of a part of a refund, see `RefundedPayment`.
  fileprivate func path(ofClaimBy type: RecordType) -> FieldPath {
    switch (self, type) {
    case (.duplicatePayKey, _), (.alreadySettled, _): .top(.payKey)
    case (.duplicateRefundKey, _), (.alreadyRefunded, _): .refund(.refundKey)
    case (.refundCurrency, _): .refund(.currencyCode)
    case (_, .refund): .refund(.payKey)
    case (.senderRequired, .preapproval), (.preapprovalSender, .preapproval): .preapproval(.senderEmail)
    case (_, .preapproval): .preapproval(.preapprovalKey)
    case (.preapprovalSender, _): .top(.sender)
    case (.preapprovalCurrency, _): .top(.paymentCurrency)
    case (.preapprovalFeePayer, _): .top(.feePayer)
    case (.preapprovalPIN, _): .top(.pinVerified)
    case (.preapprovalDates, _), (.preapprovalDayOfWeek, _), (.preapprovalDayOfMonth, _): .top(.createdAt)
    default: .top(.preapprovalKey)
    }
  }
}
