import Text

/// What is to be known of a rejection reason: a row of the error table of `rules.md`, and what its message says.
struct ReasonRow {
  /// How a message comes about. No commas or quotes of its own, so that a report rarely has to quote it.
  enum Message {
    /// The same words always.
    case fixed(StaticString)
    /// `NAME is VALUE`, then these words.
    case value(StaticString)
    /// Words, the figure found, words, the figure expected.
    case figures(StaticString, StaticString)
    /// Written by the assessor, who knows more.
    case written((inout RecordAssessor, Finding, inout TextBuffer) -> Void)
  }

  let code: StaticString
  let payPalErrorID: Int?
  let target: RejectionReason.Target
  let message: Message

  init(_ code: StaticString, _ payPalErrorID: Int?, _ target: RejectionReason.Target = .field, _ message: Message) {
    self.code = code
    self.payPalErrorID = payPalErrorID
    self.target = target
    self.message = message
  }

  /// A structural error.
  static func structural(_ code: StaticString, _ message: StaticString) -> ReasonRow {
    ReasonRow(code, nil, .structure, .fixed(message))
  }
}

extension RejectionReason {
  /// The reason's row of the table.
  var row: ReasonRow {
    switch self {
    case .recordTooLong: .structural("RECORD_TOO_LONG", "record is over the limit of 1048576 bytes")
    case .invalidUTF8: .structural("INVALID_UTF8", "line is not UTF-8")
    case .malformedJSON:
      ReasonRow("MALFORMED_JSON", nil, .structure, .written { assessor, _, text in assessor.writeFault(to: &text) })
    case .notAnObject: .structural("NOT_AN_OBJECT", "record is no JSON object")
    case .duplicateField:
      ReasonRow(
        "DUPLICATE_FIELD", nil, .structure, .written { assessor, _, text in assessor.writeDuplicate(to: &text) })
    case .unknownRecordType:
      ReasonRow("UNKNOWN_RECORD_TYPE", nil, .structure, .written { $0.writeUnknownType($1, to: &$2) })
    case .missingField: ReasonRow("MISSING_FIELD", 580029, .field, .written { $0.writeMissing($1, to: &$2) })
    case .unknownField: ReasonRow("UNKNOWN_FIELD", 580022, .field, .written { $0.writeUnknownField($1, to: &$2) })
    case .wrongType: ReasonRow("WRONG_TYPE", 580022, .field, .written { $0.writeWrongType($1, to: &$2) })
    case .invalidValue: ReasonRow("INVALID_VALUE", 580022, .field, .written { $0.writeInvalid($1, to: &$2) })
    case .invalidRecipient:
      ReasonRow(
        "INVALID_RECIPIENT", 589039, .field,
        .value("; expected an email address or a phone number like +14029352050"))
    case .invalidCardNumber:
      ReasonRow(
        "INVALID_CARD_NUMBER", 580022, .field,
        .fixed("cardNumber is not valid; expected a string of 13 to 19 digits whose Luhn sum is right"))
    case .decimalSyntax:
      ReasonRow(
        "DECIMAL_SYNTAX", 580022, .field,
        .value("; expected a decimal like 12.34 of at most 64 digits and an exponent from -64 to 64"))
    case .negativeAmount:
      ReasonRow("NEGATIVE_AMOUNT", 580022, .field, .value("; expected no value below zero"))
    case .amountNotPositive:
      ReasonRow("AMOUNT_NOT_POSITIVE", 580022, .field, .value("; expected a value above zero"))
    case .amountPrecision:
      ReasonRow("AMOUNT_PRECISION", 580022, .field, .written { $0.writePrecision($1, to: &$2) })
    case .currencyNotSupported:
      ReasonRow(
        "CURRENCY_NOT_SUPPORTED", 580027, .field,
        .value("; expected one of the currencies that settle currencies lists"))
    case .countryNotSupported:
      ReasonRow(
        "COUNTRY_NOT_SUPPORTED", 539041, .field, .value("; expected a two-letter country code in upper case"))
    case .currencyInCountryOnly:
      ReasonRow("CURRENCY_IN_COUNTRY_ONLY", 580001, .field, .written { $0.writeOnlyCountry(to: &$2) })
    case .paymentShape:
      ReasonRow(
        "PAYMENT_SHAPE", 580022, .record,
        .fixed("expected either receiverPaymentDetails or recipient and subTotal"))
    case .refundShape:
      ReasonRow("REFUND_SHAPE", 580022, .record, .fixed("expected either amount or receivers or none of both"))
    case .receiverCount:
      ReasonRow("RECEIVER_COUNT", 579007, .field, .written { $0.writeReceiverCount($1, to: &$2) })
    case .multiplePrimary:
      ReasonRow("MULTIPLE_PRIMARY", 580022, .field, .written { $0.writePrimaryCount($1, to: &$2) })
    case .receiversNotUnique:
      ReasonRow(
        "RECEIVERS_NOT_UNIQUE", 579040, .field,
        .written { $0.writeRecipient($1, "as an earlier receiver; each may stand once", to: &$2) })
    case .senderIsReceiver:
      ReasonRow(
        "SENDER_IS_RECEIVER", 579033, .field,
        .written { $0.writeRecipient($1, "as the sender; nobody can pay themselves", to: &$2) })
    case .paymentTypeMixed:
      ReasonRow(
        "PAYMENT_TYPE_MIXED", 580023, .field, .fixed("receivers differ in paymentType; expected the same for all"))
    case .personalNotAllowed:
      ReasonRow(
        "PERSONAL_NOT_ALLOWED", 580023, .field,
        .fixed("paymentType is TYPE_PERSONAL; not allowed in a chained payment"))
    case .subtypeNotAllowed:
      ReasonRow("SUBTYPE_NOT_ALLOWED", 580022, .field, .value("; only TYPE_SERVICE takes a subtype"))
    case .fundingSourceMismatch:
      ReasonRow("FUNDING_SOURCE_MISMATCH", 580022, .field, .value("; beside a card only CARD is allowed"))
    case .cardExpired:
      ReasonRow(
        "CARD_EXPIRED", 580022, .field, .fixed("the card was good until a month before that of createdAt"))
    case .adjustmentFailed:
      ReasonRow("ADJUSTMENT_FAILED", nil, .field, .value("; the amounts were not adjusted and no payment was made"))
    case .adjustmentCanceled:
      ReasonRow("ADJUSTMENT_CANCELED", nil, .field, .value("; the payment was canceled"))
    case .adjustedAmountsMismatch:
      ReasonRow("ADJUSTED_AMOUNTS_MISMATCH", 580022, .field, .written { $0.writeAdjustment($1, to: &$2) })
    case .splitTerms:
      ReasonRow("SPLIT_TERMS", 580022, .field, .written { $0.writeSplitTerms($1, to: &$2) })
    case .itemTotalMismatch:
      ReasonRow(
        "ITEM_TOTAL_MISMATCH", nil, .field, .figures("totalPrice is ", "; itemPrice x itemCount is "))
    case .invoiceSubtotalMismatch:
      ReasonRow("INVOICE_SUBTOTAL_MISMATCH", nil, .field, .figures("items sum to ", "; the subtotal is "))
    case .taxMismatch:
      ReasonRow("TAX_MISMATCH", nil, .field, .figures("the tax is ", "; by the rate of the address it is "))
    case .splitExceedsTotal:
      ReasonRow("SPLIT_EXCEEDS_TOTAL", nil, .field, .written { $0.writeSplitTotal("promise more", to: &$2) })
    case .splitNotWhole:
      ReasonRow("SPLIT_NOT_WHOLE", nil, .field, .written { $0.writeSplitTotal("make up less", to: &$2) })
    case .splitZeroPart:
      ReasonRow(
        "SPLIT_ZERO_PART", nil, .field, .fixed("the part comes to zero; give min 0 where that is wanted"))
    case .chainExceedsPrimary:
      ReasonRow(
        "CHAIN_EXCEEDS_PRIMARY", 579017, .field,
        .figures("secondary receivers get ", "; the primary gets only "))
    case .feePayerNotAllowed:
      ReasonRow("FEE_PAYER_NOT_ALLOWED", 580023, .field, .written { $0.writeFeePayer($1, to: &$2) })
    case .senderRequired:
      ReasonRow("SENDER_REQUIRED", 579010, .field, .fixed("nobody is named as the sender of the agreement"))
    case .dateOutOfRange:
      ReasonRow("DATE_OUT_OF_RANGE", 580022, .field, .written { $0.writeDateOutOfRange($1, to: &$2) })
    case .dateRangeTooWide:
      ReasonRow("DATE_RANGE_TOO_WIDE", 579038, .field, .value("; expected at most a year after startingDate"))
    case .limitAboveTotal:
      ReasonRow(
        "LIMIT_ABOVE_TOTAL", 580022, .field,
        .figures("maxAmountPerPayment is ", "; maxTotalAmountOfAllPayments is only "))
    case .feesExceedAmount:
      ReasonRow("FEES_EXCEED_AMOUNT", nil, .field, .figures("fees are ", "; their bearer keeps only "))
    case .duplicatePayKey:
      ReasonRow(
        "DUPLICATE_PAY_KEY", 579042, .key, .fixed("an earlier payment of the batch has the same payKey"))
    case .alreadySettled:
      ReasonRow("ALREADY_SETTLED", 579042, .key, .written { $0.writeEarlierRun($1, "settled a payment", to: &$2) })
    case .preapprovalExists:
      ReasonRow("PREAPPROVAL_EXISTS", 580022, .field, .fixed("an agreement has this key already"))
    case .preapprovalUnknown: ReasonRow("PREAPPROVAL_UNKNOWN", 589019, .field, .fixed("no agreement has this key"))
    case .preapprovalCanceled: ReasonRow("PREAPPROVAL_CANCELED", 569013, .field, .fixed("the agreement is canceled"))
    case .preapprovalNotPending:
      ReasonRow(
        "PREAPPROVAL_NOT_PENDING", 550001, .field,
        .fixed("the agreement is confirmed already or was made more than 3 hours before or is not made yet"))
    case .preapprovalNotConfirmed:
      ReasonRow("PREAPPROVAL_NOT_CONFIRMED", 539012, .field, .fixed("the agreement is not confirmed"))
    case .preapprovalSender:
      ReasonRow("PREAPPROVAL_SENDER", 579014, .field, .fixed("the agreement is another sender's"))
    case .preapprovalCurrency:
      ReasonRow("PREAPPROVAL_CURRENCY", 579027, .field, .fixed("the agreement is for another currency"))
    case .preapprovalFeePayer:
      ReasonRow("PREAPPROVAL_FEE_PAYER", 580023, .field, .fixed("the agreement has another bear the fees"))
    case .preapprovalPIN:
      ReasonRow("PREAPPROVAL_PIN", nil, .field, .fixed("the agreement asks for a PIN; expected pinVerified true"))
    case .preapprovalDates:
      ReasonRow(
        "PREAPPROVAL_DATES", 579024, .field, .fixed("the day is before the agreement's first or after its last"))
    case .preapprovalDayOfWeek:
      ReasonRow("PREAPPROVAL_DAY_OF_WEEK", 579025, .field, .fixed("the agreement is for another day of the week"))
    case .preapprovalDayOfMonth:
      ReasonRow("PREAPPROVAL_DAY_OF_MONTH", 579026, .field, .fixed("the agreement is for another day of the month"))
    case .preapprovalPaymentMax:
      ReasonRow(
        "PREAPPROVAL_PAYMENT_MAX", 579028, .field, .figures("the sender pays ", "; the agreement allows a payment of "))
    case .preapprovalCount:
      ReasonRow("PREAPPROVAL_COUNT", nil, .field, .figures("this is payment ", "; the agreement allows only "))
    case .preapprovalPeriodCount:
      ReasonRow(
        "PREAPPROVAL_PERIOD_COUNT", 579030, .field,
        .figures("this is payment ", " of its period; the agreement allows only "))
    case .preapprovalTotal:
      ReasonRow(
        "PREAPPROVAL_TOTAL", 579031, .field,
        .figures("all payments would come to ", "; the agreement allows only "))
    case .duplicateRefundKey:
      ReasonRow(
        "DUPLICATE_REFUND_KEY", 579042, .key, .fixed("an earlier refund of the batch has the same refundKey"))
    case .alreadyRefunded:
      ReasonRow("ALREADY_REFUNDED", 579042, .key, .written { $0.writeEarlierRun($1, "made a refund", to: &$2) })
    case .paymentNotSettled:
      ReasonRow("PAYMENT_NOT_SETTLED", 589018, .field, .fixed("no payment with this key is settled"))
    case .refundWindowPassed:
      ReasonRow("REFUND_WINDOW_PASSED", 570017, .field, .fixed("the payment was settled too long ago"))
    case .fullyRefunded: ReasonRow("FULLY_REFUNDED", 570015, .field, .fixed("nothing remains of the payment"))
    case .refundCurrency: ReasonRow("REFUND_CURRENCY", 589036, .field, .fixed("the payment has another currency"))
    case .fullAfterPartial:
      ReasonRow(
        "FULL_AFTER_PARTIAL", 570012, .field,
        .fixed("a part of the payment is refunded already; ask for the rest by its amount"))
    case .refundReceiverUnknown:
      ReasonRow("REFUND_RECEIVER_UNKNOWN", 589037, .field, .fixed("the payment has no such receiver"))
    case .partialRefundNotAllowed:
      ReasonRow(
        "PARTIAL_REFUND_NOT_ALLOWED", 560016, .field,
        .figures("amount is ", "; a personal payment is refunded by all that remains: "))
    case .refundExceedsRemaining:
      ReasonRow("REFUND_EXCEEDS_REMAINING", 570014, .field, .figures("amount is ", "; there remains only "))
    }
  }
}
