import Bytes

/// Eight bytes of text, each XORed with an ASCII zero: digits are 0...9 and missing bytes are 0.
///
/// The last byte of the text is the top byte of the word.
@usableFromInline
struct DigitWord {
  @usableFromInline var bits: UInt64

  @inlinable @inline(__always)
  init(bits: UInt64) { self.bits = bits }

  /// Takes 1 to 8 bytes, as `shortWord(from:)` returns them.
  @inlinable @inline(__always)
  init(_ word: UInt64, count: Int) { bits = (word ^ Self.zeros) &<< UInt64(truncatingIfNeeded: (8 &- count) &* 8) }

  /// Takes exactly 8 bytes of a text.
  @inlinable @inline(__always)
  init(eight text: Span<UInt8>, at place: Int) { bits = text.littleEndian(at: place, as: UInt64.self) ^ Self.zeros }

  /// Numbers below it have at most eight digits.
  static var limit: UInt64 { 100_000_000 }

  /// The eight digits of a number below `limit`, zeros in front: the inverse of `number`. It is split in groups of four,
  /// then two, then one.
  @inline(__always)
  init(_ number: UInt64) {
    let high = number / 10_000
    let quads = high | (number &- high &* 10_000) &<< 32
    let hundreds = ((quads &* 5243) &>> 19) & 0x0000_007F_0000_007F  // 5243 / 2^19 is 1 / 100, nearly
    let pairs = hundreds | (quads &- hundreds &* 100) &<< 16
    let tens = ((pairs &* 103) &>> 10) & 0x000F_000F_000F_000F  // 103 / 2^10 is 1 / 10, nearly
    bits = tens | (pairs &- tens &* 10) &<< 8
  }

  @inlinable static var zeros: UInt64 { 0x3030_3030_3030_3030 }

  /// Zero if no byte is a point; otherwise a word with as many leading zero bits as there are above the top point.
  @inlinable @inline(__always)
  var points: UInt64 {
    // Per byte, without carries to the next one: whether the byte differs from a point.
    let low7: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    let difference = bits ^ 0x1E1E_1E1E_1E1E_1E1E  // a point less an ASCII zero
    return ~(((difference & low7) &+ low7) | difference | low7)
  }

  /// Removes the top point's byte: the bytes below it move up, and the filling follows.
  @inlinable @inline(__always)
  mutating func remove(_ points: UInt64, filling: UInt64) {
    let moving: UInt64 = .max &>> UInt64(truncatingIfNeeded: points.leadingZeroBitCount)
    bits = (bits & ~moving) | ((bits &<< 8 | filling) & moving)
  }

  /// Zero if all bytes are 0...9.
  @inlinable @inline(__always)
  var nonDigits: UInt64 {
    ((bits &+ 0x7676_7676_7676_7676) | bits) & 0x8080_8080_8080_8080  // 0x76 is 0x80 - 10
  }

  /// The number that eight digits spell, combined in groups of two, then four, then eight.
  @inlinable @inline(__always)
  var number: UInt64 {
    let pairs = (bits &* 2561) &>> 8  // 10 × 2^8 + 1
    let quads = ((pairs & 0x00FF_00FF_00FF_00FF) &* 6_553_601) &>> 16  // 100 × 2^16 + 1
    return ((quads & 0x0000_FFFF_0000_FFFF) &* 42_949_672_960_001) &>> 32  // 10,000 × 2^32 + 1
  }
}
