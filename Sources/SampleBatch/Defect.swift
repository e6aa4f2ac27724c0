/// What can be wrong with a record: one case for each error code of the rules, in the order of their tables.
public enum Defect: String, CaseIterable, Sendable {
  /// A record over the limit of 1,048,576 bytes.
  case recordTooLong = "RECORD_TOO_LONG"
  /// A line that is not UTF-8.
  case invalidUTF8 = "INVALID_UTF8"
  /// A line that is not JSON.
  case malformedJSON = "MALFORMED_JSON"
  /// A line that is JSON, but no object.
  case notAnObject = "NOT_AN_OBJECT"
  /// A field that stands twice in one object.
  case duplicateField = "DUPLICATE_FIELD"
  /// A `type` that is none of the three.
  case unknownRecordType = "UNKNOWN_RECORD_TYPE"
  /// A required field that is absent or null.
  case missingField = "MISSING_FIELD"
  /// A field of another JSON type.
  case wrongType = "WRONG_TYPE"
  /// A string, date, URL or enumerated value outside its table.
  case invalidValue = "INVALID_VALUE"
  /// A party that is no account.
  case invalidRecipient = "INVALID_RECIPIENT"
  /// An amount that is no decimal.
  case decimalSyntax = "DECIMAL_SYNTAX"
  /// An amount below zero.
  case negativeAmount = "NEGATIVE_AMOUNT"
  /// Zero where it must be above zero.
  case amountNotPositive = "AMOUNT_NOT_POSITIVE"
  /// More decimals than the currency allows.
  case amountPrecision = "AMOUNT_PRECISION"
  /// A currency that is none of the 24.
  case currencyNotSupported = "CURRENCY_NOT_SUPPORTED"
  /// A country that is not in the table.
  case countryNotSupported = "COUNTRY_NOT_SUPPORTED"
  /// A currency of one country, and a party in another.
  case currencyInCountryOnly = "CURRENCY_IN_COUNTRY_ONLY"
  /// Both shapes of a payment, or neither.
  case paymentShape = "PAYMENT_SHAPE"
  /// No receivers, too many, or a primary alone.
  case receiverCount = "RECEIVER_COUNT"
  /// More than one primary.
  case multiplePrimary = "MULTIPLE_PRIMARY"
  /// A receiver that stands twice.
  case receiversNotUnique = "RECEIVERS_NOT_UNIQUE"
  /// A receiver that is the sender.
  case senderIsReceiver = "SENDER_IS_RECEIVER"
  /// Receivers of different payment types.
  case paymentTypeMixed = "PAYMENT_TYPE_MIXED"
  /// A personal payment that is chained.
  case personalNotAllowed = "PERSONAL_NOT_ALLOWED"
  /// A subtype without the type that takes one.
  case subTypeNotAllowed = "SUBTYPE_NOT_ALLOWED"
  /// An item's total above its price times its count.
  case itemTotalMismatch = "ITEM_TOTAL_MISMATCH"
  /// Items that do not add up to the subtotal.
  case invoiceSubtotalMismatch = "INVOICE_SUBTOTAL_MISMATCH"
  /// A primary that passes on more than it gets.
  case chainExceedsPrimary = "CHAIN_EXCEEDS_PRIMARY"
  /// A fee payer that the kind of payment does not allow.
  case feePayerNotAllowed = "FEE_PAYER_NOT_ALLOWED"
  /// Fees above what their bearer keeps.
  case feesExceedAmount = "FEES_EXCEED_AMOUNT"
  /// The key of an earlier payment.
  case duplicatePayKey = "DUPLICATE_PAY_KEY"

  /// The error code of the rules.
  public var code: String { rawValue }

  /// Whether it spoils the record as a whole, so that nothing in it is read.
  var isStructural: Bool {
    switch self {
    case .recordTooLong, .invalidUTF8, .malformedJSON, .notAnObject, .duplicateField, .unknownRecordType: true
    default: false
    }
  }
}

/// Which payments of a batch are defective, and how.
struct DefectPlan {
  /// The defect of one payment.
  ///
  /// Payments with the same defect differ in `variant`, counted from 0.
  struct Assignment: Equatable {
    let defect: Defect
    let variant: Int
  }

  private let perMillion: Int

  /// Spreads defects evenly at `perMillion` or, where that is above 0 but would leave out a code, at the least rate
  /// that does not; a batch with fewer payments than there are codes keeps its rate.
  init(payments: Int, perMillion: UInt32) {
    precondition(perMillion <= 1_000_000, "a rate above 1")
    let kinds = Defect.allCases.count
    let least = perMillion > 0 && payments >= kinds ? (kinds * 1_000_000 + payments - 1) / payments : 0
    self.perMillion = max(Int(perMillion), least)
  }

  /// How many of the first `payments` payments are defective.
  func count(before payments: Int) -> Int { payments * perMillion / 1_000_000 }

  /// What is wrong with payment `index`, from 0, or nil where nothing is.
  @inline(__always)
  func assignment(of index: Int) -> Assignment? {
    let number = count(before: index)
    return count(before: index + 1) > number ? DefectPlan.assignment(number: number) : nil
  }

  /// What is wrong with the defective payment `number`, from 0.
  static func assignment(number: Int) -> Assignment {
    let kinds = Defect.allCases
    let (variant, place) = number.quotientAndRemainder(dividingBy: kinds.count)
    let defect = kinds[place]
    // A record over the limit has more than 1 MiB: one is enough for a batch.
    if defect == .recordTooLong, variant > 0 { return Assignment(defect: .malformedJSON, variant: variant) }
    return Assignment(defect: defect, variant: variant)
  }
}
