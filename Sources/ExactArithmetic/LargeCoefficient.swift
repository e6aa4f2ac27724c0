internal import CGMP

/// A coefficient of 2^64 or more: its limb count as header and the limbs behind it, in one allocation.
///
/// Immutable once made, hence safe to share between values and threads. The top limb is not zero.
@usableFromInline
final class LargeCoefficient: ManagedBuffer<Int, UInt64> {
  /// A copy of the limbs.
  static func make(_ source: LimbView) -> LargeCoefficient {
    let buffer = create(minimumCapacity: source.count) { _ in source.count }
    buffer.withUnsafeMutablePointerToElements { $0.initialize(from: source.limbs, count: source.count) }
    return unsafeDowncast(buffer, to: LargeCoefficient.self)
  }

  /// The limbs, valid while the object lives.
  @inline(__always)
  var view: LimbView {
    withUnsafeMutablePointers { LimbView(limbs: $1, count: $0.pointee) }
  }
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
    self.init(large: LargeCoefficient.make(coefficient), storedExponent: stored, isNegative: isNegative)
  }

  /// The canonical value of a 128-bit coefficient.
  @inline(never)
  init(wide: UInt128, exponent: Int, isNegative: Bool) {
    self = LimbView.withLimbs(of: wide) {
      ExactDecimal(coefficient: $0, exponent: exponent, isNegative: isNegative)
    }
  }

  /// Lends the coefficient in GMP's form; an inline one without making an object of it.
  @inline(__always)
  func withLimbs<Result>(_ body: (LimbView) -> Result) -> Result {
    withUnsafePointer(to: _small) { small in
      let view = _large?.view ?? LimbView(limbs: small, count: _small == 0 ? 0 : 1)
      return withExtendedLifetime(_large) { body(view) }
    }
  }
}

extension LimbView {
  /// Lends a 128-bit number in GMP's form.
  static func withLimbs<Result>(of value: UInt128, _ body: (LimbView) -> Result) -> Result {
    withLimbScratch(2) { scratch in
      let limbs = scratch.take(2)
      limbs[0] = UInt64(truncatingIfNeeded: value)
      limbs[1] = UInt64(truncatingIfNeeded: value >> 64)
      return body(LimbView(trimming: limbs, count: 2))
    }
  }
}
