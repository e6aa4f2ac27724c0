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

  private let prices: UnsafeMutablePointer<Price>
  private let planCount: Int

  /// The prices of a schedule's plans, in their order.
  init(_ schedule: FeeSchedule) {
    planCount = schedule.plans.count
    prices = .allocate(capacity: 2 * planCount * Currency.count)
    for (place, plan) in schedule.plans.enumerated() {
      for currency in 0..<Currency.count {
        let price = prices + 2 * (place * Currency.count + currency)
        for (way, rate) in [plan.rate, plan.crossBorderRate].enumerated() {
          (price + way).initialize(
            to: Price(rate: rate, fixed: plan.fixed[currency], addsCrossBorder: plan.addsCrossBorder))
        }
      }
    }
  }

  deinit {
    prices.deinitialize(count: 2 * planCount * Currency.count)
    prices.deallocate()
  }

  /// The price of a plan, by its index in the schedule, in a currency. The next element is the cross-border price.
  @inline(__always)
  func price(_ plan: Int, _ currency: Currency) -> UnsafePointer<Price> {
    assert(plan >= 0 && plan < planCount)
    return UnsafePointer(prices + 2 &* (plan &* Currency.count &+ Int(currency.index)))
  }
}

extension UnsafePointer<PriceTable.Price> {
  /// Sets the receiver's assessed fee to `rate x kept + fixed`, rounded once.
  @inline(__always)
  func assess(_ receiver: ReceiverRoom, to exponent: Int, rounding: RoundingMode) {
    if pointee.rate.isInline, pointee.fixed.isInline, receiver.pointee.kept.isInline,
      let fee = ExactDecimal.inlineProductSum(
        pointee.rate._magnitude, exponent: pointee.rate.exponent, receiver.pointee.kept._magnitude,
        exponent: receiver.pointee.kept.exponent, plus: pointee.fixed._magnitude, exponent: pointee.fixed.exponent,
        to: exponent, rounding: rounding)
    {
      receiver.pointee.assessedFee.set(ExactDecimal(magnitude: fee, exponent: exponent))
    } else {
      receiver.pointee.assessedFee.set(
        .quantizedProductSum(
          pointee.rate, receiver.pointee.kept, plus: pointee.fixed, to: exponent, rounding: rounding))
    }
  }
}
