extension ExactDecimal {
  /// a × b at the given exponent, rounded once; the same as `(a * b).quantized(to:rounding:)`, but the exact product is
  /// never stored: there is no allocation unless the result is large.
  ///
  /// ```swift
  /// // 19.99 at 7.25 %: 1.449275, rounded to cents
  /// ExactDecimal.quantizedProduct(price, rate, to: -2, rounding: .halfEven)   // 1.45
  /// ```
  ///
  /// Traps beyond ``ExactDecimalLimits``; the limits do not apply to the product itself.
  @inlinable
  public static func quantizedProduct(
    _ a: ExactDecimal, _ b: ExactDecimal, to exponent: Int, rounding: RoundingMode
  ) -> ExactDecimal {
    guard a._large == nil && b._large == nil else {
      return largeQuantizedProduct(a, b, to: exponent, rounding: rounding)
    }
    let (product, overflow) = a._small.multipliedReportingOverflow(by: b._small)
    guard !overflow else { return largeQuantizedProduct(a, b, to: exponent, rounding: rounding) }
    return quantized(
      product, a.exponent &+ b.exponent, a._isNegative != b._isNegative, to: exponent, rounding: rounding)
  }

  /// a × b + c at the given exponent, rounded once.
  ///
  /// The sign of a sum that is exactly zero follows General Decimal Arithmetic: with operands of opposite signs, it is
  /// negative only under ``RoundingMode/floor``. There is no allocation unless the result is large. Traps beyond
  /// ``ExactDecimalLimits``; the limits do not apply to the product itself, but to aligning it with c.
  @inlinable
  public static func quantizedProductSum(
    _ a: ExactDecimal, _ b: ExactDecimal, plus c: ExactDecimal, to exponent: Int, rounding: RoundingMode
  ) -> ExactDecimal {
    guard a._large == nil && b._large == nil && c._large == nil else {
      return largeQuantizedProductSum(a, b, plus: c, to: exponent, rounding: rounding)
    }
    let (product, overflow) = a._small.multipliedReportingOverflow(by: b._small)
    let isNegative = a._isNegative != b._isNegative
    guard !overflow,
      let (sum, sumExponent, sumIsNegative) = inlineSum(
        product, a.exponent &+ b.exponent, isNegative, c._small, c.exponent, c._isNegative)
    else { return largeQuantizedProductSum(a, b, plus: c, to: exponent, rounding: rounding) }
    let zeroIsNegative = sum == 0 && rounding == .floor && isNegative != c._isNegative
    return quantized(sum, sumExponent, sumIsNegative || zeroIsNegative, to: exponent, rounding: rounding)
  }
}

extension ExactDecimal {
  /// The coefficient of a × b + c at the given exponent, rounded once. Only if the operands are inline and not
  /// negative, the product has at least as many decimals as c and loses some of them, and everything stays below 2^64.
  ///
  /// A pricing loop tries this first and falls back on ``quantizedProductSum(_:_:plus:to:rounding:)``, which gives the
  /// same result: passing parts of numbers costs nothing, unlike passing numbers.
  ///
  /// - Returns: `nil` in all other cases.
  @inlinable @inline(__always)
  public static func inlineProductSum(
    _ a: UInt64, exponent aExponent: Int, _ b: UInt64, exponent bExponent: Int, plus c: UInt64,
    exponent cExponent: Int, to exponent: Int, rounding: RoundingMode
  ) -> UInt64? {
    let own = aExponent &+ bExponent
    let (dropped, aligning) = (exponent &- own, cExponent &- own)
    guard dropped > 0, aligning >= 0, dropped <= PowersOfTen.maximumExponent, aligning <= PowersOfTen.maximumExponent
    else { return nil }
    let (product, productOverflow) = a.multipliedReportingOverflow(by: b)
    let (addend, addendOverflow) = c.multipliedReportingOverflow(by: PowersOfTen.power(aligning))
    let (sum, sumOverflow) = product.addingReportingOverflow(addend)
    if productOverflow || addendOverflow || sumOverflow { return nil }
    return rounded(sum, byTenTo: dropped, rounding: rounding)
  }

  /// magnitude / 10^n for 0 < n <= 19, rounded as a positive number.
  @usableFromInline
  static func rounded(_ magnitude: UInt64, byTenTo n: Int, rounding: RoundingMode) -> UInt64 {
    let (quotient, discarded) = truncated(magnitude, byTenTo: n)
    return quotient &+ rounding.increment(isOdd: quotient & 1 == 1, discarding: discarded, isNegative: false)
  }

  /// `quantizedProduct` for any operands.
  @usableFromInline @inline(never)
  static func largeQuantizedProduct(
    _ a: ExactDecimal, _ b: ExactDecimal, to exponent: Int, rounding: RoundingMode
  ) -> ExactDecimal {
    withProduct(a, b) { $0.quantized(to: exponent, rounding: rounding) }
  }

  /// `quantizedProductSum` for any operands.
  @usableFromInline @inline(never)
  static func largeQuantizedProductSum(
    _ a: ExactDecimal, _ b: ExactDecimal, plus c: ExactDecimal, to exponent: Int, rounding: RoundingMode
  ) -> ExactDecimal {
    withProduct(a, b) { product in
      c.withLimbs { limbs in
        let addend = SignedLimbs(magnitude: limbs, exponent: c.exponent, isNegative: c._isNegative)
        return SignedLimbs.withSum(product, addend) { sum in
          var sum = sum
          if sum.magnitude.isZero, rounding == .floor, product.isNegative != addend.isNegative {
            sum.isNegative = true
          }
          return sum.quantized(to: exponent, rounding: rounding)
        }
      }
    }
  }
}
