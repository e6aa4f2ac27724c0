/// A decimal whose coefficient fits into 64 bits, without a reference: several can be passed at once, and no reference is
/// counted. It is (-1 if negative) x magnitude x 10^exponent.
public struct InlineDecimal: BitwiseCopyable, Sendable {
  @usableFromInline let magnitude: UInt64
  @usableFromInline let exponent: Int32
  @usableFromInline let isNegative: Bool

  @inlinable @inline(__always)
  init(magnitude: UInt64, exponent: Int32, isNegative: Bool) {
    self.magnitude = magnitude
    self.exponent = exponent
    self.isNegative = isNegative
  }
}

extension ExactDecimal {
  /// The value without a reference. It traps unless the value ``isInline``.
  @inlinable
  public var inlineValue: InlineDecimal {
    @inline(__always) get {
      precondition(_large == nil, "a decimal of more than 64 bits")
      return InlineDecimal(magnitude: _small, exponent: _exponent, isNegative: _isNegative)
    }
  }
}
