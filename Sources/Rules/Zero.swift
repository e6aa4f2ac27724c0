import ExactArithmetic

extension ExactDecimal {
  /// Zero at an exponent, so that sums that begin with it keep a currency's decimals.
  @inline(__always)
  static func zero(at exponent: Int) -> ExactDecimal { ExactDecimal(magnitude: 0, exponent: exponent) }
}
