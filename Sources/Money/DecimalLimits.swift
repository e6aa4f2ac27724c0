import ExactArithmetic

extension ExactDecimal {
  /// The same value without unneeded trailing zeros, but with at least a currency's decimals.
  public func trimmed(to currency: Currency) -> ExactDecimal {
    exact(at: -currency.settlementExponent) ?? strippingTrailingZeros()
  }
}

/// The limits of a decimal in a batch, a fee schedule or a split (`batch.md`, "Payment").
public enum DecimalLimits {
  /// The maximum number of digits before the exponent mark.
  public static let digits = 64
  /// The maximum number of digits of a trailer's sum.
  public static let totalDigits = 256
  /// The largest absolute value of the exponent.
  public static let exponent = 64

  /// The decimal that a text spells; nil if it is not one, or is over these limits.
  public static func decimal(_ text: [UInt8], digitLimit: Int = digits) -> ExactDecimal? {
    let literal = DecimalLiteral.scan(text.span, digitLimit: digitLimit, exponentLimit: exponent)
    return literal.form == .malformed ? nil : literal.decimal(text: text.span)
  }
}
