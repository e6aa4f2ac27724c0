extension ExactDecimal: CustomStringConvertible {
  /// An upper bound of the number of bytes that ``writePlain(to:)`` writes. Cheap to compute, and only slightly too
  /// large.
  @inlinable
  public var maximumPlainLength: Int {
    _large == nil ? inlineValue.maximumPlainLength : largeMaximumDigitCount &+ 3 &+ Int(_exponent.magnitude)
  }

  /// The value in plain notation, as ``writePlain(to:)`` writes it: `-1.50`.
  ///
  /// If that would be longer than ``ExactDecimalLimits/maximumDigits`` and some bytes, it is the
  /// ``scientificDescription`` instead. Reading the text with ``init(_:)`` gives an equal value, and an identical one
  /// unless it is -0 or the exponent is positive.
  public var description: String {
    guard digitCount + abs(exponent) <= ExactDecimalLimits.maximumDigits else { return scientificDescription }
    return plainText
  }

  /// The text that to-scientific-string of General Decimal Arithmetic gives.
  ///
  /// It shows sign, digits and exponent exactly: 150 × 10^-2 is `1.50`, 12 × 10^2 is `1.2E+3`, 5 × 10^-9 is `5E-9` and
  /// a negative zero is `-0`. Plain notation is used for exponents of at most 0 and numbers of at least 10^-6.
  public var scientificDescription: String {
    let sign = _isNegative ? "-" : ""
    let digits = coefficientDigits
    let adjusted = exponent + digits.count - 1
    if exponent <= 0 && adjusted >= -6 {
      return sign + Self.withPoint(digits, decimals: -exponent)
    }
    let fraction = digits.count > 1 ? ".\(digits.dropFirst())" : ""
    return "\(sign)\(digits.prefix(1))\(fraction)E\(adjusted < 0 ? "-" : "+")\(adjusted.magnitude)"
  }
}

extension ExactDecimal {
  @usableFromInline
  var largeMaximumDigitCount: Int { withLimbs { $0.maximumDigitCount } }

  /// The digits of the coefficient, `0` for zero.
  private var coefficientDigits: String {
    String(decoding: withLimbs { $0.digits }.map { PlainNotation.zero | $0 }, as: UTF8.self)
  }

  /// The digits with a point before the last `decimals` of them, and a zero before the point if no digit is there.
  private static func withPoint(_ digits: String, decimals: Int) -> String {
    let padded = String(repeating: "0", count: max(0, 1 + decimals - digits.count)) + digits
    return decimals == 0 ? padded : "\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
  }

  /// What ``writePlain(to:)`` writes, for any value.
  var largePlainText: [UInt8] {
    let digits = withLimbs { $0.digits }.map { PlainNotation.zero | $0 }
    let whole = max(0, digits.count - max(0, -exponent))
    var plain: [UInt8] = []
    if _isNegative, !isZero { plain.append(UInt8(ascii: "-")) }
    plain += whole == 0 ? [PlainNotation.zero] : digits[..<whole]
    if exponent < 0 {
      plain.append(UInt8(ascii: "."))
      plain += repeatElement(PlainNotation.zero, count: max(0, -exponent - digits.count))
      plain += digits[whole...]
    } else if !isZero {
      plain += repeatElement(PlainNotation.zero, count: exponent)
    }
    return plain
  }
}
