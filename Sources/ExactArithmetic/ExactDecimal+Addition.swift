extension ExactDecimal {
  /// The exact sum, at the smaller of both exponents: `1.5 + 0.25` is 1.75 and `1.50 + 0.50` is 2.00.
  ///
  /// A sum of 0 is positive unless both operands are negative zeros. Traps beyond ``ExactDecimalLimits``.
  @inlinable
  public static func + (a: ExactDecimal, b: ExactDecimal) -> ExactDecimal {
    sum(a, b, bIsNegative: b._isNegative)
  }

  /// The exact difference, at the smaller of both exponents; the same as `a + (-b)` in every respect.
  @inlinable
  public static func - (a: ExactDecimal, b: ExactDecimal) -> ExactDecimal {
    sum(a, b, bIsNegative: !b._isNegative)
  }

  /// The value with the opposite sign; for 0, this is -0.
  @inlinable
  public static prefix func - (a: ExactDecimal) -> ExactDecimal {
    var result = a
    result.negate()
    return result
  }

  /// Adds in place; see ``add(_:)``.
  @inlinable
  public static func += (a: inout ExactDecimal, b: ExactDecimal) { a.add(b) }

  /// Subtracts in place; see ``subtract(_:)``.
  @inlinable
  public static func -= (a: inout ExactDecimal, b: ExactDecimal) { a.subtract(b) }

  /// Replaces self by self + other.
  ///
  /// The fastest way to total amounts: with equal exponents and inline coefficients it is an integer addition
  /// in place.
  @inlinable @inline(__always)
  public mutating func add(_ other: ExactDecimal) {
    addInPlace(other, otherIsNegative: other._isNegative)
  }

  /// Replaces self by self - other; as fast as ``add(_:)``.
  @inlinable @inline(__always)
  public mutating func subtract(_ other: ExactDecimal) {
    addInPlace(other, otherIsNegative: !other._isNegative)
  }

  /// Inverts the sign, also for 0.
  @inlinable
  public mutating func negate() { _isNegative.toggle() }
}

extension ExactDecimal {
  /// Adds two signed magnitudes; opposite signs that cancel give +0. With `overflows`, the sum is 2^64 or more.
  ///
  /// It uses masks of all ones or all zeros, because the signs of amounts are hard for a processor to predict.
  @inlinable @inline(__always)
  static func signedSum(
    _ x: UInt64, _ xIsNegative: Bool, _ y: UInt64, _ yIsNegative: Bool
  ) -> (magnitude: UInt64, isNegative: Bool, overflows: Bool) {
    let (sum, carry) = x.addingReportingOverflow(y)
    let (difference, borrow) = x.subtractingReportingOverflow(y)
    if xIsNegative == yIsNegative { return (sum, xIsNegative, carry) }
    return (borrow ? 0 &- difference : difference, (xIsNegative != borrow) && difference != 0, false)
  }

  @inlinable @inline(__always)
  mutating func addInPlace(_ other: ExactDecimal, otherIsNegative: Bool) {
    if _large == nil && other._large == nil {
      if _exponent == other._exponent {
        let (magnitude, isNegative, overflows) = Self.signedSum(_small, _isNegative, other._small, otherIsNegative)
        if !overflows {
          _small = magnitude
          _isNegative = isNegative
          return
        }
      }
      let (magnitude, exponent, isNegative) = (_small, _exponent, _isNegative)
      self = Self.alignedSum(magnitude, exponent, isNegative, other._small, other._exponent, otherIsNegative)
      return
    }
    addLarge(other, otherIsNegative: otherIsNegative)
  }

  // In place, because assigning a result here would cost the inline path a retain.
  @usableFromInline @inline(never)
  mutating func addLarge(_ other: ExactDecimal, otherIsNegative: Bool) {
    self = Self.largeSum(self, other, bIsNegative: otherIsNegative)
  }

  @inlinable @inline(__always)
  static func sum(_ a: ExactDecimal, _ b: ExactDecimal, bIsNegative: Bool) -> ExactDecimal {
    guard a._large == nil && b._large == nil else { return largeSum(a, b, bIsNegative: bIsNegative) }
    if a._exponent == b._exponent {
      let (magnitude, isNegative, overflows) = signedSum(a._small, a._isNegative, b._small, bIsNegative)
      if !overflows {
        return ExactDecimal(small: magnitude, storedExponent: a._exponent, isNegative: isNegative)
      }
    }
    return alignedSum(a._small, a._exponent, a._isNegative, b._small, b._exponent, bIsNegative)
  }

