/// The limits of ``ExactDecimal``: within them it computes exactly, and beyond them it traps.
///
/// They stop a hostile or mistaken operand ("1E+2000000000 plus a cent") from using all the memory: such an operation
/// ends the process with a message that names the limit.
public enum ExactDecimalLimits {
  /// The maximum number of decimal digits of a coefficient: 100,000.
  ///
  /// It applies to results, and to an operand that needs more digits to be aligned with another one.
  @inlinable public static var maximumDigits: Int { 100_000 }

  /// The exponents that a value may have: the range of `Int32`.
  @inlinable public static var exponents: ClosedRange<Int> { Int(Int32.min)...Int(Int32.max) }

  /// The largest absolute exponent after the `e` of a text given to `ExactDecimal(_: String)`: 100,000.
  ///
  /// The number of digits of such a text is limited by ``maximumDigits``.
  @inlinable public static var maximumTextExponent: Int { 100_000 }

  /// Ends the process if a coefficient would become too long.
  ///
  /// It uses `fatalError`, because a precondition's message is lost in optimised builds.
  @usableFromInline @inline(never)
  static func trapOnDigits() -> Never {
    fatalError("ExactDecimal: an operand or result would have more than \(maximumDigits) digits")
  }

  /// Ends the process if an exponent is not one of ``exponents``.
  @usableFromInline @inline(never)
  static func trapOnExponent() -> Never {
    fatalError("ExactDecimal: an exponent is outside the range of Int32")
  }

  /// The exponent in its stored form; traps outside ``exponents``.
  @inlinable @inline(__always)
  static func stored(exponent: Int) -> Int32 {
    guard let stored = Int32(exactly: exponent) else { trapOnExponent() }
    return stored
  }
}
