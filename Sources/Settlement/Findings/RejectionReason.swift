/// Why a record is rejected: the error table of `rules.md`, closed, in its order.
///
/// The numbers are the order in which reports list several errors of a record. They and the codes are fixed once
/// published and never reused; new reasons are appended.
public enum RejectionReason: UInt8, CaseIterable, Sendable {
  // Structural: the first that applies is the record's only one, and has no field.
  /// The record is longer than 1,048,576 bytes.
  case recordTooLong = 0
  /// The line is not UTF-8.
  case invalidUTF8 = 1
  /// Not exactly one RFC 8259 value of at most 64 levels.
  case malformedJSON = 2
  /// A JSON value, but no object.
  case notAnObject = 3
  /// A field of `batch.md` twice in one object.
  case duplicateField = 4
  /// `type` is none of the three.
  case unknownRecordType = 5

  // Of a single value.
  /// A required field is absent or null.
  case missingField = 6
  /// Another JSON type than the tables say.
  case wrongType = 7
  /// A string, date, address or enumerated value outside its table.
  case invalidValue = 8
  /// A recipient or sender that is no account.
  case invalidRecipient = 9
  /// No decimal, or over its limits.
  case decimalSyntax = 10
  /// Below zero.
  case negativeAmount = 11
  /// Zero where it must be above zero.
  case amountNotPositive = 12
  /// More decimals than the currency allows.
  case amountPrecision = 13
  /// Not one of the 24 currencies.
  case currencyNotSupported = 14
  /// No country of the table.
  case countryNotSupported = 15

  // Of several values together.
  /// BRL, MYR or TRY with a party in another country.
  case currencyInCountryOnly = 16
  /// Both shapes, or none.
  case paymentShape = 17
  /// A number of receivers that no kind has.
  case receiverCount = 18
  /// Two or more primary receivers.
  case multiplePrimary = 19
  /// A recipient equals an earlier one of the payment.
  case receiversNotUnique = 20
  /// A recipient equals the sender.
  case senderIsReceiver = 21
  /// Receivers differ in payment type.
  case paymentTypeMixed = 22
  /// A personal receiver in a chained payment.
  case personalNotAllowed = 23
  /// A subtype on a type other than service.
  case subtypeNotAllowed = 24
  /// An item's total price is above price times count.
  case itemTotalMismatch = 25
  /// The items do not add up to the subtotal.
  case invoiceSubtotalMismatch = 26
  /// The primary would pass on more than it receives.
  case chainExceedsPrimary = 27
  /// The fee payer does not go with the kind of payment.
  case feePayerNotAllowed = 28
  /// The fees are more than their bearer keeps.
  case feesExceedAmount = 29
  /// An earlier payment of the batch carries the same pay key.
  case duplicatePayKey = 30
  /// An earlier run settled a payment with the same pay key (`ledger.md`).
  case alreadySettled = 31

  /// The code in reports.
  public var code: StaticString {
    switch self {
    case .recordTooLong: "RECORD_TOO_LONG"
    case .invalidUTF8: "INVALID_UTF8"
    case .malformedJSON: "MALFORMED_JSON"
    case .notAnObject: "NOT_AN_OBJECT"
    case .duplicateField: "DUPLICATE_FIELD"
    case .unknownRecordType: "UNKNOWN_RECORD_TYPE"
    case .missingField: "MISSING_FIELD"
    case .wrongType: "WRONG_TYPE"
    case .invalidValue: "INVALID_VALUE"
    case .invalidRecipient: "INVALID_RECIPIENT"
    case .decimalSyntax: "DECIMAL_SYNTAX"
    case .negativeAmount: "NEGATIVE_AMOUNT"
    case .amountNotPositive: "AMOUNT_NOT_POSITIVE"
    case .amountPrecision: "AMOUNT_PRECISION"
    case .currencyNotSupported: "CURRENCY_NOT_SUPPORTED"
    case .countryNotSupported: "COUNTRY_NOT_SUPPORTED"
    case .currencyInCountryOnly: "CURRENCY_IN_COUNTRY_ONLY"
    case .paymentShape: "PAYMENT_SHAPE"
    case .receiverCount: "RECEIVER_COUNT"
    case .multiplePrimary: "MULTIPLE_PRIMARY"
    case .receiversNotUnique: "RECEIVERS_NOT_UNIQUE"
    case .senderIsReceiver: "SENDER_IS_RECEIVER"
    case .paymentTypeMixed: "PAYMENT_TYPE_MIXED"
    case .personalNotAllowed: "PERSONAL_NOT_ALLOWED"
    case .subtypeNotAllowed: "SUBTYPE_NOT_ALLOWED"
    case .itemTotalMismatch: "ITEM_TOTAL_MISMATCH"
    case .invoiceSubtotalMismatch: "INVOICE_SUBTOTAL_MISMATCH"
    case .chainExceedsPrimary: "CHAIN_EXCEEDS_PRIMARY"
    case .feePayerNotAllowed: "FEE_PAYER_NOT_ALLOWED"
    case .feesExceedAmount: "FEES_EXCEED_AMOUNT"
    case .duplicatePayKey: "DUPLICATE_PAY_KEY"
    case .alreadySettled: "ALREADY_SETTLED"
    }
  }

  /// The error id of PayPal's Adaptive Payments API, or nil where it has none.
  public var payPalErrorID: Int? {
    switch self {
    case .missingField: 580029
    case .wrongType, .invalidValue, .decimalSyntax, .negativeAmount, .amountNotPositive, .amountPrecision,
      .paymentShape, .multiplePrimary, .subtypeNotAllowed:
      580022
    case .invalidRecipient: 589039
    case .currencyNotSupported: 580027
    case .countryNotSupported: 539041
    case .currencyInCountryOnly: 580001
    case .receiverCount: 579007
    case .receiversNotUnique: 579040
    case .senderIsReceiver: 579033
    case .paymentTypeMixed, .personalNotAllowed, .feePayerNotAllowed: 580023
    case .chainExceedsPrimary: 579017
    case .duplicatePayKey, .alreadySettled: 579042
    case .recordTooLong, .invalidUTF8, .malformedJSON, .notAnObject, .duplicateField, .unknownRecordType,
      .itemTotalMismatch, .invoiceSubtotalMismatch, .feesExceedAmount:
      nil
    }
  }

  /// Whether the error is of the record's structure: it is the only one and has no field.
  public var isStructural: Bool { self <= .unknownRecordType }
}

extension RejectionReason: Comparable {
  /// The order of the error table.
  @inlinable
  public static func < (left: RejectionReason, right: RejectionReason) -> Bool { left.rawValue < right.rawValue }
}
