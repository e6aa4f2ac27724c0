extension ExactDecimal: Comparable {
  /// Whether both are the same number: 2.0 equals 2.00, and -0 equals 0.
  @inlinable @inline(__always)
  public static func == (a: ExactDecimal, b: ExactDecimal) -> Bool { order(a, b) == 0 }

  /// Whether a is the smaller number. Needs almost no memory, however far apart the exponents are.
  @inlinable @inline(__always)
  public static func < (a: ExactDecimal, b: ExactDecimal) -> Bool { order(a, b) < 0 }

  /// -1, 0 or 1 if a is less than, equal to or greater than b.
  @inlinable @inline(__always)
  static func order(_ a: ExactDecimal, _ b: ExactDecimal) -> Int {
    guard a._large == nil && b._large == nil else { return largeOrder(a, b) }
    let (aIsNegative, bIsNegative) = (a._isNegative && a._small != 0, b._isNegative && b._small != 0)
    if aIsNegative != bIsNegative { return aIsNegative ? -1 : 1 }
    let magnitudes =
      a._exponent == b._exponent
      ? (a._small < b._small ? -1 : a._small > b._small ? 1 : 0)
      : magnitudeOrder(a._small, a._exponent, b._small, b._exponent)
    return aIsNegative ? -magnitudes : magnitudes
  }

  /// The order of x × 10^xExponent and y × 10^yExponent.
  @usableFromInline
  static func magnitudeOrder(_ x: UInt64, _ xExponent: Int32, _ y: UInt64, _ yExponent: Int32) -> Int {
    let shift = Int(xExponent) - Int(yExponent)
    if shift < 0 { return -magnitudeOrder(y, yExponent, x, xExponent) }
    guard let aligned = PowersOfTen.scaled(x, by: shift) else { return 1 }  // 2^64 or more, unlike y
    return aligned < y ? -1 : aligned > y ? 1 : 0
  }

  /// The order of any operands.
  @usableFromInline @inline(never)
  static func largeOrder(_ a: ExactDecimal, _ b: ExactDecimal) -> Int {
    a.withLimbs { x in
      b.withLimbs { y in
        let (aIsNegative, bIsNegative) = (a._isNegative && !x.isZero, b._isNegative && !y.isZero)
        if aIsNegative != bIsNegative { return aIsNegative ? -1 : 1 }
        let magnitudes = magnitudeOrder(x, a.exponent, y, b.exponent).signum()
        return aIsNegative ? -magnitudes : magnitudes
      }
    }
  }

  /// Negative, zero or positive like the order of x × 10^xExponent and y × 10^yExponent.
  private static func magnitudeOrder(_ x: LimbView, _ xExponent: Int, _ y: LimbView, _ yExponent: Int) -> Int {
    let shift = xExponent - yExponent
    if shift == 0 || x.isZero || y.isZero { return x.compare(y) }
    if shift < 0 { return -magnitudeOrder(y, yExponent, x, xExponent) }
    // Only numbers whose first digits have the same weight need to be aligned.
    let (xDigits, yDigits) = (x.digitCount + shift, y.digitCount)
    if xDigits != yDigits { return xDigits - yDigits }
    return x.withScaled(byTenTo: shift) { $0.compare(y) }
  }
}
