internal import CGMP

/// A coefficient of 2^64 or more: its limb count as header and the limbs after it, in one allocation.
///
/// Immutable after its creation, so it is safe to share between values and threads. The top limb is not zero.
@usableFromInline
final class LargeCoefficient: ManagedBuffer<Int, UInt64> {
  /// A copy of the limbs.
  static func make(_ source: LimbView) -> LargeCoefficient {
    let buffer = create(minimumCapacity: source.count) { _ in source.count }
    unsafe buffer.withUnsafeMutablePointerToElements { unsafe $0.initialize(from: source.limbs, count: source.count) }
    return unsafe unsafeDowncast(buffer, to: LargeCoefficient.self)
  }

  /// The limbs, valid while the object lives.
  @inline(__always)
  var view: LimbView {
    unsafe withUnsafeMutablePointers { unsafe LimbView(limbs: $1, count: $0.pointee) }
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

  /// Calls `body` with the coefficient in GMP's form; for an inline one, without making an object.
  @inline(__always)
  func withLimbs<Result>(_ body: (LimbView) -> Result) -> Result {
    unsafe withUnsafePointer(to: _small) { small in
      let view = unsafe _large?.view ?? LimbView(limbs: small, count: _small == 0 ? 0 : 1)
      return withExtendedLifetime(_large) { body(view) }
    }
  }
}
