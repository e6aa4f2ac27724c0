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

  static func fixed(
    _ code: StaticString, _ id: Int?, _ words: StaticString, _ target: RejectionReason.Target = .field
  ) -> ReasonRow {
    ReasonRow(code: code, payPalErrorID: id, target: target, message: .fixed(words))
  }

  static func value(_ code: StaticString, _ id: Int?, _ expected: StaticString) -> ReasonRow {
    ReasonRow(code: code, payPalErrorID: id, target: .field, message: .value(expected))
  }

  static func figures(
    _ code: StaticString, _ id: Int?, _ found: StaticString, _ expected: StaticString
  ) -> ReasonRow {
    ReasonRow(code: code, payPalErrorID: id, target: .field, message: .figures(found, expected))
  }

  static func written(
    _ code: StaticString, _ id: Int?, _ target: RejectionReason.Target = .field,
    _ write: @escaping (inout RecordAssessor, Finding, inout TextBuffer) -> Void
  ) -> ReasonRow {
    ReasonRow(code: code, payPalErrorID: id, target: target, message: .written(write))
  }
}

extension RejectionReason {
  /// The reason's row of the table.
  var row: ReasonRow {
    switch self {
    case .recordTooLong: .fixed("RECORD_TOO_LONG", nil, "record is over the limit of 1048576 bytes", .structure)
    case .invalidUTF8: .fixed("INVALID_UTF8", nil, "line is not UTF-8", .structure)
    case .malformedJSON:
      .written("MALFORMED_JSON", nil, .structure) { assessor, _, text in assessor.writeFault(to: &text) }
    case .notAnObject: .fixed("NOT_AN_OBJECT", nil, "record is no JSON object", .structure)
    case .duplicateField:
      .written("DUPLICATE_FIELD", nil, .structure) { assessor, _, text in assessor.writeDuplicate(to: &text) }
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
    case .currencyInCountryOnly: .written("CURRENCY_IN_COUNTRY_ONLY", 580001) { $0.writeOnlyCountry(to: &$2) }
    case .paymentShape:
      .fixed("PAYMENT_SHAPE", 580022, "expected either receiverPaymentDetails or recipient and subTotal", .record)
    case .refundShape: .fixed("REFUND_SHAPE", 580022, "expected either amount or receivers or none of both", .record)
    case .receiverCount: .written("RECEIVER_COUNT", 579007) { $0.writeReceiverCount($1, to: &$2) }
    case .multiplePrimary: .written("MULTIPLE_PRIMARY", 580022) { $0.writePrimaryCount($1, to: &$2) }
    case .receiversNotUnique:
      .written("RECEIVERS_NOT_UNIQUE", 579040) {
        $0.writeRecipient($1, "as an earlier receiver; each may stand once", to: &$2)
      }
    case .senderIsReceiver:
      .written("SENDER_IS_RECEIVER", 579033) {
        $0.writeRecipient($1, "as the sender; nobody can pay themselves", to: &$2)
      }
    case .paymentTypeMixed:
      .fixed("PAYMENT_TYPE_MIXED", 580023, "receivers differ in paymentType; expected the same for all")
    case .personalNotAllowed:
      .fixed("PERSONAL_NOT_ALLOWED", 580023, "paymentType is TYPE_PERSONAL; not allowed in a chained payment")
    case .subtypeNotAllowed: .value("SUBTYPE_NOT_ALLOWED", 580022, "; only TYPE_SERVICE takes a subtype")
    case .fundingSourceMismatch: .value("FUNDING_SOURCE_MISMATCH", 580022, "; beside a card only CARD is allowed")
    case .cardExpired: .fixed("CARD_EXPIRED", 580022, "the card was good until a month before that of createdAt")
    case .adjustmentFailed: .value("ADJUSTMENT_FAILED", nil, "; the amounts were not adjusted and no payment was made")
    case .adjustmentCanceled: .value("ADJUSTMENT_CANCELED", nil, "; the payment was canceled")
    case .adjustedAmountsMismatch: .written("ADJUSTED_AMOUNTS_MISMATCH", 580022) { $0.writeAdjustment($1, to: &$2) }
    case .splitTerms: .written("SPLIT_TERMS", 580022) { $0.writeSplitTerms($1, to: &$2) }
    case .itemTotalMismatch: .figures("ITEM_TOTAL_MISMATCH", nil, "totalPrice is ", "; itemPrice x itemCount is ")
    case .invoiceSubtotalMismatch: .figures("INVOICE_SUBTOTAL_MISMATCH", nil, "items sum to ", "; the subtotal is ")
    case .taxMismatch: .figures("TAX_MISMATCH", nil, "the tax is ", "; by the rate of the address it is ")
    case .splitExceedsTotal: .written("SPLIT_EXCEEDS_TOTAL", nil) { $0.writeSplitTotal("promise more", to: &$2) }
    case .splitNotWhole: .written("SPLIT_NOT_WHOLE", nil) { $0.writeSplitTotal("make up less", to: &$2) }
    case .splitZeroPart: .fixed("SPLIT_ZERO_PART", nil, "the part comes to zero; give min 0 if that is wanted")
    case .chainExceedsPrimary:
      .figures("CHAIN_EXCEEDS_PRIMARY", 579017, "secondary receivers get ", "; the primary gets only ")
    case .feePayerNotAllowed: .written("FEE_PAYER_NOT_ALLOWED", 580023) { $0.writeFeePayer($1, to: &$2) }
    case .senderRequired: .fixed("SENDER_REQUIRED", 579010, "nobody is named as the sender of the agreement")
    case .dateOutOfRange: .written("DATE_OUT_OF_RANGE", 580022) { $0.writeDateOutOfRange($1, to: &$2) }
    case .dateRangeTooWide: .value("DATE_RANGE_TOO_WIDE", 579038, "; expected at most a year after startingDate")
    case .limitAboveTotal:
      .figures("LIMIT_ABOVE_TOTAL", 580022, "maxAmountPerPayment is ", "; maxTotalAmountOfAllPayments is only ")
    case .feesExceedAmount: .figures("FEES_EXCEED_AMOUNT", nil, "fees are ", "; their bearer keeps only ")
    case .duplicatePayKey:
      .fixed("DUPLICATE_PAY_KEY", 579042, "an earlier payment of the batch has the same payKey", .key)
    case .alreadySettled:
      .written("ALREADY_SETTLED", 579042, .key) { $0.writeEarlierRun($1, "settled a payment", to: &$2) }
    case .preapprovalExists: .fixed("PREAPPROVAL_EXISTS", 580022, "an agreement has this key already")
    case .preapprovalUnknown: .fixed("PREAPPROVAL_UNKNOWN", 589019, "no agreement has this key")
    case .preapprovalCanceled: .fixed("PREAPPROVAL_CANCELED", 569013, "the agreement is canceled")
    case .preapprovalNotPending:
      .fixed(
        "PREAPPROVAL_NOT_PENDING", 550001,
        "the agreement is confirmed already or was made more than 3 hours before or is not made yet")
    case .preapprovalNotConfirmed: .fixed("PREAPPROVAL_NOT_CONFIRMED", 539012, "the agreement is not confirmed")
    case .preapprovalSender: .fixed("PREAPPROVAL_SENDER", 579014, "the agreement is another sender's")
    case .preapprovalCurrency: .fixed("PREAPPROVAL_CURRENCY", 579027, "the agreement is for another currency")
    case .preapprovalFeePayer: .fixed("PREAPPROVAL_FEE_PAYER", 580023, "the agreement has another bear the fees")
    case .preapprovalPIN: .fixed("PREAPPROVAL_PIN", nil, "the agreement asks for a PIN; expected pinVerified true")
    case .preapprovalDates:
      .fixed("PREAPPROVAL_DATES", 579024, "the day is before the agreement's first or after its last")
    case .preapprovalDayOfWeek:
      .fixed("PREAPPROVAL_DAY_OF_WEEK", 579025, "the agreement is for another day of the week")
    case .preapprovalDayOfMonth:
      .fixed("PREAPPROVAL_DAY_OF_MONTH", 579026, "the agreement is for another day of the month")
    case .preapprovalPaymentMax:
      .figures("PREAPPROVAL_PAYMENT_MAX", 579028, "the sender pays ", "; the agreement allows a payment of ")
    case .preapprovalCount: .figures("PREAPPROVAL_COUNT", nil, "this is payment ", "; the agreement allows only ")
    case .preapprovalPeriodCount:
      .figures("PREAPPROVAL_PERIOD_COUNT", 579030, "this is payment ", " of its period; the agreement allows only ")
    case .preapprovalTotal:
      .figures("PREAPPROVAL_TOTAL", 579031, "all payments would come to ", "; the agreement allows only ")
    case .duplicateRefundKey:
      .fixed("DUPLICATE_REFUND_KEY", 579042, "an earlier refund of the batch has the same refundKey", .key)
    case .alreadyRefunded:
      .written("ALREADY_REFUNDED", 579042, .key) { $0.writeEarlierRun($1, "made a refund", to: &$2) }
    case .paymentNotSettled: .fixed("PAYMENT_NOT_SETTLED", 589018, "no payment with this key is settled")
    case .refundWindowPassed: .fixed("REFUND_WINDOW_PASSED", 570017, "the payment was settled too long ago")
    case .fullyRefunded: .fixed("FULLY_REFUNDED", 570015, "nothing remains of the payment")
    case .refundCurrency: .fixed("REFUND_CURRENCY", 589036, "the payment has another currency")
    case .fullAfterPartial:
      .fixed("FULL_AFTER_PARTIAL", 570012, "a part of the payment is refunded already; ask for the rest by its amount")
    case .refundReceiverUnknown: .fixed("REFUND_RECEIVER_UNKNOWN", 589037, "the payment has no such receiver")
    case .partialRefundNotAllowed:
      .figures(
        "PARTIAL_REFUND_NOT_ALLOWED", 560016, "amount is ", "; a personal payment is refunded by all that remains: ")
    case .refundExceedsRemaining: .figures("REFUND_EXCEEDS_REMAINING", 570014, "amount is ", "; there remains only ")
    }
  }
}
