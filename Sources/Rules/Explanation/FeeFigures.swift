import ExactArithmetic

/// How the fee on what a receiver keeps is computed, for an explanation.
public struct FeeFigures: Sendable {
  public let plan: FeePlan
  /// Why it applies.
  public let choice: FeeSchedule.Choice
  /// Whether the rate is the cross-border one.
  public let isCrossBorder: Bool
  public let rate: ExactDecimal
  /// The plan's fixed fee in the payment's currency.
  public let fixed: ExactDecimal
  /// Rate times kept plus the fixed fee, exactly.
  public let exact: ExactDecimal
  /// `exact`, rounded to the currency's decimals with the schedule's rounding mode.
  public let rounded: ExactDecimal
  /// The fees by name, which are charged instead; empty if the schedule has no named fees.
  public let named: [NamedFeeSteps]
}

extension RecordJudge {
  /// How the fee of the receiver at `place` is computed. The payment must have fees.
  public func feeFigures(of place: Int) -> FeeFigures {
    precondition(judgement.hasFees, "no fees are assessed on a record with errors")
    let receiver = judgement.receiver(place)
    let currency = judgement.currency!
    let plan = rules.schedule.plans[receiver.plan]
    let rate = receiver.isCrossBorder ? plan.crossBorderRate : plan.rate
    let fixed = plan.fixed[Int(currency.index)]
    let exact = rate * receiver.kept + fixed
    return FeeFigures(
      plan: plan, choice: receiver.planChoice, isCrossBorder: receiver.isCrossBorder, rate: rate, fixed: fixed,
      exact: exact, rounded: exact.quantized(to: -currency.settlementExponent, rounding: rules.schedule.rounding),
      named: rules.schedule.hasNames ? namedFeeSteps(of: place) : [])
  }
}
