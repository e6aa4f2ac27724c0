extension ExactDecimal {
  /// What is wrong with the representation, or `nil` if it is canonical.
  var invariantViolation: String? {
    guard let view = _large?.view else { return nil }
    if _small != 0 { return "a large value has an inline coefficient, too" }
    if view.count < 2 { return "a coefficient below 2^64 is not inline" }
    if unsafe view.limbs[view.count - 1] == 0 { return "a coefficient has leading zero limbs" }
    if view.maximumDigitCount > ExactDecimalLimits.maximumDigits + 1 { return "a coefficient is too long" }
    return nil
  }

  /// Traps on a broken invariant; does nothing in optimised builds.
  @inline(__always)
  func assertInvariants() {
    assert(invariantViolation == nil, invariantViolation ?? "")
  }
}
