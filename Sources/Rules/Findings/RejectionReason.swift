/// Why a record is rejected: the closed error table of `rules.md`. The order of the cases is the order in which reports
/// list several errors of one record. Each case has a row (`ReasonRow`) in the table below. Published codes keep their
/// meaning. To add a reason, add a case at its place in the order, and its row.
public enum RejectionReason: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  // Structural: only the first that applies is reported, and it has no field.
  /// The record is longer than 1,048,576 bytes.
  case recordTooLong
  /// The line is not UTF-8.
  case invalidUTF8
  /// Not exactly one RFC 8259 value of at most 64 levels.
  case malformedJSON
  /// A JSON value that is not an object.
  case notAnObject
  /// A field of `batch.md` twice in one object.
  case duplicateField
  /// `type` is not in the list.
  case unknownRecordType

  // Errors of a single value.
  /// A required field is absent or null.
  case missingField
  /// A field that is not defined for its object and looks like a missing one (`UnknownFields`).
  case unknownField
  /// A JSON type that the tables do not allow.
  case wrongType
  /// A string, date, address or enumerated value that the tables do not allow.
  case invalidValue
  /// A recipient or sender that is not an account.
  case invalidRecipient
  /// A card number that is not valid.
  case invalidCardNumber
  /// Not a decimal, or over the limits for decimals.
  case decimalSyntax
  /// Below zero.
  case negativeAmount
  /// Zero where a value above zero is required.
  case amountNotPositive
  /// More decimals than the currency allows.
  case amountPrecision
  /// Not a currency that can be settled.
  case currencyNotSupported
  case countryNotSupported

  // Errors of several values together.
  /// BRL, MYR or TRY with a party in another country.
  case currencyInCountryOnly
  /// Both shapes, or neither.
  case paymentShape
  /// Both an amount and receivers, in a refund.
  case refundShape
  /// A number of receivers that no kind of payment has.
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
  /// A card together with another funding source.
  case fundingSourceMismatch
  /// The card expired before the payment was made.
  case cardExpired
  /// The amounts could not be adjusted, so the payment was never made.
  case adjustmentFailed
  /// The payment was canceled while its amounts were adjusted.
  case adjustmentCanceled
  /// Adjusted amounts in another currency, or for a receiver that does not take them.
  case adjustedAmountsMismatch
  /// Terms of a split that do not fit, or that are next to fields they exclude.
  case splitTerms
  /// An item's total price is above price times count.
  case itemTotalMismatch
  /// The items do not add up to the subtotal.
  case invoiceSubtotalMismatch
  /// A tax that differs from the one that the tax rates give.
  case taxMismatch
  /// The parts of a split are more than the total.
  case splitExceedsTotal
  /// The parts of a split do not add up to the total.
  case splitNotWhole
  case splitZeroPart
  /// The primary would pass on more than it receives.
  case chainExceedsPrimary
  /// This fee payer is not allowed for the kind of payment.
  case feePayerNotAllowed
  /// A payment under an agreement without a sender, or a confirmation of one.
  case senderRequired
  /// A date is before the earliest day allowed.
  case dateOutOfRange
  /// More than a year between the first and the last day.
  case dateRangeTooWide
  case limitAboveTotal
  /// The fees are more than their bearer keeps.
  case feesExceedAmount

  // Errors of claims on a key.
  /// An earlier payment of the batch has the same pay key.
  case duplicatePayKey
  /// An earlier run settled a payment with the same pay key (`ledger.md`).
  case alreadySettled
  /// An agreement with this key exists already.
  case preapprovalExists
  /// There is no agreement with this key.
  case preapprovalUnknown
  case preapprovalCanceled
  /// The agreement can no longer be confirmed.
  case preapprovalNotPending
  case preapprovalNotConfirmed
  /// The sender is not the agreement's.
  case preapprovalSender
  /// The currency is not the agreement's.
  case preapprovalCurrency
  /// The fee payer is not the agreement's.
  case preapprovalFeePayer
  /// The sender's PIN is needed.
  case preapprovalPIN
  /// The day is before the agreement's first or after its last.
  case preapprovalDates
  /// The weekday is not the agreement's.
  case preapprovalDayOfWeek
  /// The day of the month is not the agreement's.
  case preapprovalDayOfMonth
  /// The payment costs more than one payment may.
  case preapprovalPaymentMax
  /// More payments than the agreement allows.
  case preapprovalCount
  /// More payments in a period than the agreement allows.
  case preapprovalPeriodCount
  /// All payments together cost more than the agreement allows.
  case preapprovalTotal
  /// An earlier refund of the batch has the same refund key.
  case duplicateRefundKey
  /// An earlier run made a refund with the same refund key.
  case alreadyRefunded
  /// No payment with this key is settled.
  case paymentNotSettled
  /// The payment was settled too long ago.
  case refundWindowPassed
  /// Nothing remains of the payment.
  case fullyRefunded
  /// The currency is not the payment's.
  case refundCurrency
  /// The full payment is asked for, but a part was refunded already.
  case fullAfterPartial
  /// The payment has no such receiver.
  case refundReceiverUnknown
  /// A refund of a part of a personal payment.
  case partialRefundNotAllowed
  /// The refund is more than what remains.
  case refundExceedsRemaining

  /// What an error points at.
  public enum Target: Sendable {
    /// The record's structure: the error is the record's only one, and nothing else is known about the record.
    case structure
    /// The record as a whole; its field is empty.
    case record
    case field
    /// The field of a key, which is then the record's key.
    case key
  }

  public var code: StaticString { row.code }
  /// The error id of PayPal's Adaptive Payments API, or nil if it has none.
  public var payPalErrorID: Int? { row.payPalErrorID }
  /// What the error points at.
  public var target: Target { row.target }
  /// Whether the error is about the record's structure: it is the record's only one and has no field.
  public var isStructural: Bool { target == .structure }
}

