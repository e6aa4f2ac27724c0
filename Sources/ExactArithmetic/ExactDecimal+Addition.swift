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
struct SignedLimbs: ~Escapable {
  let magnitude: LimbView
  let exponent: Int
  var isNegative: Bool

  @_lifetime(copy magnitude)
  init(magnitude: LimbView, exponent: Int, isNegative: Bool) {
    self.magnitude = magnitude
    self.exponent = exponent
    self.isNegative = isNegative
  }

  /// Calls `body` with a + b, at the smaller of both exponents.
  static func withSum<Result>(_ a: SignedLimbs, _ b: SignedLimbs, _ body: (SignedLimbs) -> Result) -> Result {
    if a.exponent < b.exponent { return withSum(b, a, body) }
    let shift = a.exponent - b.exponent
    a.magnitude.checkScaling(byTenTo: shift)
    return a.magnitude.withScaled(byTenTo: shift) { aligned in
      if a.isNegative == b.isNegative {
        return aligned.withSum(b.magnitude) {
          body(SignedLimbs(magnitude: $0, exponent: b.exponent, isNegative: a.isNegative))
        }
      }
      let order = aligned.compare(b.magnitude)
      if order >= 0 {
        return aligned.withDifference(b.magnitude) {
          body(SignedLimbs(magnitude: $0, exponent: b.exponent, isNegative: a.isNegative && order != 0))
        }
      }
      return b.magnitude.withDifference(aligned) {
        body(SignedLimbs(magnitude: $0, exponent: b.exponent, isNegative: b.isNegative))
      }
    }
  }
}
