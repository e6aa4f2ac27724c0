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
    if let literal = scanShort(text, digitLimit: digitLimit) { return literal }
    return scanLong(text, digitLimit: digitLimit, exponentLimit: exponentLimit)
  }

  @usableFromInline @inline(never)
  static func scanLong(_ text: Span<UInt8>, digitLimit: Int, exponentLimit: Int) -> DecimalLiteral {
    if let literal = scanMedium(text, digitLimit: digitLimit) { return literal }
    return scanAny(text, digitLimit: digitLimit, exponentLimit: exponentLimit)
  }

  /// `scan` for any text, byte by byte.
  @inline(never)
  static func scanAny(_ text: Span<UInt8>, digitLimit: Int, exponentLimit: Int) -> DecimalLiteral {
    var cursor = LiteralCursor(text)
    let isNegative = cursor.skip(UInt8(ascii: "-"))
    let integerStart = cursor.place
    cursor.readDigits()
    let integerDigits = cursor.place - integerStart
    guard integerDigits > 0, integerDigits == 1 || text[integerStart] != PlainNotation.zero else { return .malformed }
    var decimals = 0
    if cursor.skip(UInt8(ascii: ".")) {
      let start = cursor.place
      cursor.readDigits()
      decimals = cursor.place - start
      if decimals == 0 { return .malformed }
    }
    guard integerDigits + decimals <= digitLimit else { return .malformed }
    guard let power = cursor.readExponent(limit: min(exponentLimit, Int(Int32.max))), cursor.place == text.count,
      let exponent = Int32(exactly: power - decimals)
    else { return .malformed }
    return DecimalLiteral(
      magnitude: cursor.overflowed ? 0 : cursor.magnitude, exponent: exponent, isNegative: isNegative,
      form: cursor.overflowed ? .large : .inline)
  }
}

/// A position in a text being scanned, and the coefficient of the digits passed.
private struct LiteralCursor: ~Escapable {
  let text: Span<UInt8>
  var place = 0
  var magnitude: UInt64 = 0
  /// Whether the coefficient is 2^64 or more; then `magnitude` is meaningless.
  var overflowed = false

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  /// Skips `byte` if it is next.
  @_lifetime(self: copy self)
  mutating func skip(_ byte: UInt8) -> Bool {
    guard place < text.count, text[place] == byte else { return false }
    place += 1
    return true
  }

  /// Skips a digit if one is next.
  @_lifetime(self: copy self)
  mutating func digit() -> UInt64? {
    guard place < text.count else { return nil }
    let value = text[place] &- PlainNotation.zero
    guard value <= 9 else { return nil }
    place += 1
    return UInt64(value)
  }

  /// Skips digits and appends them to the coefficient.
  @_lifetime(self: copy self)
  mutating func readDigits() {
    while let value = digit() {
      if magnitude <= (.max - 9) / 10 {
        magnitude = magnitude &* 10 &+ value
      } else {
        appendNearOverflow(value)
      }
    }
  }

  @_lifetime(self: copy self)
  private mutating func appendNearOverflow(_ digit: UInt64) {
    let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
    let (sum, carry) = product.addingReportingOverflow(digit)
    guard overflow || carry else {
      magnitude = sum
      return
    }
    // Stay at the maximum, so that no later digit passes the comparison above.
    magnitude = .max
    overflowed = true
  }

  /// Skips an exponent part and returns its value; 0 without one, `nil` if it is malformed.
  @_lifetime(self: copy self)
  mutating func readExponent(limit: Int) -> Int? {
    guard skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) else { return 0 }
    let isNegative = skip(UInt8(ascii: "-"))
    if !isNegative { _ = skip(UInt8(ascii: "+")) }
    guard let first = digit() else { return nil }
    var value = Int(first)
    // The limit is far below the overflow, and is checked again with every digit.
    while value <= limit, let next = digit() { value = value * 10 + Int(next) }
    guard value <= limit else { return nil }
    return isNegative ? -value : value
  }
}
