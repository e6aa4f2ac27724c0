/// What is worth saying of a record without being a reason to reject it (`rules.md`, "Notices").
///
/// The numbers are fixed and never reused.
public enum Notice: UInt8, CaseIterable, Sendable {
  /// A field that its object does not have.
  case unknownField = 0
  /// An item's total price is below price times count: a discount or coupon.
  case itemDiscounted = 1
  /// An invoice without items; its sum is not checked.
  case invoiceWithoutItems = 2
  /// The fee of a personal payment to India or Germany, borne by the receiver although the sender was to.
  case feePayerOverridden = 3
  /// A fee cut to what its receiver keeps.
  case feeCapped = 4
  /// A receiver of a split that was given a minor unit that cutting left over.
  case splitRounded = 5
  /// A receiver whose amounts are the adjusted ones.
  case amountsAdjusted = 6
  /// A payment for whose address the table of tax rates has no rate.
  case taxNotChecked = 7
  /// An amount written with more decimals than its currency has.
  case surplusDecimals = 8

  /// The code in reports.
  public var code: StaticString {
    switch self {
    case .unknownField: "UNKNOWN_FIELD"
    case .itemDiscounted: "ITEM_DISCOUNTED"
    case .invoiceWithoutItems: "INVOICE_WITHOUT_ITEMS"
    case .feePayerOverridden: "FEE_PAYER_OVERRIDDEN"
    case .feeCapped: "FEE_CAPPED"
    case .splitRounded: "SPLIT_ROUNDED"
    case .amountsAdjusted: "AMOUNTS_ADJUSTED"
    case .taxNotChecked: "TAX_NOT_CHECKED"
    case .surplusDecimals: "SURPLUS_DECIMALS"
    }
  }
}
