// (Unsafe: what these call reads only the bytes of the text.)
extension DecimalLiteral {
  /// Reads a text that must be entirely a literal within the limits.
  ///
  /// The grammar is `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`. An empty text, anything else before, between or
  /// after these parts, and a violated limit give a literal of the form ``Form/malformed``.
  ///
  /// - Parameters:
  ///   - text: The text, ASCII.
  ///   - digitLimit: The maximum number of digits before the exponent mark, including the leading zero of `0.5`.
  ///   - exponentLimit: The largest absolute value of the exponent after the mark. It may be written with any
  ///     number of leading zeros.
  ///
  /// Whatever the limits, a text is malformed if its exponent, or its exponent minus its decimals, does not fit
  /// `Int32`.
  @inlinable @inline(__always)
  public static func scan(_ text: Span<UInt8>, digitLimit: Int, exponentLimit: Int) -> DecimalLiteral {
    unsafe text.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return .malformed }
      return unsafe scan(start, count: bytes.count, digitLimit: digitLimit, exponentLimit: exponentLimit)
    }
  }

  /// The value of the literal, given the same text that was scanned.
  ///
  /// For an inline literal, the text is not read; for a large one, its digits are read again. Traps if the literal is
  /// malformed or has more digits than ``ExactDecimalLimits/maximumDigits``.
  @inlinable
  public func decimal(text: Span<UInt8>) -> ExactDecimal {
    if form == .inline {
      return ExactDecimal(small: magnitude, storedExponent: exponent, isNegative: isNegative)
    }
    return unsafe text.withUnsafeBufferPointer { unsafe largeDecimal(text: $0.baseAddress!, count: $0.count) }
  }
}

extension ExactDecimal {
  /// Takes the value of a literal, given the same text that was scanned: `self = literal.decimal(text:)`.
  ///
  /// Replacing an inline value by another costs no release call. Traps in the same cases as
  /// ``DecimalLiteral/decimal(text:)``.
  @inlinable @inline(__always)
  public mutating func set(_ literal: DecimalLiteral, text: Span<UInt8>) {
    if literal.form == .inline && _large == nil {
      _small = literal.magnitude
      _exponent = literal.exponent
      _isNegative = literal.isNegative
    } else {
      self = literal.decimal(text: text)
    }
  }
}
