/// Division of 128-bit magnitudes by powers of ten.
///
/// `UInt128`'s own division is a library call; dividing by a table entry takes two multiplications with the
/// method of Möller and Granlund, "Improved division by invariant integers" (2011), algorithm 4.
enum WideDivision {
  /// The most decimal digits below the point of a quotient that is not certainly below one half: for a larger
  /// n every `UInt128` is less than half of 10^n.
  static var maximumExponent: Int { 38 }

  /// (high × 2^64 + low) / 10^n for high < 10^n, n in 0...19.
  @inline(__always)
  static func divideNarrow(high: UInt64, low: UInt64, byTenTo n: Int) -> (quotient: UInt64, remainder: UInt64) {
    let power = PowersOfTen.power(n)
    let shift = UInt64(truncatingIfNeeded: power.leadingZeroBitCount)
    let divisor = power &<< shift
    // In two steps, since a shift by 64 has to give 0.
    let u1 = (high &<< shift) | ((low &>> 1) &>> (63 &- shift))
    let u0 = low &<< shift
    let product = PowersOfTen.reciprocals[n].multipliedFullWidth(by: u1)
    let (q0, carry) = product.low.addingReportingOverflow(u0)
    var q1 = product.high &+ u1 &+ (carry ? 1 : 0) &+ 1
    var remainder = u0 &- q1 &* divisor
    if remainder > q0 {
      q1 &-= 1
      remainder &+= divisor
    }
    if remainder >= divisor {
      q1 &+= 1
      remainder &-= divisor
    }
    return (q1, remainder &>> shift)
  }

  /// value / 10^n for n in 0...19.
  @inline(__always)
  static func divide(_ value: UInt128, byTenTo n: Int) -> (quotient: UInt128, remainder: UInt64) {
    let high = UInt64(truncatingIfNeeded: value &>> 64)
    let low = UInt64(truncatingIfNeeded: value)
    let power = PowersOfTen.power(n)
    if high < power {
      let (quotient, remainder) = divideNarrow(high: high, low: low, byTenTo: n)
      return (UInt128(quotient), remainder)
    }
    let (top, rest) = high.quotientAndRemainder(dividingBy: power)
    let (quotient, remainder) = divideNarrow(high: rest, low: low, byTenTo: n)
    return (UInt128(top) &<< 64 | UInt128(quotient), remainder)
  }

  /// value / 10^n for n > 0, truncated, and what was discarded.
  @inline(__always)
  static func truncate(_ value: UInt128, byTenTo n: Int) -> (quotient: UInt128, discarded: DiscardedPart) {
    if n <= PowersOfTen.maximumExponent {
      let (quotient, remainder) = divide(value, byTenTo: n)
      return (
        quotient, DiscardedPart(remainder: remainder, half: PowersOfTen.power(n) &>> 1, isInexact: false)
      )
    }
    guard n <= maximumExponent else { return (0, value == 0 ? .zero : .belowHalf) }
    // 10^n in two factors; the first remainder only matters for being zero or not.
    let (upper, lowest) = divide(value, byTenTo: PowersOfTen.maximumExponent)
    let rest = n &- PowersOfTen.maximumExponent
    let (quotient, remainder) = divide(upper, byTenTo: rest)
    return (
      quotient, DiscardedPart(remainder: remainder, half: PowersOfTen.power(rest) &>> 1, isInexact: lowest != 0)
    )
  }

  /// value × 10^n for n >= 0, or `nil` if that is 2^128 or more.
  @inline(__always)
  static func scaled(_ value: UInt128, by n: Int) -> UInt128? {
    guard n > 0 else { return value }
    guard n <= maximumExponent else { return value == 0 ? 0 : nil }
    let first = min(n, PowersOfTen.maximumExponent)
    let (partial, overflow) = scaledNarrow(value, by: first)
    let (product, secondOverflow) = scaledNarrow(partial, by: n &- first)
    return overflow || secondOverflow ? nil : product
  }

  /// value × 10^n modulo 2^128 for n in 0...19.
  @inline(__always)
  static func scaledNarrow(_ value: UInt128, by n: Int) -> (product: UInt128, overflow: Bool) {
    let power = PowersOfTen.power(n)
    let low = UInt64(truncatingIfNeeded: value).multipliedFullWidth(by: power)
    let high = UInt64(truncatingIfNeeded: value &>> 64).multipliedFullWidth(by: power)
    let (upper, carry) = high.low.addingReportingOverflow(low.high)
    return (UInt128(upper) &<< 64 | UInt128(low.low), high.high != 0 || carry)
  }
}
