import Failures
import Rules
import Testing

@Suite("Rejection reasons: codes, order and PayPal error ids as in rules.md")
struct RejectionReasonTests {
  /// The two error tables of rules.md, in their order.
  static let table: [(code: String, payPalErrorID: Int?)] = [
    ("RECORD_TOO_LONG", nil), ("INVALID_UTF8", nil), ("MALFORMED_JSON", nil), ("NOT_AN_OBJECT", nil),
    ("DUPLICATE_FIELD", nil), ("UNKNOWN_RECORD_TYPE", nil),
    ("MISSING_FIELD", 580_029), ("UNKNOWN_FIELD", 580_022), ("WRONG_TYPE", 580_022), ("INVALID_VALUE", 580_022),
    ("INVALID_RECIPIENT", 589_039), ("INVALID_CARD_NUMBER", 580_022),
    ("DECIMAL_SYNTAX", 580_022), ("NEGATIVE_AMOUNT", 580_022), ("AMOUNT_NOT_POSITIVE", 580_022),
    ("AMOUNT_PRECISION", 580_022), ("CURRENCY_NOT_SUPPORTED", 580_027), ("COUNTRY_NOT_SUPPORTED", 539_041),
    ("CURRENCY_IN_COUNTRY_ONLY", 580_001), ("PAYMENT_SHAPE", 580_022), ("REFUND_SHAPE", 580_022),
    ("RECEIVER_COUNT", 579_007),
    ("MULTIPLE_PRIMARY", 580_022), ("RECEIVERS_NOT_UNIQUE", 579_040), ("SENDER_IS_RECEIVER", 579_033),
    ("PAYMENT_TYPE_MIXED", 580_023), ("PERSONAL_NOT_ALLOWED", 580_023), ("SUBTYPE_NOT_ALLOWED", 580_022),
    ("FUNDING_SOURCE_MISMATCH", 580_022), ("CARD_EXPIRED", 580_022), ("ADJUSTMENT_FAILED", nil),
    ("ADJUSTMENT_CANCELED", nil), ("ADJUSTED_AMOUNTS_MISMATCH", 580_022), ("SPLIT_TERMS", 580_022),
    ("ITEM_TOTAL_MISMATCH", nil), ("INVOICE_SUBTOTAL_MISMATCH", nil), ("TAX_MISMATCH", nil),
    ("SPLIT_EXCEEDS_TOTAL", nil), ("SPLIT_NOT_WHOLE", nil), ("SPLIT_ZERO_PART", nil),
    ("CHAIN_EXCEEDS_PRIMARY", 579_017),
    ("FEE_PAYER_NOT_ALLOWED", 580_023), ("SENDER_REQUIRED", 579_010), ("DATE_OUT_OF_RANGE", 580_022),
    ("DATE_RANGE_TOO_WIDE", 579_038), ("LIMIT_ABOVE_TOTAL", 580_022), ("FEES_EXCEED_AMOUNT", nil),
    ("DUPLICATE_PAY_KEY", 579_042),
    ("ALREADY_SETTLED", 579_042),
    ("PREAPPROVAL_EXISTS", 580_022), ("PREAPPROVAL_UNKNOWN", 589_019), ("PREAPPROVAL_CANCELED", 569_013),
    ("PREAPPROVAL_NOT_PENDING", 550_001), ("PREAPPROVAL_NOT_CONFIRMED", 539_012), ("PREAPPROVAL_SENDER", 579_014),
    ("PREAPPROVAL_CURRENCY", 579_027), ("PREAPPROVAL_FEE_PAYER", 580_023), ("PREAPPROVAL_PIN", nil),
    ("PREAPPROVAL_DATES", 579_024), ("PREAPPROVAL_DAY_OF_WEEK", 579_025), ("PREAPPROVAL_DAY_OF_MONTH", 579_026),
    ("PREAPPROVAL_PAYMENT_MAX", 579_028), ("PREAPPROVAL_COUNT", nil), ("PREAPPROVAL_PERIOD_COUNT", 579_030),
    ("PREAPPROVAL_TOTAL", 579_031),
    ("DUPLICATE_REFUND_KEY", 579_042), ("ALREADY_REFUNDED", 579_042), ("PAYMENT_NOT_SETTLED", 589_018),
    ("REFUND_WINDOW_PASSED", 570_017), ("FULLY_REFUNDED", 570_015), ("REFUND_CURRENCY", 589_036),
    ("FULL_AFTER_PARTIAL", 570_012), ("REFUND_RECEIVER_UNKNOWN", 589_037), ("PARTIAL_REFUND_NOT_ALLOWED", 560_016),
    ("REFUND_EXCEEDS_REMAINING", 570_014),
  ]

  @Test("the cases are the table's rows, in its order")
  func followTheTable() {
    #expect(RejectionReason.allCases.map(\.code.description) == Self.table.map(\.code))
    #expect(RejectionReason.allCases.map(\.payPalErrorID) == Self.table.map(\.payPalErrorID))
    #expect(RejectionReason.allCases.map { Int($0.rawValue) } == Array(Self.table.indices))
    #expect(RejectionReason.allCases.sorted() == RejectionReason.allCases)
  }

  @Test("only the first six are structural")
  func structuralOnesComeFirst() {
    #expect(RejectionReason.allCases.map(\.isStructural) == Self.table.indices.map { $0 < 6 })
  }

  @Test("notices have the codes in rules.md")
  func notices() {
    #expect(
      Notice.allCases.map(\.code.description) == [
        "UNKNOWN_FIELD", "ITEM_DISCOUNTED", "INVOICE_WITHOUT_ITEMS", "FEE_PAYER_OVERRIDDEN", "FEE_CAPPED",
        "SPLIT_ROUNDED", "AMOUNTS_ADJUSTED", "TAX_NOT_CHECKED", "SURPLUS_DECIMALS",
        "TEXT_TOO_LONG", "TEXT_EMPTY", "URL_NOT_USED", "COUNTRY_NOT_USED", "ADJUSTED_WITHOUT_ADDRESS", "TAX_ROUNDED",
        "FEE_NOT_SET",
      ])
    #expect(Notice.allCases.map { Int($0.number) } == Array(0...15))
  }

  @Test("batch errors have the codes in rules.md and ledger.md")
  func batchErrors() {
    #expect(
      BatchErrorCode.allCases.map(\.code.description) == [
        "CORRUPT_BATCH", "HEADER_NOT_FIRST", "TRAILER_NOT_LAST", "INVALID_HEADER", "INVALID_TRAILER",
        "TRAILER_MISSING", "CONTROL_COUNT_MISMATCH", "CONTROL_TOTAL_MISMATCH", "BATCH_RULES_CHANGED", "BATCH_ID_REUSED",
        "NOT_A_BATCH", "TOO_MANY_REJECTED",
      ])
  }
}
