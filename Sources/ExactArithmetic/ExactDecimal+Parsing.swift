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
    var text = text
    let decimal: ExactDecimal? = text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return nil }
      let literal = DecimalLiteral.scan(
        start, count: bytes.count, digitLimit: ExactDecimalLimits.maximumDigits,
        exponentLimit: ExactDecimalLimits.maximumTextExponent)
      return literal.form == .malformed ? nil : literal.decimal(text: start, count: bytes.count)
    }
    guard let decimal else { return nil }
    self = decimal
  }
}

extension ExactDecimal {
  /// Takes the value of a literal, given the same text that was scanned: `self = literal.decimal(text:count:)`.
  ///
  /// Replacing an inline value by another costs no release call. Traps in the same cases as
  /// ``DecimalLiteral/decimal(text:count:)``.
  @inlinable @inline(__always)
  public mutating func set(_ literal: DecimalLiteral, text: UnsafePointer<UInt8>, count: Int) {
    if literal.form == .inline && _large == nil {
      _small = literal.magnitude
      _exponent = literal.exponent
      _isNegative = literal.isNegative
    } else {
      self = literal.decimal(text: text, count: count)
    }
  }
}

extension DecimalLiteral {
  /// The value of the literal, given the same text that was scanned.
  ///
  /// For an inline literal, the text is not read; for a large one, its digits are read again. Traps if the literal is
  /// malformed or has more digits than ``ExactDecimalLimits/maximumDigits``.
  @inlinable
  public func decimal(text: UnsafePointer<UInt8>, count: Int) -> ExactDecimal {
    if form == .inline {
      return ExactDecimal(small: magnitude, storedExponent: exponent, isNegative: isNegative)
    }
    return largeDecimal(text: text, count: count)
  }

  @usableFromInline @inline(never)
  func largeDecimal(text: UnsafePointer<UInt8>, count: Int) -> ExactDecimal {
    guard form == .large else { fatalError("DecimalLiteral: a malformed text has no value") }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer in
      let digits = buffer.baseAddress!
      var digitCount = 0
      for position in 0..<count {
        let digit = text[position] &- PlainNotation.zero
        if digit <= 9 {
          digits[digitCount] = digit
          digitCount += 1
        } else if text[position] | 0x20 == UInt8(ascii: "e") {
          break
        }
      }
      return withLimbScratch(LimbView.readingLimbs(count: digitCount)) { scratch in
        ExactDecimal(
          coefficient: LimbView.reading(digits: digits, count: digitCount, in: &scratch),
          exponent: Int(exponent), isNegative: isNegative)
      }
    }
  }
}
