extension ExactDecimal {
  /// The exact product, at the sum of both exponents: `1.50 × 0.2` is 0.300.
  ///
  /// It is negative if exactly one operand is, even if it is 0. Traps beyond ``ExactDecimalLimits``.
  @inlinable
  public static func * (a: ExactDecimal, b: ExactDecimal) -> ExactDecimal {
    if a._large == nil && b._large == nil {
      let (high, low) = a._small.multipliedFullWidth(by: b._small)
      let (exponent, overflow) = a._exponent.addingReportingOverflow(b._exponent)
      if high == 0 && !overflow {
        return ExactDecimal(small: low, storedExponent: exponent, isNegative: a._isNegative != b._isNegative)
      }
    }
    return largeProduct(a, b)
  }

  /// a × b for any operands.
  @usableFromInline @inline(never)
  static func largeProduct(_ a: ExactDecimal, _ b: ExactDecimal) -> ExactDecimal {
    withProduct(a, b) {
      ExactDecimal(coefficient: $0.magnitude, exponent: $0.exponent, isNegative: $0.isNegative)
    }
  }

  /// Calls `body` with a × b, which need not be within the limits.
  static func withProduct<Result>(
    _ a: ExactDecimal, _ b: ExactDecimal, _ body: (SignedLimbs) -> Result
  ) -> Result {
    a.withLimbs { x in
      b.withLimbs { y in
        x.withProduct(y) {
          body(
            SignedLimbs(
              magnitude: $0, exponent: a.exponent + b.exponent, isNegative: a._isNegative != b._isNegative))
        }
      }
    }
  }
}
