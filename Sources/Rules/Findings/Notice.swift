/// Something worth reporting about a record that is no reason to reject it (`rules.md`, "Notices").
///
/// The numbers are fixed and never reused.
public enum Notice: UInt8, CaseIterable, Sendable {
  /// A field that is not defined for its object.
  case unknownField = 0
  /// An item's total price is below price times count: a discount or coupon.
  case itemDiscounted = 1
  /// An invoice without items: the sum of its items is not checked.
  case invoiceWithoutItems = 2
  /// A personal payment to India or Germany whose fee the receiver bears, although the sender was to bear it.
  case feePayerOverridden = 3
  /// A fee that was reduced to what its receiver keeps.
  case feeCapped = 4
  /// A receiver of a split that got one of the minor units that rounding down left over.
  case splitRounded = 5
  /// A receiver whose amounts were replaced by the adjusted ones.
  case amountsAdjusted = 6
  /// A payment without an address, or with one for which the table of tax rates has no rate.
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
