extension DecimalLiteral {
  /// `scan` of the text of `count` bytes. Only these bytes are read.
  @inlinable @inline(__always)
  static func scan(
    _ bytes: UnsafePointer<UInt8>, count: Int, digitLimit: Int, exponentLimit: Int
  ) -> DecimalLiteral {
    if let literal = unsafe scanShort(bytes, count: count, digitLimit: digitLimit) { return literal }
    return unsafe scanLong(bytes, count: count, digitLimit: digitLimit, exponentLimit: exponentLimit)
  }

  @usableFromInline @inline(never)
  static func scanLong(
    _ bytes: UnsafePointer<UInt8>, count: Int, digitLimit: Int, exponentLimit: Int
  ) -> DecimalLiteral {
    if let literal = unsafe scanMedium(bytes, count: count, digitLimit: digitLimit) { return literal }
    return unsafe scanAny(bytes, count: count, digitLimit: digitLimit, exponentLimit: exponentLimit)
  }

  /// `scan` for any text, byte by byte.
  @inline(never)
  static func scanAny(
    _ bytes: UnsafePointer<UInt8>, count: Int, digitLimit: Int, exponentLimit: Int
  ) -> DecimalLiteral {
    var cursor = unsafe LiteralCursor(next: bytes, end: bytes + count)
    let isNegative = cursor.skip(UInt8(ascii: "-"))
    let integerStart = unsafe cursor.next
    cursor.readDigits()
    let integerDigits = unsafe cursor.next - integerStart
    guard integerDigits > 0, unsafe integerDigits == 1 || integerStart.pointee != PlainNotation.zero else {
      return .malformed
    }
    var decimals = 0
    if cursor.skip(UInt8(ascii: ".")) {
      let start = unsafe cursor.next
      cursor.readDigits()
      decimals = unsafe cursor.next - start
      if decimals == 0 { return .malformed }
    }
    guard integerDigits + decimals <= digitLimit else { return .malformed }
    guard let power = cursor.readExponent(limit: min(exponentLimit, Int(Int32.max))),
      unsafe cursor.next == cursor.end, let exponent = Int32(exactly: power - decimals)
    else { return .malformed }
    return DecimalLiteral(
      magnitude: cursor.overflowed ? 0 : cursor.magnitude, exponent: exponent, isNegative: isNegative,
      form: cursor.overflowed ? .large : .inline)
  }
}

/// A position in a text being scanned, and the coefficient of the digits passed.
@safe
private struct LiteralCursor {
  var next: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
  var magnitude: UInt64 = 0
  /// Whether the coefficient is 2^64 or more; then `magnitude` is meaningless.
  var overflowed = false

  /// Skips `byte` if it is next.
  @inline(__always)
  mutating func skip(_ byte: UInt8) -> Bool {
    guard unsafe next < end, unsafe next.pointee == byte else { return false }
    unsafe next += 1
    return true
  }

  /// Skips a digit if one is next.
  @inline(__always)
  mutating func digit() -> UInt64? {
    guard unsafe next < end else { return nil }
    let value = unsafe next.pointee &- PlainNotation.zero
    guard value <= 9 else { return nil }
    unsafe next += 1
    return UInt64(value)
  }

  /// Skips digits and appends them to the coefficient.
  mutating func readDigits() {
    while let value = digit() {
      if magnitude <= (.max - 9) / 10 {
        magnitude = magnitude &* 10 &+ value
      } else {
        appendNearOverflow(value)
      }
    }
  }

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
  mutating func readExponent(limit: Int) -> Int? {
    guard unsafe next < end, unsafe next.pointee | 0x20 == UInt8(ascii: "e") else { return 0 }
    unsafe next += 1
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
