import ExactArithmetic

// What General Decimal Arithmetic distinguishes, and settlements do not.
extension ExactDecimal {
  /// Whether sign, coefficient and exponent all agree: true of 2.0 and 2.0, but neither of 2.0 and 2.00 nor of
  /// 0 and -0.
  public func isIdentical(to other: ExactDecimal) -> Bool {
    isNegative == other.isNegative && exponent == other.exponent && self == other
  }

  /// The exact sum; the rounding mode decides the sign of zero.
  ///
  /// Operands of opposite signs that sum to exactly zero give a negative zero under ``RoundingMode/floor``: `5 + (-5)`
  /// is -0. Otherwise this is `self + other`.
  public func adding(_ other: ExactDecimal, under mode: RoundingMode) -> ExactDecimal {
    var sum = self + other
    if mode == .floor, sum.isZero, isNegative != other.isNegative, !sum.isNegative { sum.negate() }
    return sum
  }
}
