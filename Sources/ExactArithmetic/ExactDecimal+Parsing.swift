extension ExactDecimal: LosslessStringConvertible {
  /// The number that a text spells; `nil` if it is not a number.
  ///
  /// The whole text must match the grammar `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`: no plus sign in front, no
  /// spaces, no leading zeros, digits on both sides of a point. All digits count, so that `1.50` is 150 × 10^-2; `-0`
  /// is a negative zero.
  ///
  /// It is also `nil` with more than ``ExactDecimalLimits/maximumDigits`` digits, or an exponent beyond
  /// ±``ExactDecimalLimits/maximumTextExponent``.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    let literal = DecimalLiteral.scan(
      bytes.span, digitLimit: ExactDecimalLimits.maximumDigits, exponentLimit: ExactDecimalLimits.maximumTextExponent)
    if literal.form == .malformed { return nil }
    self = literal.decimal(text: bytes.span)
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

extension DecimalLiteral {
  /// The value of the literal, given the same text that was scanned.
  ///
  /// For an inline literal, the text is not read; for a large one, its digits are read again. Traps if the literal is
  /// malformed or has more digits than ``ExactDecimalLimits/maximumDigits``.
  @inlinable
  public func decimal(text: Span<UInt8>) -> ExactDecimal {
    if form == .inline {
      return ExactDecimal(small: magnitude, storedExponent: exponent, isNegative: isNegative)
    }
    return largeDecimal(text: text)
  }

  @usableFromInline @inline(never)
  func largeDecimal(text: Span<UInt8>) -> ExactDecimal {
    guard form == .large else { fatalError("DecimalLiteral: a malformed text has no value") }
    var digits: [UInt8] = []
    digits.reserveCapacity(text.count)
    for place in text.indices {
      let digit = text[place] &- PlainNotation.zero
      if digit <= 9 {
        digits.append(digit)
      } else if text[place] | 0x20 == UInt8(ascii: "e") {
        break
      }
    }
    return LimbView.withNumber(digits: digits) {
      ExactDecimal(coefficient: $0, exponent: Int(exponent), isNegative: isNegative)
    }
  }
}
