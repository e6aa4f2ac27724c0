import ExactArithmetic

// What General Decimal Arithmetic tells apart, and settlements do not.
extension ExactDecimal {
  /// Whether sign, coefficient and exponent all agree: true of 2.0 and 2.0, but neither of 2.0 and 2.00 nor of
  /// 0 and -0.
  public func isIdentical(to other: ExactDecimal) -> Bool {
    isNegative == other.isNegative && exponent == other.exponent && self == other
  }

  /// The exact sum, where the rounding mode decides the sign of zero.
  ///
  /// An exact zero of operands of opposite signs is negative under ``RoundingMode/floor``: `5 + (-5)` is -0 there. In
  /// everything else this is `self + other`.
  public func adding(_ other: ExactDecimal, under mode: RoundingMode) -> ExactDecimal {
    var sum = self + other
    if mode == .floor, sum.isZero, isNegative != other.isNegative, !sum.isNegative { sum.negate() }
    return sum
  }
}
