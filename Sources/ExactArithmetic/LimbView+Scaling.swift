extension LimbView {
  /// floor(n × log10(2)) for n >= 0, exact far beyond the largest coefficient.
  private static func floorLog10(ofTwoTo n: Int) -> Int {
    let log10Of2: UInt64 = 0x4D10_4D42_7DE7_FBCC  // × 2^-64
    return Int(UInt64(n).multipliedFullWidth(by: log10Of2).high)
  }

  /// The number of decimal digits, or one more; 1 for zero. Much cheaper than ``digitCount`` for large numbers.
  var maximumDigitCount: Int { Self.floorLog10(ofTwoTo: bitWidth) + 1 }

  /// The number of decimal digits; 1 for zero.
  var digitCount: Int {
    if count <= 1 { return PowersOfTen.digitCount(lowLimb) }
    let minimum = Self.floorLog10(ofTwoTo: bitWidth - 1) + 1
    guard minimum < maximumDigitCount else { return minimum }
    return Self.withPowerOfTen(minimum) { compare($0) < 0 } ? minimum : minimum + 1
  }

  /// Calls `body` with 10^n for n >= 0.
  static func withPowerOfTen<Result>(_ n: Int, _ body: (LimbView) -> Result) -> Result {
    guard n > PowersOfTen.maximumExponent else { return with(PowersOfTen.power(n), body) }
    return withPowerOfTen(n / 2) { root in
      root.withProduct(root) { square in
        n % 2 == 0 ? body(square) : with(10) { square.withProduct($0, body) }
      }
    }
  }

  /// Traps unless self × 10^n is within the limits. Call it before allocating memory for the product.
  func checkScaling(byTenTo n: Int) {
    let limit = ExactDecimalLimits.maximumDigits
    guard n > 0, !isZero, n > limit - maximumDigitCount else { return }
    if n > limit - digitCount { ExactDecimalLimits.trapOnDigits() }
  }

  /// Calls `body` with self × 10^n, or with self for n <= 0.
  func withScaled<Result>(byTenTo n: Int, _ body: (LimbView) -> Result) -> Result {
    guard n > 0, !isZero else { return body(self) }
    return Self.withPowerOfTen(n) { withProduct($0, body) }
  }

  /// Calls `body` with self / 10^n for n > 0, truncated, and the discarded part.
  private func withTruncated<Result>(byTenTo n: Int, _ body: (LimbView, DiscardedPart) -> Result) -> Result {
    // More zeros than digits: the power might be astronomical and is not needed.
    guard n <= maximumDigitCount else { return body(LimbView(Span()), isZero ? .zero : .belowHalf) }
    return Self.withPowerOfTen(n) { power in
      withQuotient(dividingBy: power) { body($0, $1.discarded(of: power)) }
    }
  }

  /// Classifies self as a remainder of a division by `divisor`.
  private func discarded(of divisor: LimbView) -> DiscardedPart {
    guard !isZero else { return .zero }
    let order = withSum(self) { $0.compare(divisor) }
    return order < 0 ? .belowHalf : order == 0 ? .half : .aboveHalf
  }

  /// Calls `body` with the coefficient after the exponent grows by `shift`, which may have either sign.
  func withRescaled<Result>(
    by shift: Int, rounding: RoundingMode, isNegative: Bool, _ body: (LimbView) -> Result
  ) -> Result {
    guard shift > 0 else { return withScaled(byTenTo: -shift, body) }
    return withTruncated(byTenTo: shift) { quotient, discarded in
      let isOdd = quotient.lowLimb & 1 == 1
      let increment = rounding.increment(isOdd: isOdd, discarding: discarded, isNegative: isNegative)
      return increment == 0 ? body(quotient) : Self.with(increment) { quotient.withSum($0, body) }
    }
  }
}
