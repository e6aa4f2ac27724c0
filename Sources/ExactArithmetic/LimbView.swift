internal import CGMP

/// A natural number in GMP's form: limbs, least significant first, without leading zero limbs.
///
/// Zero has no limbs, which GMP's functions do not accept; the operations here handle that.
struct LimbView: ~Escapable {
  let limbs: Span<UInt64>

  /// Views limbs whose top ones may be zero.
  @_lifetime(copy limbs)
  init(_ limbs: Span<UInt64>) {
    var count = limbs.count
    while count > 0, limbs[count - 1] == 0 { count -= 1 }
    self.limbs = limbs.extracting(first: count)
  }

  var count: Int { limbs.count }

  var isZero: Bool { count == 0 }

  /// The number modulo 2^64.
  var lowLimb: UInt64 { count == 0 ? 0 : limbs[0] }

  /// The number of bits up to the most significant one that is set; 0 for zero.
  var bitWidth: Int { count == 0 ? 0 : count * 64 - limbs[count - 1].leadingZeroBitCount }

  /// Calls `body` with a number of one limb.
  static func with<Result>(_ number: UInt64, _ body: (LimbView) -> Result) -> Result {
    let limbs: [1 of UInt64] = [number]
    return body(LimbView(limbs.span))
  }
}

// Each operation calls `body` with its result, which is in memory of its own and gone afterwards.
//
// (Unsafe: GMP reads the limbs of its operands, and writes as many limbs of its result as are reserved for it here.)
extension LimbView {
  /// self + other.
  func withSum<Result>(_ other: LimbView, _ body: (LimbView) -> Result) -> Result {
    if count < other.count { return other.withSum(self, body) }
    if other.isZero { return body(self) }
    return unsafe Self.withResult(count + 1, body) { result in
      unsafe pointers(other) { unsafe result[count] = unsafe cgmp_add(result, $0, count, $1, other.count) }
    }
  }

  /// self - other for self >= other.
  func withDifference<Result>(_ other: LimbView, _ body: (LimbView) -> Result) -> Result {
    precondition(count >= other.count, "the subtrahend is larger than the minuend")
    if other.isZero { return body(self) }
    return unsafe Self.withResult(count, body) { result in
      let borrow = unsafe pointers(other) { unsafe cgmp_sub(result, $0, count, $1, other.count) }
      assert(borrow == 0, "the subtrahend is larger than the minuend")
    }
  }

  /// self × other.
  func withProduct<Result>(_ other: LimbView, _ body: (LimbView) -> Result) -> Result {
    if count < other.count { return other.withProduct(self, body) }
    if other.isZero { return body(other) }
    return unsafe Self.withResult(count + other.count, body) { result in
      unsafe pointers(other) {
        if other.count == 1 {
          unsafe result[count] = unsafe cgmp_mul_limb(result, $0, count, $1.pointee)
        } else {
          unsafe cgmp_mul(result, $0, count, $1, other.count)
        }
      }
    }
  }

  /// self / divisor, truncated, and the remainder; the divisor is not zero.
  func withQuotient<Result>(
    dividingBy divisor: LimbView, _ body: (_ quotient: LimbView, _ remainder: LimbView) -> Result
  ) -> Result {
    precondition(!divisor.isZero, "nothing can be divided by zero")
    let quotientCount = count - divisor.count + 1
    if quotientCount <= 0 { return body(LimbView(Span()), self) }
    let both = quotientCount + divisor.count
    return unsafe Self.withRoom(both) { room in
      let remainder = unsafe room + quotientCount
      unsafe pointers(divisor) {
        if divisor.count == 1 {
          unsafe remainder.pointee = unsafe cgmp_divide_limb(room, $0, count, $1.pointee)
        } else {
          unsafe cgmp_divide(room, remainder, $0, count, $1, divisor.count)
        }
      }
      let limbs = unsafe Span(_unsafeStart: room, count: both)
      return body(
        LimbView(limbs.extracting(first: quotientCount)), LimbView(limbs.extracting(droppingFirst: quotientCount)))
    }
  }

  /// Negative, zero or positive if self is less than, equal to or greater than other.
  func compare(_ other: LimbView) -> Int {
    guard count == other.count else { return count - other.count }
    if isZero { return 0 }
    return unsafe pointers(other) { unsafe Int(cgmp_compare($0, $1, count)) }
  }

  /// The decimal digits as values 0...9, most significant first; one 0 for zero.
  var digits: ArraySlice<UInt8> {
    if isZero { return [0] }
    // GMP destroys its input and a limb after it, may begin with zeros, and needs a byte more than there are digits.
    let digits = unsafe [UInt8](unsafeUninitializedCapacity: maximumDigitCount + 20) { output, written in
      unsafe Self.withRoom(count + 1) { copy in
        for place in limbs.indices { unsafe copy[place] = limbs[place] }
        written = unsafe cgmp_get_digits(output.baseAddress!, copy, count)
      }
    }
    return digits[(digits.firstIndex { $0 != 0 } ?? digits.endIndex)...]
  }

  /// Calls `body` with the number that the given digits, values 0...9, spell.
  static func withNumber<Result>(digits: [UInt8], _ body: (LimbView) -> Result) -> Result {
    // log2(10) < 3402 / 1024; GMP needs a limb more than the number has.
    unsafe withRoom((digits.count * 3402) >> 16 + 3) { room in
      body(unsafe LimbView(Span(_unsafeStart: room, count: cgmp_set_digits(room, digits, digits.count))))
    }
  }

  /// Calls `body` with the `count` limbs that `write` writes.
  private static func withResult<Result>(
    _ count: Int, _ body: (LimbView) -> Result, _ write: (UnsafeMutablePointer<UInt64>) -> Void
  ) -> Result {
    unsafe withRoom(count) { room in
      unsafe write(room)
      return body(unsafe LimbView(Span(_unsafeStart: room, count: count)))
    }
  }

  /// Calls `body` with uninitialized memory for `count` limbs.
  @inline(__always)
  private static func withRoom<Result>(_ count: Int, _ body: (UnsafeMutablePointer<UInt64>) -> Result) -> Result {
    // Only memory with a constant capacity is certain to be on the stack.
    guard count > 64 else {
      return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) { unsafe body($0.baseAddress!) }
    }
    let room = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
    defer { unsafe room.deallocate() }
    return unsafe body(room)
  }

  /// Calls `body` with the limbs of two numbers that are not zero.
  @inline(__always)
  private func pointers<Result>(
    _ other: LimbView, _ body: (UnsafePointer<UInt64>, UnsafePointer<UInt64>) -> Result
  ) -> Result {
    unsafe limbs.withUnsafeBufferPointer { own in
      unsafe other.limbs.withUnsafeBufferPointer { unsafe body(own.baseAddress!, $0.baseAddress!) }
    }
  }
}
