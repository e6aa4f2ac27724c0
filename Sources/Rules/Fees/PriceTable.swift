import ExactArithmetic
import Money

/// The prices of a schedule's plans in each currency, laid out flat: looking one up costs no retain and release, of
/// which a payment would need several.
struct PriceTable {
  /// What a plan costs in a currency.
  struct Price {
    var rate: ExactDecimal
    var crossBorderRate: ExactDecimal
    var fixed: ExactDecimal
    var addsCrossBorder: Bool
  }

  private let prices: UnsafeMutablePointer<Price>
  private let planCount: Int

  /// The prices of a schedule's plans, in their order. To be given back with `deallocate()`.
  init(_ schedule: FeeSchedule) {
    planCount = schedule.plans.count
    prices = .allocate(capacity: planCount * Currency.count)
    for (place, plan) in schedule.plans.enumerated() {
      for currency in 0..<Currency.count {
        (prices + (place * Currency.count + currency)).initialize(
          to: Price(
            rate: plan.rate, crossBorderRate: plan.crossBorderRate, fixed: plan.fixed[currency],
            addsCrossBorder: plan.addsCrossBorder))
      }
    }
  }

  func deallocate() {
    prices.deinitialize(count: planCount * Currency.count)
    prices.deallocate()
  }

  /// What a plan, by its place in the schedule, costs in a currency.
  @inline(__always)
  func price(_ plan: Int, _ currency: Currency) -> UnsafePointer<Price> {
    assert(plan >= 0 && plan < planCount)
    return UnsafePointer(prices + (plan &* Currency.count &+ Int(currency.index)))
  }
}

extension UnsafePointer<PriceTable.Price> {
  /// `rate x kept + fixed`, rounded once, into the receiver's assessed fee.
  @inline(__always)
  func assess(
    _ receiver: UnsafeMutablePointer<ReceiverFigures>, isCrossBorder: Bool, to exponent: Int, rounding: RoundingMode
  ) {
    if !isCrossBorder, pointee.rate.isInline, pointee.fixed.isInline, receiver.pointee.kept.isInline,
      let fee = ExactDecimal.inlineProductSum(
        pointee.rate._magnitude, exponent: pointee.rate.exponent, receiver.pointee.kept._magnitude,
        exponent: receiver.pointee.kept.exponent, plus: pointee.fixed._magnitude, exponent: pointee.fixed.exponent,
        to: exponent, rounding: rounding)
    {
      receiver.pointee.assessedFee.set(ExactDecimal(magnitude: fee, exponent: exponent))
    } else {
      receiver.pointee.assessedFee.set(
        .quantizedProductSum(
          isCrossBorder ? pointee.crossBorderRate : pointee.rate, receiver.pointee.kept, plus: pointee.fixed,
          to: exponent, rounding: rounding))
    }
  }
}
