extension ExactDecimal {
  /// The value at the given exponent, rounded if that is coarser than its own.
  ///
  /// ```swift
  /// ExactDecimal("2.675")!.quantized(to: -2, rounding: .halfEven)   // 2.68
  /// ExactDecimal("2.5")!.quantized(to: -2, rounding: .down)         // 2.50
  /// ExactDecimal("1234")!.quantized(to: 2, rounding: .halfUp)       // 12 × 10^2
  /// ```
  ///
  /// The sign stays, even if the result is 0: -0.4 rounds to -0. Traps beyond ``ExactDecimalLimits``.
  @inlinable
  public func quantized(to exponent: Int, rounding: RoundingMode) -> ExactDecimal {
    guard _large == nil else { return largeQuantized(to: exponent, rounding: rounding) }
    if exponent == self.exponent {
      return ExactDecimal(small: _small, storedExponent: _exponent, isNegative: _isNegative)
    }
    return Self.quantized(_small, self.exponent, _isNegative, to: exponent, rounding: rounding)
  }

  /// The same value at the given exponent; `nil` if a nonzero digit would be lost.
  ///
  /// 1.50 at -1 is 1.5 and at -3 is 1.500, but 1.50 has no value at 0. A zero can have every exponent. Traps beyond
  /// ``ExactDecimalLimits``.
  @inlinable
  public func exact(at exponent: Int) -> ExactDecimal? {
    let result = quantized(to: exponent, rounding: .down)
    return exponent <= self.exponent || result == self ? result : nil
  }

  /// Changes the exponent in place; the same as ``exact(at:)`` except for the return value.
  ///
  /// - Returns: false, leaving the value unchanged, if a nonzero digit would be lost.
  @inlinable
  public mutating func rescale(to exponent: Int) -> Bool {
    guard let exact = exact(at: exponent) else { return false }
    set(exact)
    return true
  }

  /// The same value with the largest possible exponent: 1.500 becomes 1.5, and 1200 becomes 12 × 10^2.
  ///
  /// A zero gets the exponent 0 and keeps its sign. Traps if the exponent is outside
  /// ``ExactDecimalLimits/exponents``. Intended for display, not speed: it tries one exponent after the other.
  public func strippingTrailingZeros() -> ExactDecimal {
    guard !isZero else { return ExactDecimal(small: 0, storedExponent: 0, isNegative: _isNegative) }
    var result = self
    while result.rescale(to: result.exponent + 1) {}
    return result
  }
}

extension ExactDecimal {
  /// `quantized(to:rounding:)` for an inline value.
  @usableFromInline
  static func quantized(
    _ magnitude: UInt64, _ ownExponent: Int, _ isNegative: Bool, to exponent: Int, rounding: RoundingMode
  ) -> ExactDecimal {
    let stored = ExactDecimalLimits.stored(exponent: exponent)
    let shift = exponent - ownExponent
    if shift > 0 {
      let (quotient, discarded) = truncated(magnitude, byTenTo: shift)
      let increment = rounding.increment(isOdd: quotient & 1 == 1, discarding: discarded, isNegative: isNegative)
      // No overflow: with a digit or more discarded the quotient is far below 2^64.
      return ExactDecimal(small: quotient &+ increment, storedExponent: stored, isNegative: isNegative)
    }
    if let scaled = PowersOfTen.scaled(magnitude, by: -shift) {
      return ExactDecimal(small: scaled, storedExponent: stored, isNegative: isNegative)
    }
    return LimbView.with(magnitude) {
      SignedLimbs(magnitude: $0, exponent: ownExponent, isNegative: isNegative)
        .quantized(to: exponent, rounding: rounding)
    }
  }

  /// magnitude / 10^n for n > 0, truncated, and the discarded part.
  @inline(__always)
  static func truncated(_ magnitude: UInt64, byTenTo n: Int) -> (quotient: UInt64, discarded: DiscardedPart) {
    // 2^64 is less than half of 10^20.
    guard n <= PowersOfTen.maximumExponent else { return (0, magnitude == 0 ? .zero : .belowHalf) }
    let (quotient, remainder) = PowersOfTen.divide(magnitude, by: n)
    return (quotient, DiscardedPart(remainder: remainder, half: PowersOfTen.power(n) &>> 1))
  }
}

extension ExactDecimal {
  /// `quantized(to:rounding:)` for any value.
  @usableFromInline @inline(never)
  func largeQuantized(to exponent: Int, rounding: RoundingMode) -> ExactDecimal {
    withLimbs {
      SignedLimbs(magnitude: $0, exponent: self.exponent, isNegative: _isNegative)
        .quantized(to: exponent, rounding: rounding)
    }
  }
}

extension SignedLimbs {
  /// The value at the given exponent, rounded.
  func quantized(to target: Int, rounding: RoundingMode) -> ExactDecimal {
    let shift = Int(ExactDecimalLimits.stored(exponent: target)) - exponent
    magnitude.checkScaling(byTenTo: -shift)
    return magnitude.withRescaled(by: shift, rounding: rounding, isNegative: isNegative) {
      ExactDecimal(coefficient: $0, exponent: target, isNegative: isNegative)
    }
  }
}
