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
        dividend.checkScaling(byTenTo: shift)
        divisor.checkScaling(byTenTo: -shift)
        return dividend.withScaled(byTenTo: shift) { dividend in
          divisor.withScaled(byTenTo: -shift) { divisor in
            dividend.withQuotient(dividingBy: divisor) { quotient, remainder in
              (
                ExactDecimal(coefficient: quotient, exponent: 0, isNegative: isNegative),
                ExactDecimal(coefficient: remainder, exponent: exponent, isNegative: _isNegative)
              )
            }
          }
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
