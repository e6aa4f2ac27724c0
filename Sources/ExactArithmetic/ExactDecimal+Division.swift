internal import CGMP

extension ExactDecimal {
  /// The number of times that the divisor goes into the value, truncated to an integer, and the remainder: value =
  /// quotient × divisor + remainder, exactly.
  ///
  /// ```swift
  /// ExactDecimal("1.00")!.quotientAndRemainder(dividingBy: ExactDecimal("0.3")!)   // 3 and 0.10
  /// ```
  ///
  /// The quotient has exponent 0. The remainder has the value's sign and the smaller exponent of both. Traps if the
  /// divisor is 0, and beyond ``ExactDecimalLimits``.
  public func quotientAndRemainder(
    dividingBy divisor: ExactDecimal
  ) -> (quotient: ExactDecimal, remainder: ExactDecimal) {
    precondition(!divisor.isZero, "nothing can be divided by zero")
    let shift = exponent - divisor.exponent
    let isNegative = _isNegative != divisor._isNegative
    if _large == nil, divisor._large == nil, let dividend = PowersOfTen.scaled(_small, by: max(shift, 0)),
      let unit = PowersOfTen.scaled(divisor._small, by: max(-shift, 0))
    {
      let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: unit)
      return (
        ExactDecimal(magnitude: quotient, isNegative: isNegative),
        ExactDecimal(magnitude: remainder, exponent: min(exponent, divisor.exponent), isNegative: _isNegative)
      )
    }
    return largeQuotientAndRemainder(dividingBy: divisor, isNegative: isNegative)
  }

  private func largeQuotientAndRemainder(
    dividingBy divisor: ExactDecimal, isNegative: Bool
  ) -> (quotient: ExactDecimal, remainder: ExactDecimal) {
    let shift = exponent - divisor.exponent
    let exponent = min(exponent, divisor.exponent)
    return withLimbs { dividend in
      divisor.withLimbs { divisor in
        let scaledLimbs = dividend.scaledLimbs(byTenTo: max(shift, 0)) + divisor.scaledLimbs(byTenTo: max(-shift, 0))
        dividend.checkScaling(byTenTo: shift)
        divisor.checkScaling(byTenTo: -shift)
        return withLimbScratch(2 * scaledLimbs + 2) { scratch in
          let dividend = dividend.scaled(byTenTo: shift, in: &scratch)
          let divisor = divisor.scaled(byTenTo: -shift, in: &scratch)
          let (quotient, remainder) = dividend.divided(by: divisor, in: &scratch)
          return (
            ExactDecimal(coefficient: quotient, exponent: 0, isNegative: isNegative),
            ExactDecimal(coefficient: remainder, exponent: exponent, isNegative: _isNegative)
          )
        }
      }
    }
  }

  /// The quotient, rounded to an integer once; traps if the divisor is 0.
  public func wholeQuotient(dividingBy divisor: ExactDecimal, rounding: RoundingMode) -> ExactDecimal {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    guard !remainder.isZero else { return quotient }
    var (doubled, unit) = (remainder + remainder, divisor)
    doubled._isNegative = false
    unit._isNegative = false
    let isNegative = _isNegative != divisor._isNegative
    let discarded = doubled < unit ? DiscardedPart.belowHalf : doubled == unit ? .half : .aboveHalf
    let isOdd = quotient.withLimbs { $0.lowLimb & 1 == 1 }
    let increment = rounding.increment(isOdd: isOdd, discarding: discarded, isNegative: isNegative)
    return quotient + ExactDecimal(magnitude: increment, isNegative: isNegative)
  }
}

extension LimbView {
  /// self / divisor, truncated, and the remainder; takes count + divisor.count + 1 limbs.
  fileprivate func divided(
    by divisor: LimbView, in scratch: inout LimbScratch
  ) -> (quotient: LimbView, remainder: LimbView) {
    guard count >= divisor.count else { return unsafe (LimbView(limbs: limbs, count: 0), self) }
    let quotientCount = count - divisor.count + 1
    let (quotient, remainder) = unsafe (scratch.take(quotientCount), scratch.take(divisor.count))
    unsafe cgmp_divide(quotient, remainder, limbs, count, divisor.limbs, divisor.count)
    return unsafe (
      LimbView(trimming: quotient, count: quotientCount), LimbView(trimming: remainder, count: divisor.count)
    )
  }
}
