extension ExactDecimal {
  /// What is wrong with the representation, or `nil` if it is canonical.
  var invariantViolation: String? {
    guard let limbs = _large?.limbs else { return nil }
    if _small != 0 { return "a large value has an inline coefficient, too" }
    if limbs.count < 2 { return "a coefficient below 2^64 is not inline" }
    if limbs[limbs.count - 1] == 0 { return "a coefficient has leading zero limbs" }
    if largeMaximumDigitCount > ExactDecimalLimits.maximumDigits + 1 { return "a coefficient is too long" }
    return nil
  }

  /// Traps on a broken invariant; does nothing in optimised builds.
  @inline(__always)
  func assertInvariants() {
    assert(invariantViolation == nil, invariantViolation ?? "")
  }
}
