import ExactArithmetic
import Money
import Records

/// Named fees (`fees.md`, "What a receiver pays").
extension FeeAssessment {
  /// The most names of a plan.
  static let mostNames = 8

  /// Assesses the fees of a receiver, each by its name. Their sum is its assessed fee.
  @inline(never)
  mutating func assessNames(of place: Int, _ judgement: inout Judgement, _ currency: Currency) {
    let groups = names.groups(of: judgement.receivers.figures[place].plan, currency, schedule)
    let source = judgement.fundingSource!
    let exponent = -currency.settlementExponent
    let start = judgement.receivers.chargedCount
    if !assessWords(of: place, groups, source, &judgement.receivers, exponent: exponent) {
      judgement.receivers.chargedCount = start
      assessDecimals(of: place, groups, source, &judgement.receivers, currency)
    }
  }

  /// Assesses the fees in minor units; false if something does not fit.
  private func assessWords(
    of place: Int, _ groups: Range<Int>, _ source: FundingSource, _ receivers: inout ReceiverList, exponent: Int
  ) -> Bool {
    guard MinorUnits.represent(receivers.figures[place].kept, exponent: exponent),
      Self.fits(receivers.figures[place].totalTax, exponent),
      Self.fits(receivers.figures[place].totalShipping, exponent)
    else { return false }
    let kept = Int(receivers.figures[place].kept._magnitude)
    let tax = Int(receivers.figures[place].totalTax._magnitude)
    let shipping = Int(receivers.figures[place].totalShipping._magnitude)
    let (country, category) = (receivers.figures[place].country, receivers.figures[place].category)
    let isCrossBorder = receivers.figures[place].isCrossBorder
    var left = kept
    var (isCapped, lacksFee) = (false, false)
    for group in groups {
      guard let at = names.fitting(group, country: country, category: category, source) else {
        lacksFee = true
        continue
      }
      if kept == 0 { continue }
      guard names.prices[at].fitsWords else { return false }
      let base = max(
        0, kept &- (names.prices[at].leavesOutTax ? tax : 0) &- (names.prices[at].leavesOutShipping ? shipping : 0))
      let rate = isCrossBorder ? names.prices[at].crossBorderRate : names.prices[at].rate
      guard
        let exact = Self.product(
          rate, names.prices[at].rateExponent, base, plus: names.prices[at].fixed, exponent, schedule.rounding)
      else { return false }
      var fee = min(max(exact, names.prices[at].minimum), names.prices[at].maximum)
      guard
        var vat = Self.product(
          names.prices[at].vat, names.prices[at].vatExponent, fee, plus: 0, exponent, schedule.rounding)
      else { return false }
      if fee &+ vat > left {
        isCapped = true
        let rate = schedule.plans[receivers.figures[place].plan].fees[names.prices[at].fee].vat
        vat = Int(vatWithin(ExactDecimal(left, exponent: exponent), rate, to: exponent)._magnitude)
        fee = left &- vat
      }
      left = left &- fee &- vat
      if fee | vat != 0 {
        receivers.charge(
          place, names.prices[at].name, ExactDecimal(fee, exponent: exponent), ExactDecimal(vat, exponent: exponent),
          isReturned: names.prices[at].isReturned)
      }
    }
    receivers.figures[place].assessedFee.set(ExactDecimal(kept &- left, exponent: exponent))
    (receivers.figures[place].isCapped, receivers.figures[place].lacksFee) = (isCapped, lacksFee)
    return true
  }

  @inline(__always)
  private static func fits(_ amount: ExactDecimal, _ exponent: Int) -> Bool {
    amount.isZero || MinorUnits.represent(amount, exponent: exponent)
  }

  /// Rate times amount plus fixed, rounded once, in minor units; nil if it does not fit.
  @inline(__always)
  private static func product(
    _ rate: UInt64, _ rateExponent: Int, _ amount: Int, plus fixed: UInt64, _ exponent: Int, _ rounding: RoundingMode
  ) -> Int? {
    let own = rateExponent &+ exponent
    guard
      let fee = ExactDecimal.inlineProductSum(
        rate, exponent: rateExponent, UInt64(truncatingIfNeeded: amount), exponent: exponent, plus: fixed,
        exponent: own, to: exponent, rounding: rounding), fee < 1 << 53
    else { return nil }
    return Int(truncatingIfNeeded: fee)
  }

