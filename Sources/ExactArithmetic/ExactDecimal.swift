/// An exact decimal number: (-1)^sign × coefficient × 10^exponent.
///
/// ```swift
/// let price = ExactDecimal("19.99")!                       // 1999 × 10^-2
/// let rate = ExactDecimal("0.0725")!
/// price * rate                                             // 1.449275, exact
/// (price * rate).quantized(to: -2, rounding: .halfEven)    // 1.45
/// ```
///
/// Sums, differences and products are exact and keep the exponents of the General Decimal Arithmetic
/// specification: the smaller one for a sum, the sum of both for a product. So 2.0 and 2.00 are different
/// representations that compare equal. Zero also has a sign and an exponent; -0 equals 0.
///
/// A coefficient below 2^64 is stored inline and costs no allocation; a larger one is in an immutable object and is
/// computed with GMP. The choice never affects a result. ``ExactDecimalLimits`` states what is too large; exceeding it
/// traps.
@frozen
public struct ExactDecimal: Sendable {
  /// The coefficient if `_large` is `nil`, else 0.
  @usableFromInline var _small: UInt64
  /// The coefficient if and only if it is 2^64 or more.
  @usableFromInline var _large: LargeCoefficient?
  @usableFromInline var _exponent: Int32
  @usableFromInline var _isNegative: Bool

  /// An inline value whose exponent is known to be storable.
  @inlinable @inline(__always)
  init(small: UInt64, storedExponent: Int32, isNegative: Bool) {
    _small = small
    _large = nil
    _exponent = storedExponent
    _isNegative = isNegative
  }

  /// A value whose coefficient is 2^64 or more.
  init(large: LargeCoefficient, storedExponent: Int32, isNegative: Bool) {
    _small = 0
    _large = large
    _exponent = storedExponent
    _isNegative = isNegative
    assertInvariants()
  }

  /// Zero, with exponent 0 and positive.
  @inlinable public static var zero: ExactDecimal {
    ExactDecimal(small: 0, storedExponent: 0, isNegative: false)
  }

  /// The value (-1)^isNegative × magnitude × 10^exponent.
  ///
  /// `ExactDecimal(magnitude: 150, exponent: -2, isNegative: true)` is -1.50. A magnitude of 0 with
  /// `isNegative` is -0. Traps if the exponent is outside ``ExactDecimalLimits/exponents``.
  @inlinable
  public init(magnitude: UInt64, exponent: Int = 0, isNegative: Bool = false) {
    self.init(
      small: magnitude, storedExponent: ExactDecimalLimits.stored(exponent: exponent), isNegative: isNegative)
  }

  /// The value integer × 10^exponent.
  ///
  /// `ExactDecimal(-150, exponent: -2)` is -1.50. Traps if the exponent is outside
  /// ``ExactDecimalLimits/exponents``.
  @inlinable
  public init(_ integer: Int, exponent: Int = 0) {
    self.init(magnitude: UInt64(integer.magnitude), exponent: exponent, isNegative: integer < 0)
  }
}

extension ExactDecimal {
  /// Takes another value, like `self = other`.
  ///
  /// Between inline values this costs four stores and no release call.
  @inlinable @inline(__always)
  public mutating func set(_ other: ExactDecimal) {
    if _large == nil && other._large == nil {
      _small = other._small
      _exponent = other._exponent
      _isNegative = other._isNegative
    } else {
      self = other
    }
  }

  /// Whether the sign is minus; also true of -0.
  @inlinable public var isNegative: Bool { _isNegative }

  /// Whether the value is 0, with any sign and exponent.
  @inlinable public var isZero: Bool { _small == 0 && _large == nil }

  /// The power of ten of one unit of the coefficient: -2 for 1.50.
  @inlinable public var exponent: Int { Int(_exponent) }

  /// Whether the coefficient is below 2^64 and so is stored without an object.
  @inlinable public var isInline: Bool { _large == nil }

  /// The coefficient if it is below 2^64, else `nil`.
  @inlinable public var inlineMagnitude: UInt64? { _large == nil ? _small : nil }

  /// The coefficient of a value that ``isInline``; meaningless (0) for other values.
  @inlinable public var _magnitude: UInt64 { _small }

  /// The number of decimal digits of the coefficient, at least 1: 3 for 1.50, 1 for 0.00.
  @inlinable public var digitCount: Int {
    _large == nil ? PowersOfTen.digitCount(_small) : largeDigitCount
  }

  @usableFromInline @inline(never)
  var largeDigitCount: Int { withLimbs { $0.digitCount } }
}

extension ExactDecimal {
  /// The coefficient with its sign if it fits into a word, else `nil`.
  @inlinable @inline(__always)
  public var inlineCoefficient: Int? {
    guard _large == nil, _small <= UInt64(Int.max) else { return nil }
    return _isNegative ? -Int(_small) : Int(_small)
  }
}
