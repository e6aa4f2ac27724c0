import Bytes

// Amounts of varying lengths make the end of a loop over bytes hard to predict, which costs more than the work. So here
// all bytes are taken at once, the point is found and shifted away, and the digits are converted together.

extension DecimalLiteral {
  /// `scan` for up to 8 bytes (after the sign) without exponent; `nil` for other texts and malformed ones.
  @inlinable @inline(__always)
  static func scanShort(_ text: Span<UInt8>, digitLimit: Int) -> DecimalLiteral? {
    guard text.count > 0 else { return nil }
    let sign = signLength(text[0])
    let length = text.count &- sign
    guard UInt(bitPattern: length &- 1) < 8 else { return nil }
    let word = text.shortWord(from: sign)
    let first = UInt8(truncatingIfNeeded: word)
    var digits = DigitWord(word, count: length)
    let points = digits.points
    guard points != 0 else {
      guard digits.nonDigits == 0 && (first != PlainNotation.zero || length == 1) && length <= digitLimit
      else { return nil }
      return DecimalLiteral(magnitude: digits.number, exponent: 0, isNegative: sign != 0, form: .inline)
    }
    digits.remove(points, filling: 0)
    let decimals = points.leadingZeroBitCount &>> 3
    guard digits.nonDigits == 0,
      isWellFormed(first: first, length: length, decimals: decimals, digitLimit: digitLimit)
    else { return nil }
    return DecimalLiteral(
      magnitude: digits.number, exponent: 0 &- Int32(truncatingIfNeeded: decimals), isNegative: sign != 0,
      form: .inline)
  }

  /// `scan` for 9 to 16 bytes (after the sign) without exponent; `nil` for other texts and malformed ones.
  @inline(__always)
  static func scanMedium(_ text: Span<UInt8>, digitLimit: Int) -> DecimalLiteral? {
    guard text.count >= 9 else { return nil }
    let sign = signLength(text[0])
    let length = text.count &- sign
    guard length >= 9 && length <= 16 else { return nil }
    var high = DigitWord(eight: text, at: text.count &- 8)
    var low = DigitWord(eight: text, at: sign)
    low.bits &<<= UInt64(truncatingIfNeeded: (16 &- length) &* 8)
    let (highPoints, lowPoints) = (high.points, low.points)
    var decimals = 0
    if highPoints != 0 {
      decimals = highPoints.leadingZeroBitCount &>> 3
      high.remove(highPoints, filling: low.bits &>> 56)
      low.bits &<<= 8
    } else if lowPoints != 0 {
      decimals = 8 &+ lowPoints.leadingZeroBitCount &>> 3
      low.remove(lowPoints, filling: 0)
    }
    let hasPoint = highPoints | lowPoints != 0
    guard high.nonDigits | low.nonDigits == 0,
      hasPoint
        ? isWellFormed(first: text[sign], length: length, decimals: decimals, digitLimit: digitLimit)
        : text[sign] != PlainNotation.zero && length <= digitLimit
    else { return nil }
    return DecimalLiteral(
      magnitude: low.number &* 100_000_000 &+ high.number, exponent: 0 &- Int32(truncatingIfNeeded: decimals),
      isNegative: sign != 0, form: .inline)
  }

  /// 1 if there is a minus sign, else 0; without a branch, which would be mispredicted half of the time.
  @inlinable @inline(__always)
  static func signLength(_ first: UInt8) -> Int {
    Int(truncatingIfNeeded: (UInt64(first ^ UInt8(ascii: "-")) &- 1) &>> 63)
  }

  /// Whether a text of digits with one point has digits on both sides of it, no leading zeros and not too many
  /// digits.
  @inlinable @inline(__always)
  static func isWellFormed(first: UInt8, length: Int, decimals: Int, digitLimit: Int) -> Bool {
    // One comparison, because it is unpredictable whether a text has exactly one integer digit.
    let maximum: UInt = first == PlainNotation.zero ? 1 : 16
    return decimals > 0 && UInt(bitPattern: length &- 2 &- decimals) < maximum && length &- 1 <= digitLimit
  }
}

extension DecimalLiteral {
  /// The coefficient of an amount written as most are: one to five digits, a point and two decimals. `nil` for any other
  /// text, and for an amount that ends within the first eight bytes.
  ///
  /// ```swift
  /// DecimalLiteral.hundredths(of: 10..<14, in: line)   // 150 if "1.50" is there
  /// ```
  ///
  /// It takes a third of the instructions of ``scan(_:digitLimit:exponentLimit:)``, which also accepts such a text.
  ///
  /// - Parameters:
  ///   - part: Where the amount is in the text.
  ///   - text: The text.
  @inlinable @inline(__always)
  public static func hundredths(of part: Range<Int>, in text: Span<UInt8>) -> UInt64? {
    guard part.count >= 4, part.count <= 8, part.upperBound >= 8 else { return nil }
    // The amount's last byte is the top byte.
    let loaded = text.littleEndian(at: part.upperBound &- 8, as: UInt64.self)
    let others = UInt64(truncatingIfNeeded: (8 &- part.count) &* 8)
    let amount = (loaded ^ DigitWord.zeros) &>> others
    let word = amount &<< others ^ 0x1E00 &<< 32  // zero instead of the point
    let digits = DigitWord(bits: word & 0xFFFF_0000_0000_0000 | (word & 0x00FF_FFFF_FFFF) &<< 8)
    guard word & 0xFF00_0000_0000 | digits.nonDigits == 0, part.count == 4 || amount & 0xFF != 0 else { return nil }
    return digits.number
  }
}
