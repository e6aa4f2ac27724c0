import ExactArithmetic
import Money
import Records

/// What a rate is of: what a receiver keeps, less its own tax, its shipping, or both, but not below zero.
public enum FeeBase: String, CaseIterable, Sendable {
  case kept = "KEPT"
  case withoutTax = "WITHOUT_TAX"
  case withoutShipping = "WITHOUT_SHIPPING"
  case items = "ITEMS"

  var leavesOutTax: Bool { self == .withoutTax || self == .items }
  var leavesOutShipping: Bool { self == .withoutShipping || self == .items }
}

/// A table of amounts in some currencies, or all.
public struct FeeTable: Sendable {
  public let name: String
  /// By `Currency.index`; nil for a currency that is left out.
  public let amounts: [ExactDecimal?]

  var isWhole: Bool { !amounts.contains { $0 == nil } }
}

/// A fee with a name: an entry of a plan's `fees` (`fees.md`). Of several with the same name the first that fits is
/// charged.
public struct NamedFee: Sendable {
  /// The index of its name in the schedule's names.
  public let name: Int
  /// Its number in the plan's `fees`, from 1; 0 for the fee of a plan without named fees.
  public let number: Int
  public let rate: ExactDecimal
  /// The rate of a cross-border payment.
  public let crossBorderRate: ExactDecimal
  /// Whether the schedule's cross-border rate is added for cross-border payments.
  public let addsCrossBorder: Bool
  public let base: FeeBase
  public let fixed: FeeTable?
  public let minimum: FeeTable?
  public let maximum: FeeTable?
  /// The rate of VAT on the fee.
  public let vat: ExactDecimal
  /// Whether refunds return it.
  public let isReturned: Bool
  /// What a receiver or payment must have; nil for anything. Categories are numbers in the schedule's table.
  let categories: [Int]?
  public let countries: [Country]?
  public let currencies: [Currency]?
  public let fundingSources: [FundingSource]?

  var tables: [FeeTable] { [fixed, minimum, maximum].compactMap(\.self) }

  /// Whether it fits every receiver and payment.
  var fitsAll: Bool {
    categories == nil && countries == nil && currencies == nil && fundingSources == nil
      && tables.allSatisfy(\.isWhole)
  }

  /// Whether it fits payments in a currency, whatever else they have.
  public func fits(_ currency: Currency) -> Bool {
    currencies?.contains(currency) ?? true && tables.allSatisfy { $0.amounts[Int(currency.index)] != nil }
  }
}
