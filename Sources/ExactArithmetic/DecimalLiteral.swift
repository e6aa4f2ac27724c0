/// A parsed decimal literal, found without any allocation.
///
/// ```swift
/// let text = Array("1.50".utf8)
/// let literal = DecimalLiteral.scan(text.span, digitLimit: 40, exponentLimit: 99)
/// literal.magnitude   // 150
/// literal.exponent    // -2
/// ```
///
/// Code that reads many texts can check the literal and then convert it to an ``ExactDecimal`` with
/// ``decimal(text:)``.
@frozen
public struct DecimalLiteral: Sendable, BitwiseCopyable {
  /// Where a literal's coefficient is.
  @frozen
  public enum Form: UInt8, Sendable {
    /// The text is not a literal, or is beyond the limits; nothing else in the ``DecimalLiteral`` means anything.
    case malformed
    /// The coefficient is below 2^64 and is in ``DecimalLiteral/magnitude``.
    case inline
    /// The coefficient is 2^64 or more and is only in the text; ``DecimalLiteral/magnitude`` is 0.
    case large
  }

  /// The coefficient, all digits of the text without the point: 150 for `1.50`. 0 unless the form is `inline`.
  public var magnitude: UInt64

  /// The power of ten of the last digit: -2 for `1.50`, 3 for `1.50e5`.
  public var exponent: Int32

  /// Whether the text starts with a minus sign; also true for `-0`.
  public var isNegative: Bool

  /// Where the coefficient is, and whether there is one.
  public var form: Form

  /// Makes a literal from its parts, as ``scan(_:digitLimit:exponentLimit:)`` would find them.
  @inlinable @inline(__always)
  public init(magnitude: UInt64, exponent: Int32, isNegative: Bool, form: Form) {
    self.magnitude = magnitude
    self.exponent = exponent
    self.isNegative = isNegative
    self.form = form
  }

  /// Whether the text spells zero, with any sign and exponent.
  @inlinable public var isZero: Bool { form == .inline && magnitude == 0 }

  @inlinable static var malformed: DecimalLiteral {
    DecimalLiteral(magnitude: 0, exponent: 0, isNegative: false, form: .malformed)
  }
}