  /// The same in decimals of any size.
  @inline(never)
  private func assessDecimals(
    of place: Int, _ groups: Range<Int>, _ source: FundingSource, _ receivers: inout ReceiverList, _ currency: Currency
  ) {
    let receiver = receivers.figures[place]
    let exponent = -currency.settlementExponent
    var left = receiver.kept
    var (isCapped, lacksFee) = (false, false)
    for group in groups {
      guard let at = names.fitting(group, country: receiver.country, category: receiver.category, source) else {
        lacksFee = true
        continue
      }
      if receiver.kept.isZero { continue }
      let entry = schedule.plans[receiver.plan].fees[names.prices[at].fee]
      let figures = entry.figures(of: receiver, currency, schedule.rounding)
      var (fee, vat) = (figures.fee, figures.vat)
      if fee + vat > left {
        isCapped = true
        vat = vatWithin(left, entry.vat, to: exponent)
        fee = left - vat
      }
      left = left - fee - vat
      if !(fee.isZero && vat.isZero) { receivers.charge(place, entry.name, fee, vat, isReturned: entry.isReturned) }
    }
    receivers.figures[place].assessedFee.set(receiver.kept - left)
    (receivers.figures[place].isCapped, receivers.figures[place].lacksFee) = (isCapped, lacksFee)
  }

  /// The VAT in an amount that includes it: `left x vat / (1 + vat)`, rounded once.
  private func vatWithin(_ left: ExactDecimal, _ vat: ExactDecimal, to exponent: Int) -> ExactDecimal {
    schedule.rounding.vat(within: left, vat, to: exponent)
  }
}

extension RoundingMode {
  /// The VAT in an amount that includes it: `left x vat / (1 + vat)`, rounded once.
  func vat(within left: ExactDecimal, _ vat: ExactDecimal, to exponent: Int) -> ExactDecimal {
    let unit = ExactDecimal(magnitude: 1, exponent: exponent)
    let units = (left * vat).wholeQuotient(dividingBy: (ExactDecimal(1) + vat) * unit, rounding: self)
    return (units * unit).quantized(to: exponent, rounding: .down)
  }
}

extension NamedFee {
  /// The steps of a fee.
  public struct Figures: Sendable {
    /// What the rate is of.
    public let base: ExactDecimal
    /// The rate, with the cross-border one if it applies.
    public let rate: ExactDecimal
    /// The fixed fee and the bounds; nil without one.
    public let fixed, minimum, maximum: ExactDecimal?
    /// Rate times base plus the fixed fee, exactly.
    public let product: ExactDecimal
    /// The same within the bounds.
    public let bounded: ExactDecimal
    /// The fee, rounded.
    public let fee: ExactDecimal
    /// VAT on the fee, exactly.
    public let exactVAT: ExactDecimal
    /// VAT, rounded.
    public let vat: ExactDecimal
  }

  /// The fee of a receiver, before anything gives way.
  func figures(of receiver: ReceiverFigures, _ currency: Currency, _ rounding: RoundingMode) -> Figures {
    func amount(_ table: FeeTable?) -> ExactDecimal? { table.flatMap { $0.amounts[Int(currency.index)] } }
    let exponent = -currency.settlementExponent
    let zero = ExactDecimal.zero(at: exponent)
    let less =
      (base.leavesOutTax ? receiver.totalTax : zero) + (base.leavesOutShipping ? receiver.totalShipping : zero)
    let rest = receiver.kept < less ? zero : receiver.kept - less
    let (fixed, minimum, maximum) = (amount(fixed), amount(minimum), amount(maximum))
    let rate = receiver.isCrossBorder ? crossBorderRate : rate
    let product = rate * rest + (fixed ?? .zero)
    var bounded = product
    if let minimum, bounded < minimum { bounded = minimum }
    if let maximum, bounded > maximum { bounded = maximum }
    let fee = bounded.quantized(to: exponent, rounding: rounding)
    let exactVAT = vat * fee
    return Figures(
      base: rest, rate: rate, fixed: fixed, minimum: minimum, maximum: maximum, product: product, bounded: bounded,
      fee: fee, exactVAT: exactVAT, vat: exactVAT.quantized(to: exponent, rounding: rounding))
  }
}
