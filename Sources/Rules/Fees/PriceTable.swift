import BasicContainers
import ExactArithmetic
import Money

/// The prices of a schedule's plans in each currency, in a flat layout: a look-up needs no retain and release, and a
/// payment would need several.
struct PriceTable: ~Copyable {
  /// What a plan costs in a currency, within a country or across borders.
  struct Price {
    var rate: ExactDecimal
    var fixed: ExactDecimal
    var addsCrossBorder: Bool
  }

  private var prices: RigidArray<Price>

  /// The prices of a schedule's plans, in their order. Of named fees only whether they depend on borders is here.
  init(_ schedule: FeeSchedule) {
    prices = RigidArray(capacity: 2 * schedule.plans.count * Currency.count)
    for plan in schedule.plans {
      for fixed in plan.fixed {
        for rate in [plan.rate, plan.crossBorderRate] {
          prices.append(Price(rate: rate, fixed: fixed, addsCrossBorder: plan.addsCrossBorder))
        }
      }
    }
  }

  /// The index of the price of a plan, by its index in the schedule, in a currency.
  @inline(__always)
  private static func place(_ plan: Int, _ currency: Currency) -> Int {
    2 &* (plan &* Currency.count &+ Int(currency.index))
  }

  /// Whether a plan costs more across borders.
  @inline(__always)
  func addsCrossBorder(_ plan: Int, _ currency: Currency) -> Bool {
    prices[Self.place(plan, currency)].addsCrossBorder
  }

  /// Sets the receiver's assessed fee to `rate x kept + fixed`, rounded once.
  @inline(__always)
  func assess(_ receiver: inout ReceiverFigures, _ currency: Currency, to exponent: Int, rounding: RoundingMode) {
    let place = Self.place(receiver.plan, currency) &+ (receiver.isCrossBorder ? 1 : 0)
    if prices[place].rate.isInline, prices[place].fixed.isInline, receiver.kept.isInline,
      let fee = ExactDecimal.inlineProductSum(
        prices[place].rate._magnitude, exponent: prices[place].rate.exponent, receiver.kept._magnitude,
        exponent: receiver.kept.exponent, plus: prices[place].fixed._magnitude,
        exponent: prices[place].fixed.exponent, to: exponent, rounding: rounding)
    {
      receiver.assessedFee.set(ExactDecimal(magnitude: fee, exponent: exponent))
    } else {
      receiver.assessedFee.set(
        .quantizedProductSum(
          prices[place].rate, receiver.kept, plus: prices[place].fixed, to: exponent, rounding: rounding))
    }
  }
}
