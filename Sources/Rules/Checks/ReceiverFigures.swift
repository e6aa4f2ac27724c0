import ExactArithmetic
import Money
import Postings
import Records

/// One receiver's part in a payment: what its posting is made of. Amounts are in the payment's currency.
public struct ReceiverFigures {
  /// Who it is, and what it gets.
  public let posting: UnsafeMutablePointer<Posting>
  /// Its row in the scanned record.
  var row = 0
  /// Its index in `receiverPaymentDetails`; nil in the single shape.
  var index: Int?
  /// Whether it is the primary receiver.
  public internal(set) var isPrimary = false
  /// Its country, if given and valid.
  public internal(set) var country: Country?
  /// What it is paid for.
  public internal(set) var type = PaymentType.notSet
  /// The kind of service it is paid for.
  public internal(set) var subType = PaymentSubType.notSet

  /// The place of its adjusted amounts among all; nil if it has its own.
  public internal(set) var adjustment: Int?
  /// Whether subtotal, tax and shipping are valid and make up its gross.
  public internal(set) var areAmountsKnown = false
  /// The sum of its items, or what stands in its place where the amounts are adjusted; likewise below.
  public internal(set) var subtotal = ExactDecimal.zero
  /// The tax.
  public internal(set) var totalTax = ExactDecimal.zero
  /// The shipping.
  public internal(set) var totalShipping = ExactDecimal.zero
  /// What it keeps: gross less what it passes on.
  public internal(set) var kept = ExactDecimal.zero
  /// The fee on what it keeps, whoever bears it.
  public internal(set) var assessedFee = ExactDecimal.zero

  /// The place of its plan in the schedule.
  public internal(set) var plan = 0
  /// Why that plan applies.
  var planChoice = FeeSchedule.Choice.otherwise
  /// Whether the plan's cross-border rate applies.
  public internal(set) var isCrossBorder = false
  /// Whether the fee was cut to what it keeps.
  public internal(set) var isCapped = false
  /// Whether it bears its fee although the sender was to.
  public internal(set) var isOverridden = false

  init(posting: UnsafeMutablePointer<Posting>) { self.posting = posting }

  /// Cuts the fee to what is kept. In place, if a comparison holds on to neither of both.
  @inline(__always)
  mutating func capFee() {
    isCapped = assessedFee > kept
    if isCapped { assessedFee.set(kept) }
  }
}

/// What the receivers of a payment are together, while they are read one by one: there may be many thousands.
struct ReceiverTally {
  /// The sum of the gross of those whose amounts are valid.
  var gross = ExactDecimal.zero
  var allGrossValid = true
  var primaryCount = 0
  var primaryGross = ExactDecimal.zero
  var primaryGrossValid = false
  /// Whether every element is an object with a valid `isPrimary`.
  var areTold = true
  var firstType: PaymentType?
  var typesDiffer = false
  var allTypesValid = true
  /// The `paymentType` of the first personal receiver.
  var firstPersonal: FieldPath?
  /// The places of the sender's and the receivers' countries that are not the one in which the currency may be used.
  var hasForeignCountry = false

  /// Makes it that of no receivers, in place.
  @inline(__always)
  mutating func reset() {
    gross.set(.zero)
    allGrossValid = true
    primaryCount = 0
    primaryGross.set(.zero)
    primaryGrossValid = false
    areTold = true
    firstType = nil
    typesDiffer = false
    allTypesValid = true
    firstPersonal = nil
    hasForeignCountry = false
  }
}

/// The figures of an item while it is checked. They stay from item to item: taking a value into the place of another
/// costs less than making and releasing one.
struct ItemCheck {
  var price = ExactDecimal.zero
  var count = ExactDecimal.zero
  var total = ExactDecimal.zero
  /// Price times count, rounded.
  var product = ExactDecimal.zero
  /// The sum of the totals of the invoice's items so far.
  var sum = ExactDecimal.zero

  /// Works out the product at an exponent, rounded half up, and whether the total is just that.
  @inline(__always)
  mutating func isTotalExact(at exponent: Int) -> Bool {
    if price.isInline, count.isInline, total.isInline, price.exponent &+ count.exponent == exponent {
      let (magnitude, overflow) = price._magnitude.multipliedReportingOverflow(by: count._magnitude)
      if !overflow, magnitude == total._magnitude, total.exponent == exponent { return true }
    }
    return isTotalProduct(at: exponent)
  }

  @inline(never)
  private mutating func isTotalProduct(at exponent: Int) -> Bool {
    product.set(.quantizedProduct(price, count, to: exponent, rounding: .halfUp))
    return total == product
  }

  /// Adds the total to the sum.
  @inline(__always)
  mutating func addTotal() {
    if sum.isInline, total.isInline, sum.exponent == total.exponent {
      let (magnitude, overflow) = sum._magnitude.addingReportingOverflow(total._magnitude)
      if !overflow { return sum.set(ExactDecimal(magnitude: magnitude, exponent: sum.exponent)) }
    }
    sum.add(total)
  }
}

/// An account's bytes as a key of a set, without copying them.
struct AccountText: Hashable {
  let bytes: UnsafePointer<UInt8>
  let count: Int

  static func == (left: AccountText, right: AccountText) -> Bool {
    left.count == right.count && accountsEqual(left.bytes, right.bytes, count: left.count)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(bytes: UnsafeRawBufferPointer(start: bytes, count: count))
  }
}
