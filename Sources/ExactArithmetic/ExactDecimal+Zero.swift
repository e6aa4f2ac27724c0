extension ExactDecimal {
  /// Zero with an exponent. Sums keep the exponent, so that amounts print with their currency's decimals.
  @inlinable @inline(__always)
  public static func zero(at exponent: Int) -> ExactDecimal { ExactDecimal(magnitude: 0, exponent: exponent) }
}