extension RejectionReason: Comparable {
  /// Orders reasons as the error table does.
  @inlinable
  public static func < (left: RejectionReason, right: RejectionReason) -> Bool { left.rawValue < right.rawValue }
}

extension RejectionReason {
  /// The reason's row in the table.
  var row: ReasonRow {
    switch self {
    case .recordTooLong:
      .fixed(
        "RECORD_TOO_LONG", nil, "the line is over 1048576 bytes; expected a record on each line and LF after it",
        .structure)
    case .invalidUTF8: .written("INVALID_UTF8", nil, .structure) { $0.writeFault($1, to: &$2) }
    case .malformedJSON: .written("MALFORMED_JSON", nil, .structure) { $0.writeFault($1, to: &$2) }
    case .notAnObject: .written("NOT_AN_OBJECT", nil, .structure) { $0.writeKind($1, to: &$2) }
    case .duplicateField: .written("DUPLICATE_FIELD", nil, .structure) { $0.writeDuplicate($1, to: &$2) }
    case .unknownRecordType: .written("UNKNOWN_RECORD_TYPE", nil, .structure) { $0.writeUnknownType($1, to: &$2) }
    case .missingField: .written("MISSING_FIELD", 580029) { $0.writeMissing($1, to: &$2) }
    case .unknownField: .written("UNKNOWN_FIELD", 580022) { $0.writeUnknownField($1, to: &$2) }
    case .wrongType: .written("WRONG_TYPE", 580022) { $0.writeWrongType($1, to: &$2) }
    case .invalidValue: .written("INVALID_VALUE", 580022) { $0.writeInvalid($1, to: &$2) }
    case .invalidRecipient:
      .value("INVALID_RECIPIENT", 589039, "; expected an email address or a phone number like +14029352050")
    case .invalidCardNumber:
      .fixed(
        "INVALID_CARD_NUMBER", 580022,
        "cardNumber is not valid; expected a string of 13 to 19 digits whose Luhn sum is right")
    case .decimalSyntax:
      .value(
        "DECIMAL_SYNTAX", 580022, "; expected a decimal like 12.34 of at most 64 digits and an exponent from -64 to 64")
    case .negativeAmount: .value("NEGATIVE_AMOUNT", 580022, "; expected no value below zero")
    case .amountNotPositive: .value("AMOUNT_NOT_POSITIVE", 580022, "; expected a value above zero")
    case .amountPrecision: .written("AMOUNT_PRECISION", 580022) { $0.writePrecision($1, to: &$2) }
    case .currencyNotSupported:
      .value("CURRENCY_NOT_SUPPORTED", 580027, "; expected one of the currencies that settle currencies lists")
    case .countryNotSupported:
      .value("COUNTRY_NOT_SUPPORTED", 539041, "; expected a two-letter country code in upper case")
    case .currencyInCountryOnly: .written("CURRENCY_IN_COUNTRY_ONLY", 580001) { $0.writeOnlyCountry($1, to: &$2) }
    case .paymentShape:
      .fixed(
        "PAYMENT_SHAPE", 580022,
        "expected exactly one of receiverPaymentDetails, splitProfile, and recipient with subTotal", .record)
    case .refundShape:
      .fixed("REFUND_SHAPE", 580022, "amount and receivers are both given; expected at most one of them", .record)
    case .receiverCount: .written("RECEIVER_COUNT", 579007) { $0.writeReceiverCount($1, to: &$2) }
    case .multiplePrimary: .written("MULTIPLE_PRIMARY", 580022) { $0.writePrimaryCount($1, to: &$2) }
    case .receiversNotUnique:
      .written("RECEIVERS_NOT_UNIQUE", 579040) {
        $0.writeRecipient($1, "; an earlier receiver is the same", to: &$2)
      }
    case .senderIsReceiver:
      .written("SENDER_IS_RECEIVER", 579033) {
        $0.writeRecipient($1, "; that is the sender, and no one can pay themselves", to: &$2)
      }
    case .paymentTypeMixed: .written("PAYMENT_TYPE_MIXED", 580023) { $0.writeTypes($1, to: &$2) }
    case .personalNotAllowed:
      .fixed("PERSONAL_NOT_ALLOWED", 580023, #"paymentType is "TYPE_PERSONAL"; not allowed in a chained payment"#)
    case .subtypeNotAllowed: .value("SUBTYPE_NOT_ALLOWED", 580022, "; only TYPE_SERVICE takes a subtype")
    case .fundingSourceMismatch: .value("FUNDING_SOURCE_MISMATCH", 580022, "; with a card, only CARD is allowed")
    case .cardExpired: .fixed("CARD_EXPIRED", 580022, "the card expired in a month before that of createdAt")
    case .adjustmentFailed: .value("ADJUSTMENT_FAILED", nil, "; the amounts were not adjusted and no payment was made")
    case .adjustmentCanceled: .value("ADJUSTMENT_CANCELED", nil, "; the payment was canceled")
    case .adjustedAmountsMismatch: .written("ADJUSTED_AMOUNTS_MISMATCH", 580022) { $0.writeAdjustment($1, to: &$2) }
    case .splitTerms: .written("SPLIT_TERMS", 580022) { $0.writeSplitTerms($1, to: &$2) }
    case .itemTotalMismatch: .figures("ITEM_TOTAL_MISMATCH", nil, "totalPrice is ", "; itemPrice x itemCount is ")
    case .invoiceSubtotalMismatch: .figures("INVOICE_SUBTOTAL_MISMATCH", nil, "items sum to ", "; the subtotal is ")
    case .taxMismatch: .figures("TAX_MISMATCH", nil, "the tax is ", "; by the rate of the address it is ")
    case .splitExceedsTotal: .figures("SPLIT_EXCEEDS_TOTAL", nil, "the parts promise ", " of ")
    case .splitNotWhole: .written("SPLIT_NOT_WHOLE", nil) { $0.writeNotWhole($1, to: &$2) }
    case .splitZeroPart: .written("SPLIT_ZERO_PART", nil) { $0.writeZeroPart($1, to: &$2) }
    case .chainExceedsPrimary:
      .figures("CHAIN_EXCEEDS_PRIMARY", 579017, "secondary receivers get ", "; the primary gets only ")
    case .feePayerNotAllowed: .written("FEE_PAYER_NOT_ALLOWED", 580023) { $0.writeFeePayer($1, to: &$2) }
    case .senderRequired: .fixed("SENDER_REQUIRED", 579010, "the agreement has no sender")
    case .dateOutOfRange: .written("DATE_OUT_OF_RANGE", 580022) { $0.writeDateOutOfRange($1, to: &$2) }
    case .dateRangeTooWide: .value("DATE_RANGE_TOO_WIDE", 579038, "; expected at most a year after startingDate")
    case .limitAboveTotal:
      .figures("LIMIT_ABOVE_TOTAL", 580022, "maxAmountPerPayment is ", "; maxTotalAmountOfAllPayments is only ")
    case .feesExceedAmount: .figures("FEES_EXCEED_AMOUNT", nil, "fees are ", "; their bearer keeps only ")
    case .duplicatePayKey:
      .value("DUPLICATE_PAY_KEY", 579042, "; an earlier payment of the batch has the same", .key)
    case .alreadySettled:
      .written("ALREADY_SETTLED", 579042, .key) { $0.writeEarlierRun($1, "settled a payment", to: &$2) }
    case .preapprovalExists: .value("PREAPPROVAL_EXISTS", 580022, "; an agreement has this key already")
    case .preapprovalUnknown: .value("PREAPPROVAL_UNKNOWN", 589019, "; no agreement has this key")
    case .preapprovalCanceled: .value("PREAPPROVAL_CANCELED", 569013, "; the agreement is canceled")
    case .preapprovalNotPending:
      .value(
        "PREAPPROVAL_NOT_PENDING", 550001,
        "; the agreement is confirmed already, was made more than 3 hours before, or is made later")
    case .preapprovalNotConfirmed: .value("PREAPPROVAL_NOT_CONFIRMED", 539012, "; the agreement is not confirmed")
    case .preapprovalSender: .value("PREAPPROVAL_SENDER", 579014, "; the agreement is another sender's")
    case .preapprovalCurrency: .value("PREAPPROVAL_CURRENCY", 579027, "; the agreement is for another currency")
    case .preapprovalFeePayer: .value("PREAPPROVAL_FEE_PAYER", 580023, "; the agreement is for another fee payer")
    case .preapprovalPIN: .value("PREAPPROVAL_PIN", nil, "; the agreement asks for a PIN; expected true")
    case .preapprovalDates:
      .value("PREAPPROVAL_DATES", 579024, "; the day is before the agreement's first or after its last")
    case .preapprovalDayOfWeek:
      .value("PREAPPROVAL_DAY_OF_WEEK", 579025, "; the agreement is for another day of the week")
    case .preapprovalDayOfMonth:
      .value("PREAPPROVAL_DAY_OF_MONTH", 579026, "; the agreement is for another day of the month")
    case .preapprovalPaymentMax:
      .figures("PREAPPROVAL_PAYMENT_MAX", 579028, "the sender pays ", "; the agreement allows a payment of ")
    case .preapprovalCount: .figures("PREAPPROVAL_COUNT", nil, "this is payment ", "; the agreement allows only ")
    case .preapprovalPeriodCount:
      .figures("PREAPPROVAL_PERIOD_COUNT", 579030, "this is payment ", " of its period; the agreement allows only ")
    case .preapprovalTotal:
      .figures("PREAPPROVAL_TOTAL", 579031, "all payments would come to ", "; the agreement allows only ")
    case .duplicateRefundKey:
      .value("DUPLICATE_REFUND_KEY", 579042, "; an earlier refund of the batch has the same", .key)
    case .alreadyRefunded:
      .written("ALREADY_REFUNDED", 579042, .key) { $0.writeEarlierRun($1, "made a refund", to: &$2) }
    case .paymentNotSettled: .value("PAYMENT_NOT_SETTLED", 589018, "; no payment with this key is settled")
    case .refundWindowPassed: .value("REFUND_WINDOW_PASSED", 570017, "; the payment was settled too long ago")
    case .fullyRefunded: .value("FULLY_REFUNDED", 570015, "; nothing remains of the payment")
    case .refundCurrency: .value("REFUND_CURRENCY", 589036, "; the payment has another currency")
    case .fullAfterPartial:
      .value(
        "FULL_AFTER_PARTIAL", 570012, "; a part of the payment is refunded already; ask for the rest by its amount")
    case .refundReceiverUnknown: .value("REFUND_RECEIVER_UNKNOWN", 589037, "; the payment has no such receiver")
    case .partialRefundNotAllowed:
      .figures(
        "PARTIAL_REFUND_NOT_ALLOWED", 560016, "amount is ", "; a personal payment is refunded by all that remains: ")
    case .refundExceedsRemaining: .figures("REFUND_EXCEEDS_REMAINING", 570014, "amount is ", "; there remains only ")
    }
  }
}
