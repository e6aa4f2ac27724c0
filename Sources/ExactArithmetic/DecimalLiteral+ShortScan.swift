extension DecimalLiteral {
  /// `scan` of a text of up to 16 bytes without exponent, or `nil` for any other and for malformed ones.
  ///
  /// Amounts of varying lengths make a loop over bytes mispredict its end, which costs more than the work. So
  /// all bytes are taken at once, as two words with the last byte of the text on top and zeros in front, the
  /// point is found and shifted away, and the digits are converted together.
  @inlinable @inline(__always)
  static func scanShort(_ bytes: UnsafePointer<UInt8>, count: Int, digitLimit: Int) -> DecimalLiteral? {
    guard count > 0 && count <= 16 else { return nil }
    let isNegative = bytes.pointee == UInt8(ascii: "-")
    let length = count &- (isNegative ? 1 : 0)
    guard length > 0 else { return nil }
    let start = bytes + (isNegative ? 1 : 0)
    let text = TextWord(start, count: length)

    // 16 for a text without a point: then `kept` is everything.
    let decimals = text.bytesAfterPoint
    let hasPoint = decimals < 16
    let kept = ~(~(0 as UInt128) >> UInt128(truncatingIfNeeded: decimals &* 8))
    let digits = (text.value & kept) | ((text.value &<< 8 | 0x30) & ~kept)
    let digitCount = length &- (hasPoint ? 1 : 0)
    let high = UInt64(truncatingIfNeeded: digits &>> 64)
    let low = UInt64(truncatingIfNeeded: digits)

    let startsWell = start.pointee != PlainNotation.zero || length == 1 || start[1] == UInt8(ascii: ".")
    let integerDigits = hasPoint ? digitCount &- decimals : digitCount
    guard
      TextWord.areDigits(low) && TextWord.areDigits(high) && startsWell && integerDigits > 0 && decimals > 0
        && digitCount <= digitLimit
    else { return nil }
    let magnitude = TextWord.number(low) &* 100_000_000 &+ TextWord.number(high)
    return DecimalLiteral(
      magnitude: magnitude, exponent: hasPoint ? 0 &- Int32(truncatingIfNeeded: decimals) : 0,
      isNegative: isNegative, form: .inline)
  }
}

/// Up to 16 bytes of text as one number, the last byte on top and ASCII zeros below the first one.
@usableFromInline
struct TextWord {
  @usableFromInline var value: UInt128

  /// Takes 1 to 16 bytes, reading no other ones: in two overlapping halves.
  @inlinable @inline(__always)
  init(_ bytes: UnsafePointer<UInt8>, count: Int) {
    let raw = UnsafeRawPointer(bytes)
    let word: UInt128
    if count >= 8 {
      let first = UInt128(raw.loadUnaligned(as: UInt64.self))
      let last = UInt128((raw + (count &- 8)).loadUnaligned(as: UInt64.self))
      word = first | last &<< UInt128(truncatingIfNeeded: (count &- 8) &* 8)
    } else if count >= 4 {
      let first = UInt64(raw.loadUnaligned(as: UInt32.self))
      let last = UInt64((raw + (count &- 4)).loadUnaligned(as: UInt32.self))
      word = UInt128(first | last &<< UInt64(truncatingIfNeeded: (count &- 4) &* 8))
    } else {
      let middle = count &>> 1
      word = UInt128(
        UInt64(bytes[0]) | UInt64(bytes[middle]) &<< UInt64(truncatingIfNeeded: middle &* 8)
          | UInt64(bytes[count &- 1]) &<< UInt64(truncatingIfNeeded: (count &- 1) &* 8))
    }
    let zeros: UInt128 = 0x3030_3030_3030_3030_3030_3030_3030_3030
    let shift = UInt128(truncatingIfNeeded: (16 &- count) &* 8)
    value = word &<< shift | (zeros & ~(~(0 as UInt128) &<< shift))
  }

  /// How many bytes follow the last point; 16 if there is none.
  @inlinable @inline(__always)
  var bytesAfterPoint: Int {
    let low7: UInt128 = 0x7F7F_7F7F_7F7F_7F7F_7F7F_7F7F_7F7F_7F7F
    let points: UInt128 = 0x2E2E_2E2E_2E2E_2E2E_2E2E_2E2E_2E2E_2E2E
    let difference = value ^ points
    let found = ~(((difference & low7) &+ low7) | difference | low7)
    return found.leadingZeroBitCount &>> 3
  }

  /// Whether all eight bytes are ASCII digits.
  @inlinable @inline(__always)
  static func areDigits(_ word: UInt64) -> Bool {
    let highNibbles: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
    let zeros: UInt64 = 0x3030_3030_3030_3030
    return ((word & highNibbles) ^ zeros) | (((word &+ 0x0606_0606_0606_0606) & highNibbles) ^ zeros) == 0
  }

  /// The number of eight ASCII digits, the first one in the lowest byte.
  @inlinable @inline(__always)
  static func number(_ word: UInt64) -> UInt64 {
    let pairs = ((word & 0x0F0F_0F0F_0F0F_0F0F) &* 2561) &>> 8  // 10 × 2^8 + 1
    let quads = ((pairs & 0x00FF_00FF_00FF_00FF) &* 6_553_601) &>> 16  // 100 × 2^16 + 1
    return ((quads & 0x0000_FFFF_0000_FFFF) &* 42_949_672_960_001) &>> 32  // 10,000 × 2^32 + 1
  }
}
