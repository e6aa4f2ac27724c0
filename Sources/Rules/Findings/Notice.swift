import Records

/// Something worth reporting about a record that is no reason to reject it (`rules.md`, "Notices").
///
/// The numbers are fixed and never reused.
public enum Notice: FixedText, FixedValue {
  /// A field that is not defined for its object.
  case unknownField = "UNKNOWN_FIELD"
  /// An item's total price is below price times count: a discount or coupon.
  case itemDiscounted = "ITEM_DISCOUNTED"
  /// An invoice without items: the sum of its items is not checked.
  case invoiceWithoutItems = "INVOICE_WITHOUT_ITEMS"
  /// A personal payment to India or Germany whose fee the receiver bears, although the sender was to bear it.
  case feePayerOverridden = "FEE_PAYER_OVERRIDDEN"
  /// A fee that was reduced to what its receiver keeps.
  case feeCapped = "FEE_CAPPED"
  /// A receiver of a split that got one of the minor units that rounding down left over.
  case splitRounded = "SPLIT_ROUNDED"
  /// A receiver whose amounts were replaced by the adjusted ones.
  case amountsAdjusted = "AMOUNTS_ADJUSTED"
  /// A payment without an address, or with one for which the table of tax rates has no rate.
  case taxNotChecked = "TAX_NOT_CHECKED"
  /// An amount written with more decimals than its currency has.
  case surplusDecimals = "SURPLUS_DECIMALS"
  /// A text that is too long: only its beginning is used.
  case textTooLong = "TEXT_TOO_LONG"
  /// An item whose name is empty.
  case textEmpty = "TEXT_EMPTY"
  /// An address for notifications that is not one: none are sent to it.
  case urlNotUsed = "URL_NOT_USED"
  /// A country code of a shipping address that is not one.
  case countryNotUsed = "COUNTRY_NOT_USED"
  /// Adjusted amounts in a payment without a shipping address.
  case adjustedWithoutAddress = "ADJUSTED_WITHOUT_ADDRESS"
  /// A tax that differs from the one that the tax rates give by no more than their tolerance.
  case taxRounded = "TAX_ROUNDED"
  /// A receiver for which no fee of a name fits.
  case feeNotSet = "FEE_NOT_SET"

  public var code: StaticString { rawValue.text }
}