  /// The sum of inline operands with any exponents. It takes the parts, so that callers do not retain objects.
  @usableFromInline @inline(never)
  static func alignedSum(
    _ x: UInt64, _ xExponent: Int32, _ xIsNegative: Bool, _ y: UInt64, _ yExponent: Int32, _ yIsNegative: Bool
  ) -> ExactDecimal {
    if let (magnitude, _, isNegative) = inlineSum(x, Int(xExponent), xIsNegative, y, Int(yExponent), yIsNegative) {
      return ExactDecimal(small: magnitude, storedExponent: min(xExponent, yExponent), isNegative: isNegative)
    }
    return largeSum(
      ExactDecimal(small: x, storedExponent: xExponent, isNegative: xIsNegative),
      ExactDecimal(small: y, storedExponent: yExponent, isNegative: yIsNegative), bIsNegative: yIsNegative)
  }

  /// The exact sum; `nil` if it or an aligned operand is 2^64 or more.
  @usableFromInline
  static func inlineSum(
    _ x: UInt64, _ xExponent: Int, _ xIsNegative: Bool, _ y: UInt64, _ yExponent: Int, _ yIsNegative: Bool
  ) -> (magnitude: UInt64, exponent: Int, isNegative: Bool)? {
    let shift = xExponent &- yExponent
    guard let alignedX = PowersOfTen.scaled(x, by: max(shift, 0)),
      let alignedY = PowersOfTen.scaled(y, by: max(0 &- shift, 0))
    else { return nil }
    let (magnitude, isNegative, overflows) = signedSum(alignedX, xIsNegative, alignedY, yIsNegative)
    return overflows ? nil : (magnitude, min(xExponent, yExponent), isNegative)
  }

  /// a + b for any operands, with the sign of b given separately.
  @usableFromInline @inline(never)
  static func largeSum(_ a: ExactDecimal, _ b: ExactDecimal, bIsNegative: Bool) -> ExactDecimal {
    a.withLimbs { x in
      b.withLimbs { y in
        SignedLimbs.withSum(
          SignedLimbs(magnitude: x, exponent: a.exponent, isNegative: a._isNegative),
          SignedLimbs(magnitude: y, exponent: b.exponent, isNegative: bIsNegative)
        ) {
          ExactDecimal(coefficient: $0.magnitude, exponent: $0.exponent, isNegative: $0.isNegative)
        }
      }
    }
  }
}

/// A decimal with borrowed limbs: the form of an ``ExactDecimal`` while GMP works on it.
struct SignedLimbs {
  var magnitude: LimbView
  var exponent: Int
  var isNegative: Bool

  /// Calls `body` with a + b, at the smaller of both exponents.
  @inline(__always)
  static func withSum<Result>(_ a: SignedLimbs, _ b: SignedLimbs, _ body: (SignedLimbs) -> Result) -> Result {
    let (upper, lower) = a.exponent >= b.exponent ? (a, b) : (b, a)
    let shift = upper.exponent - lower.exponent
    upper.magnitude.checkScaling(byTenTo: shift)
    let alignedLimbs = upper.magnitude.scaledLimbs(byTenTo: shift)
    return withLimbScratch(alignedLimbs + max(alignedLimbs, lower.magnitude.count) + 1) { scratch in
      var aligned = upper
      aligned.magnitude = upper.magnitude.scaled(byTenTo: shift, in: &scratch)
      aligned.exponent = lower.exponent
      return body(aligned.sumAtSameExponent(lower, in: &scratch))
    }
  }

  private func sumAtSameExponent(_ other: SignedLimbs, in scratch: inout LimbScratch) -> SignedLimbs {
    var result = self
    if isNegative == other.isNegative {
      result.magnitude = magnitude.sum(other.magnitude, in: &scratch)
      return result
    }
    let order = magnitude.compare(other.magnitude)
    if order >= 0 {
      result.magnitude = magnitude.difference(other.magnitude, in: &scratch)
      result.isNegative = isNegative && order != 0
    } else {
      result.magnitude = other.magnitude.difference(magnitude, in: &scratch)
      result.isNegative = other.isNegative
    }
    return result
  }
}
