import ExactArithmetic

/// What fees are computed in: minor units of the currency, or decimals if an amount is too large. A decimal costs three
/// times as much, although its digits fit a word: its exponent, its sign and where its digits are must be looked at.
protocol FeeAmount {
  init(_ amount: ExactDecimal)
  static func zero(at exponent: Int) -> Self
  static func + (one: Self, other: Self) -> Self
  static func - (one: Self, other: Self) -> Self
  static func += (one: inout Self, other: Self)
  static func < (one: Self, other: Self) -> Bool
  func enter(into amount: inout ExactDecimal, exponent: Int)
}

extension ExactDecimal: FeeAmount {
  init(_ amount: ExactDecimal) { self = amount }
  func enter(into amount: inout ExactDecimal, exponent: Int) { amount.set(self) }
}

/// A number of minor units, at most 2^53. So no sum of a payment's overflows.
struct MinorUnits: FeeAmount {
  private let count: Int

  /// Whether they represent an amount that is not negative.
  @inline(__always)
  static func represent(_ amount: ExactDecimal, exponent: Int) -> Bool {
    amount.isInline && amount._magnitude < 1 << 53 && amount.exponent == exponent
  }

  @inline(__always)
  private init(_ count: Int) { self.count = count }

  @inline(__always)
  init(_ amount: ExactDecimal) {
    let magnitude = Int(truncatingIfNeeded: amount._magnitude)
    count = amount.isNegative ? 0 &- magnitude : magnitude
  }

  @inline(__always) static func zero(at exponent: Int) -> MinorUnits { MinorUnits(0) }
  @inline(__always)
  static func + (one: MinorUnits, other: MinorUnits) -> MinorUnits { MinorUnits(one.count &+ other.count) }
  @inline(__always)
  static func - (one: MinorUnits, other: MinorUnits) -> MinorUnits { MinorUnits(one.count &- other.count) }
  @inline(__always) static func += (one: inout MinorUnits, other: MinorUnits) { one = one + other }
  @inline(__always) static func < (one: MinorUnits, other: MinorUnits) -> Bool { one.count < other.count }

  @inline(__always)
  func enter(into amount: inout ExactDecimal, exponent: Int) { amount.set(ExactDecimal(count, exponent: exponent)) }
}
