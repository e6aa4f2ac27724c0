import ExactArithmetic

/// How the fee on what a receiver keeps comes about, for an explanation.
public struct FeeFigures: Sendable {
  /// The plan that applies.
  public let plan: FeePlan
  /// Why it applies.
  public let choice: FeeSchedule.Choice
  /// Whether the rate is the cross-border one.
  public let isCrossBorder: Bool
  /// The rate that applies.
  public let rate: ExactDecimal
  /// The plan's fixed fee in the payment's currency.
  public let fixed: ExactDecimal
  /// Rate times kept plus the fixed fee, exactly.
  public let exact: ExactDecimal
  /// That, rounded as the schedule says to the currency's decimals.
  public let rounded: ExactDecimal
}

/// Figures behind fees and chains that an assessment does not keep.
extension Judgement {
  /// Whether fees were assessed: on a payment without errors, or with none but that the fees are too high.
  public var hasFees: Bool { isPayment && findings.allSatisfy { $0.reason == .feesExceedAmount } }

  /// How a receiver's fee comes about, by its place; of a payment that has fees.
  public func feeFigures(of place: Int) -> FeeFigures {
    precondition(hasFees, "no fees are assessed on a record with errors")
    let receiver = receiver(place).pointee
    let currency = currency.unsafelyUnwrapped
    let plan = rules.schedule.plans[receiver.plan]
    let rate = receiver.isCrossBorder ? plan.crossBorderRate : plan.rate
    let fixed = plan.fixed[Int(currency.index)]
    let exact = rate * receiver.kept + fixed
    return FeeFigures(
      plan: plan, choice: receiver.planChoice, isCrossBorder: receiver.isCrossBorder, rate: rate, fixed: fixed,
      exact: exact, rounded: exact.quantized(to: -currency.settlementExponent, rounding: rules.schedule.rounding))
  }

  /// What the primary receiver of a chained payment passes on; nil if that cannot be told, or of another kind.
  public var chainPassedOn: ExactDecimal? {
    kind == .chained && tally.pointee.allGrossValid ? tally.pointee.gross - tally.pointee.primaryGross : nil
  }
}
