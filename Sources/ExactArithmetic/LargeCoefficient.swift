/// A coefficient of 2^64 or more; copies share its limbs.
@usableFromInline
struct LargeCoefficient: Sendable {
  /// The limbs, least significant first; the top one is not zero.
  let limbs: ContiguousArray<UInt64>
}

extension ExactDecimal {
  /// The canonical value of a coefficient of any size; traps if it has too many digits.
  init(coefficient: LimbView, exponent: Int, isNegative: Bool) {
    let stored = ExactDecimalLimits.stored(exponent: exponent)
    guard coefficient.count > 1 else {
      self.init(small: coefficient.lowLimb, storedExponent: stored, isNegative: isNegative)
      return
    }
    if coefficient.maximumDigitCount > ExactDecimalLimits.maximumDigits,
      coefficient.digitCount > ExactDecimalLimits.maximumDigits
    {
      ExactDecimalLimits.trapOnDigits()
    }
    let limbs = ContiguousArray(capacity: coefficient.count) { limbs in
      for place in coefficient.limbs.indices { limbs.append(coefficient.limbs[place]) }
    }
    self.init(large: LargeCoefficient(limbs: limbs), storedExponent: stored, isNegative: isNegative)
  }

  /// Calls `body` with the coefficient in GMP's form; for an inline one, without making an object.
  func withLimbs<Result>(_ body: (LimbView) -> Result) -> Result {
    if let _large { return body(LimbView(_large.limbs.span)) }
    return LimbView.with(_small, body)
  }
}
