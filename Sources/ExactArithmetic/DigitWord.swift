/// Eight bytes of text, each XORed with an ASCII zero: digits are 0...9 and missing bytes are 0.
///
/// The last byte of the text is the top byte of the word.
@usableFromInline
struct DigitWord {
  @usableFromInline var bits: UInt64

  @inlinable @inline(__always)
  init(bits: UInt64) { self.bits = bits }

  /// Takes 1 to 8 bytes in overlapping parts, reading no other bytes.
  @inlinable @inline(__always)
  init(_ bytes: UnsafePointer<UInt8>, count: Int) {
    let text: UInt64
    if count >= 4 {
      let raw = unsafe UnsafeRawPointer(bytes)
      let first = unsafe UInt64(raw.loadUnaligned(as: UInt32.self))
      let last = unsafe UInt64((raw + (count &- 4)).loadUnaligned(as: UInt32.self))
      text = first | last &<< UInt64(truncatingIfNeeded: (count &- 4) &* 8)
    } else {
      let (first, middle, last) = unsafe (UInt64(bytes[0]), UInt64(bytes[count &>> 1]), UInt64(bytes[count &- 1]))
      text =
        first | middle &<< UInt64(truncatingIfNeeded: (count &>> 1) &* 8)
        | last &<< UInt64(truncatingIfNeeded: (count &- 1) &* 8)
    }
    bits = (text ^ Self.zeros) &<< UInt64(truncatingIfNeeded: (8 &- count) &* 8)
  }

  /// Takes exactly 8 bytes.
  @inlinable @inline(__always)
  init(eight bytes: UnsafePointer<UInt8>) {
    bits = unsafe UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self) ^ Self.zeros
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
