extension ExactDecimal {
  /// Writes the value in plain notation as ASCII and returns the number of bytes written, at most
  /// ``maximumPlainLength``.
  ///
  /// There are exactly max(0, -exponent) decimals, trailing zeros kept: 150 × 10^-2 is `1.50`. For a positive
  /// exponent zeros are appended: 12 × 10^2 is `1200`, zero × 10^2 is `0`. A negative number starts with `-`,
  /// but never a zero: -0.00 is `0.00`.
  ///
  /// The memory must have room for ``maximumPlainLength`` bytes; those after the bytes written may change too.
  @inlinable @inline(__always) @unsafe
  public func writePlain(to output: UnsafeMutablePointer<UInt8>) -> Int {
    guard _large == nil else { return unsafe writeLargePlain(to: output) }
    return unsafe inlineValue.writePlain(to: output)
  }

  /// The value as ``writePlain(to:)`` writes it.
  var plainText: String {
    unsafe String(unsafeUninitializedCapacity: maximumPlainLength) { unsafe writePlain(to: $0.baseAddress!) }
  }

  /// ``writePlain(to:)`` for any value.
  @usableFromInline @inline(never)
  func writeLargePlain(to output: UnsafeMutablePointer<UInt8>) -> Int {
    let plain = largePlainText
    for place in plain.indices { unsafe output[place] = plain[place] }
    return plain.count
  }
}

extension InlineDecimal {
  /// An upper bound of the number of bytes that ``writePlain(to:)`` writes.
  @inlinable @inline(__always)
  public var maximumPlainLength: Int {
    // A sign, a point, a zero before it, and 20 digits, which are enough for 64 bits.
    22 &+ Int(exponent.magnitude)
  }

  /// Writes the value as ``ExactDecimal/writePlain(to:)`` does.
  ///
  /// The memory must have room for ``maximumPlainLength`` bytes; those after the bytes written may change too.
  @inlinable @inline(__always) @unsafe
  public func writePlain(to output: UnsafeMutablePointer<UInt8>) -> Int {
    // Most figures of a row are zero.
    if magnitude == 0, exponent == -2 {
      unsafe UnsafeMutableRawPointer(output).storeBytes(of: 0x3030_2E30, as: UInt32.self)  // 0.00
      return 4
    }
    return unsafe PlainNotation.write(magnitude, exponent: Int(exponent), isNegative: isNegative, to: output)
  }
}

/// Decimal digits in plain notation, as bytes.
///
/// (Unsafe: the caller has room for ``ExactDecimal/maximumPlainLength`` bytes. An inline number has at most 20 digits, so
/// that all of them, and the words of eight digits that a short number is written as, are within 22 bytes.)
@usableFromInline
enum PlainNotation {
  @inlinable static var zero: UInt8 { UInt8(ascii: "0") }

  /// "00", "01" ... "99".
  private static let pairs: StaticString = """
    0001020304050607080910111213141516171819\
    2021222324252627282930313233343536373839\
    4041424344454647484950515253545556575859\
    6061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """

  /// Writes ±magnitude × 10^exponent; see `ExactDecimal.writePlain(to:)`. Returns the number of bytes. More bytes may be
  /// changed, up to 17.
  @usableFromInline
  static func write(
    _ magnitude: UInt64, exponent: Int, isNegative: Bool, to output: UnsafeMutablePointer<UInt8>
  ) -> Int {
    var start = unsafe output
    if isNegative, magnitude != 0 {
      unsafe start.pointee = UInt8(ascii: "-")
      unsafe start += 1
    }
    if magnitude < DigitWord.limit, exponent < 0, exponent > -8 {
      return unsafe (start - output) &+ writeShort(magnitude, decimals: 0 &- exponent, to: start)
    }
    return unsafe (start - output) &+ writeLong(magnitude, exponent: exponent, to: start)
  }

  /// Writes any magnitude × 10^exponent. Apart, so that writing a short one saves no registers.
  @inline(never)
  private static func writeLong(
    _ magnitude: UInt64, exponent: Int, to start: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let digits = PowersOfTen.digitCount(magnitude)
    guard exponent < 0 else {
      unsafe writeDigits(magnitude, endingAt: start + digits)
      let zeros = magnitude == 0 ? 0 : exponent
      unsafe (start + digits).update(repeating: zero, count: zeros)
      return digits &+ zeros
    }
    let decimals = 0 &- exponent
    let point = unsafe start + max(1, digits &- decimals)
    let integer = unsafe writeDigits(magnitude, count: decimals, endingAt: point + 1 + decimals)
    unsafe point.pointee = UInt8(ascii: ".")
    unsafe writeDigits(integer, endingAt: point)
    return unsafe (point - start) &+ 1 &+ decimals
  }

  /// Writes a number of at most eight digits with 1 to 7 decimals, all digits at once: their number varies from amount to
  /// amount, and a loop over them would be mispredicted.
  @inline(__always)
  private static func writeShort(_ value: UInt64, decimals: Int, to output: UnsafeMutablePointer<UInt8>) -> Int {
    let digits = DigitWord(value)
    let integer = max(1, 8 &- digits.bits.trailingZeroBitCount &>> 3 &- decimals)
    let length = integer &+ decimals
    let text = (digits.bits ^ DigitWord.zeros) &>> UInt64(truncatingIfNeeded: (8 &- length) &* 8)
    let start = UnsafeMutableRawPointer(output)
    unsafe start.storeBytes(of: text.littleEndian, as: UInt64.self)
    unsafe output[integer] = UInt8(ascii: ".")
    let rest = text &>> UInt64(truncatingIfNeeded: integer &* 8)
    unsafe (start + (integer &+ 1)).storeBytes(of: rest.littleEndian, as: UInt64.self)
    return length &+ 1
  }

  /// Writes all digits of the value, backwards; one digit for 0.
  @inline(__always)
  private static func writeDigits(_ value: UInt64, endingAt end: UnsafeMutablePointer<UInt8>) {
    var (rest, end) = unsafe (value, end)
    while rest >= 100 { unsafe (rest, end) = unsafe writePair(rest, endingAt: end) }
    if rest >= 10 {
      _ = unsafe writePair(rest, endingAt: end)
    } else {
      unsafe (end - 1).pointee = zero &+ UInt8(truncatingIfNeeded: rest)
    }
  }

  /// Writes exactly `count` digits, the last ones of the value, backwards; returns the digits before them.
  @inline(__always)
  private static func writeDigits(
    _ value: UInt64, count: Int, endingAt end: UnsafeMutablePointer<UInt8>
  ) -> UInt64 {
    var (rest, end, remaining) = unsafe (value, end, count)
    while remaining >= 2 {
      unsafe (rest, end) = unsafe writePair(rest, endingAt: end)
      remaining &-= 2
    }
    guard remaining == 1 else { return rest }
    let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
    unsafe (end - 1).pointee = zero &+ UInt8(truncatingIfNeeded: digit)
    return quotient
  }

  /// Writes the last two digits of the value; returns the digits before them and the new end.
  @inline(__always)
  private static func writePair(
    _ value: UInt64, endingAt end: UnsafeMutablePointer<UInt8>
  ) -> (rest: UInt64, end: UnsafeMutablePointer<UInt8>) {
    let (rest, pair) = value.quotientAndRemainder(dividingBy: 100)
    let digits = unsafe UnsafeRawPointer(pairs.utf8Start + Int(truncatingIfNeeded: pair &* 2))
    unsafe UnsafeMutableRawPointer(end - 2).storeBytes(of: digits.loadUnaligned(as: UInt16.self), as: UInt16.self)
    return unsafe (rest, end - 2)
  }
}
