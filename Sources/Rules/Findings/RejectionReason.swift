/// Why a record is rejected: the error table of `rules.md`, closed, in its order, which is that of several errors of one
/// record in reports. What is to be known of each stands in its row of the table (`ReasonTable`). Codes keep their
/// meaning once they are published; a new reason is a case here, at its place, and its row.
public enum RejectionReason: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  // Structural: the first that applies is the record's only one, and has no field.
  /// The record is longer than 1,048,576 bytes.
  case recordTooLong
  /// The line is not UTF-8.
  case invalidUTF8
  /// Not exactly one RFC 8259 value of at most 64 levels.
  case malformedJSON
  /// A JSON value, but no object.
  case notAnObject
  /// A field of `batch.md` twice in one object.
  case duplicateField
  /// `type` is none of the list.
  case unknownRecordType

  // Of a single value.
  /// A required field is absent or null.
  case missingField
  /// A field that its object does not have, and that looks like one that is missing (`UnknownFields`).
  case unknownField
  /// Another JSON type than the tables say.
  case wrongType
  /// A string, date, address or enumerated value outside its table.
  case invalidValue
  /// A recipient or sender that is no account.
  case invalidRecipient
  /// The number of a card that is none.
  case invalidCardNumber
  /// No decimal, or over its limits.
  case decimalSyntax
  /// Below zero.
  case negativeAmount
  /// Zero if it must be above zero.
  case amountNotPositive
  /// More decimals than the currency allows.
  case amountPrecision
  /// No currency that can be settled.
  case currencyNotSupported
  /// No country of the table.
  case countryNotSupported

  // Of several values together.
  /// BRL, MYR or TRY with a party in another country.
  case currencyInCountryOnly
  /// Both shapes, or none.
  case paymentShape
  /// An amount beside receivers, in a refund.
  case refundShape
  /// A number of receivers that no kind has.
  case receiverCount
  /// Two or more primary receivers.
  case multiplePrimary
  /// A recipient equals an earlier one of the payment.
  case receiversNotUnique
  /// A recipient equals the sender.
  case senderIsReceiver
  /// Receivers differ in payment type.
  case paymentTypeMixed
  /// A personal receiver in a chained payment.
  case personalNotAllowed
  /// A subtype on a type other than service.
  case subtypeNotAllowed
  /// A card beside another funding source.
  case fundingSourceMismatch
  /// A card that was no longer good when the payment was made.
  case cardExpired
  /// The amounts could not be adjusted, so the payment was never made.
  case adjustmentFailed
  /// The payment was canceled while its amounts were adjusted.
  case adjustmentCanceled
  /// Adjusted amounts of another currency, or for no receiver that takes them.
  case adjustedAmountsMismatch
  /// Terms of a split that do not fit, or stand beside what does not fit them.
  case splitTerms
  /// An item's total price is above price times count.
  case itemTotalMismatch
  /// The items do not add up to the subtotal.
  case invoiceSubtotalMismatch
  /// A tax that is not what the table of tax rates gives.
  case taxMismatch
  /// A split promises more than there is.
  case splitExceedsTotal
  /// A split leaves something that nobody gets.
  case splitNotWhole
  /// A part of a split comes to zero.
  case splitZeroPart
  /// The primary would pass on more than it receives.
  case chainExceedsPrimary
  /// The fee payer does not go with the kind of payment.
  case feePayerNotAllowed
  /// A payment under an agreement, or its confirmation, without a sender.
  case senderRequired
  /// A day before the one that it must not be before.
  case dateOutOfRange
  /// More than a year between the first and the last day.
  case dateRangeTooWide
  /// A limit for one payment above that for all.
  case limitAboveTotal
  /// The fees are more than their bearer keeps.
  case feesExceedAmount

  // Of claims on a key.
  /// An earlier payment of the batch carries the same pay key.
  case duplicatePayKey
  /// An earlier run settled a payment with the same pay key (`ledger.md`).
  case alreadySettled
  /// The agreement is there already.
  case preapprovalExists
  /// There is no such agreement.
  case preapprovalUnknown
  /// The agreement is at its end.
  case preapprovalCanceled
  /// The agreement cannot be confirmed any more.
  case preapprovalNotPending
  /// The agreement is not confirmed.
  case preapprovalNotConfirmed
  /// Another sender than the agreement's.
  case preapprovalSender
  /// Another currency.
  case preapprovalCurrency
  /// Another fee payer.
  case preapprovalFeePayer
  /// The sender's PIN is needed.
  case preapprovalPIN
  /// Before the first or after the last day.
  case preapprovalDates
  /// Another weekday.
  case preapprovalDayOfWeek
  /// Another day of the month.
  case preapprovalDayOfMonth
  /// More than one payment may cost.
  case preapprovalPaymentMax
  /// More payments than agreed.
  case preapprovalCount
  /// More payments in a period than agreed.
  case preapprovalPeriodCount
  /// More than all payments may cost.
  case preapprovalTotal
  /// An earlier refund of the batch carries the same refund key.
  case duplicateRefundKey
  /// An earlier run made a refund with the same refund key.
  case alreadyRefunded
  /// No such payment is settled.
  case paymentNotSettled
  /// The payment was settled too long ago.
  case refundWindowPassed
  /// Nothing remains of the payment.
  case fullyRefunded
  /// Another currency than the payment's.
  case refundCurrency
  /// All is asked for, and a part is refunded.
  case fullAfterPartial
  /// No receiver of the payment.
  case refundReceiverUnknown
  /// A part of a personal payment.
  case partialRefundNotAllowed
  /// More than remains.
  case refundExceedsRemaining

  /// What an error points at.
  public enum Target: Sendable {
    /// The record's structure: the error is the record's only one, and nothing of the record is known.
    case structure
    /// The record as a whole: the field is empty.
    case record
    /// A field.
    case field
    /// The field of a key, which the record then has.
    case key
  }

  /// The code in reports.
  public var code: StaticString { row.code }
  /// The error id of PayPal's Adaptive Payments API, or nil if it has none.
  public var payPalErrorID: Int? { row.payPalErrorID }
  /// What the error points at.
  public var target: Target { row.target }
  /// Whether the error is of the record's structure: it is the only one and has no field.
  public var isStructural: Bool { target == .structure }
}

extension RejectionReason: Comparable {
  /// The order of the error table.
  @inlinable
  public static func < (left: RejectionReason, right: RejectionReason) -> Bool { left.rawValue < right.rawValue }
}
