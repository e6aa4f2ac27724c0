import ExactArithmetic
import Records

/// Why a record's claim on a key is refused (`rules.md`, "Claims").
public struct ClaimRefusal: Sendable {
  public let reason: RejectionReason
  public let path: FieldPath
  /// The figure found and the figure expected, if the message shows them.
  public let figures: (found: ExactDecimal, expected: ExactDecimal)?
  /// The run that used the key, if one did; else 0.
  let run: Int

  /// A refusal for a record of a type.
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
}

extension [ClaimRefusal] {
  /// Why the key of a payment or refund is refused; empty if it is granted.
  ///
  /// - Parameters:
  ///   - isRepeated: whether an earlier record of the batch has the same key.
  ///   - earlierRun: the run that used the key; 0 if none did.
  public static func ofKey(isRefund: Bool, isRepeated: Bool, earlierRun: Int = 0) -> [ClaimRefusal] {
    let path: FieldPath = isRefund ? .refund(.refundKey) : .top(.payKey)
    var refusals: [ClaimRefusal] = []
    if isRepeated { refusals.append(ClaimRefusal(isRefund ? .duplicateRefundKey : .duplicatePayKey, at: path)) }
    if earlierRun > 0 {
      refusals.append(ClaimRefusal(isRefund ? .alreadyRefunded : .alreadySettled, at: path, run: earlierRun))
    }
    return refusals
  }
}

extension RejectionReason {
  /// The field that a refused claim on an agreement or a payment points at, by the type of the claiming record. For a
  /// refund of single receivers, see `RefundedPayment`.
  fileprivate func path(ofClaimBy type: RecordType) -> FieldPath {
    switch (self, type) {
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
