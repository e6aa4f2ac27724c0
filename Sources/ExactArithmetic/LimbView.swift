internal import CGMP

/// A natural number in GMP's form: limbs, least significant first, without leading zero limbs.
///
/// Zero has no limbs, which GMP's functions do not accept; the operations here handle that. The limbs belong to someone
/// else and must outlive the view.
@safe
struct LimbView {
  let limbs: UnsafePointer<UInt64>
  let count: Int

  /// Views limbs whose top one is known not to be zero.
  @inline(__always)
  init(limbs: UnsafePointer<UInt64>, count: Int) {
    unsafe self.limbs = unsafe limbs
    self.count = count
  }

  /// Views limbs whose top ones may be zero.
  @inline(__always)
  init(trimming limbs: UnsafePointer<UInt64>, count: Int) {
    var count = count
    while count > 0, unsafe limbs[count - 1] == 0 { count -= 1 }
    unsafe self.init(limbs: limbs, count: count)
  }

  var isZero: Bool { count == 0 }

  /// The number modulo 2^64.
  var lowLimb: UInt64 { unsafe count == 0 ? 0 : limbs[0] }

  /// The number of bits up to the most significant one that is set; 0 for zero.
  var bitWidth: Int { unsafe count == 0 ? 0 : count * 64 - limbs[count - 1].leadingZeroBitCount }

  /// floor(n × log10(2)) for n >= 0, exact far beyond the largest coefficient.
  private static func floorLog10(ofTwoTo n: Int) -> Int {
    let log10Of2: UInt64 = 0x4D10_4D42_7DE7_FBCC  // × 2^-64
    return Int(UInt64(n).multipliedFullWidth(by: log10Of2).high)
  }

  /// The number of decimal digits, or one more; 1 for zero. Much cheaper than ``digitCount`` for large numbers.
  var maximumDigitCount: Int { Self.floorLog10(ofTwoTo: bitWidth) + 1 }

  /// The number of decimal digits; 1 for zero.
  var digitCount: Int {
    if count <= 1 { return PowersOfTen.digitCount(lowLimb) }
    let minimum = Self.floorLog10(ofTwoTo: bitWidth - 1) + 1
    guard minimum < maximumDigitCount else { return minimum }
    return LargePowersOfTen.withPower(minimum) { compare($0) < 0 } ? minimum : minimum + 1
  }

  /// Negative, zero or positive if self is less than, equal to or greater than other.
  func compare(_ other: LimbView) -> Int {
    guard count == other.count else { return count - other.count }
    return unsafe Int(cgmp_compare(limbs, other.limbs, count))
  }
}

/// Uninitialised limbs for the intermediate results of one operation, handed out from front to back.
@safe
struct LimbScratch {
  private var next: UnsafeMutablePointer<UInt64>
  private var remaining: Int

  init(_ buffer: UnsafeMutableBufferPointer<UInt64>) {
    unsafe next = buffer.baseAddress!
    remaining = buffer.count
  }

  /// The next `count` limbs; asking for more than was reserved is a programming error and traps.
  @inline(__always)
  mutating func take(_ count: Int) -> UnsafeMutablePointer<UInt64> {
    precondition(count <= remaining)
    defer {
      unsafe next += count
      remaining -= count
    }
    return unsafe next
  }
}

/// Calls `body` with room for `count` limbs.
@inline(__always)
func withLimbScratch<Result>(_ count: Int, _ body: (inout LimbScratch) -> Result) -> Result {
  // Only memory with a constant capacity is certain to be on the stack.
  guard count > 64 else {
    return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) { buffer in
      var scratch = unsafe LimbScratch(buffer)
      return body(&scratch)
    }
  }
  let buffer = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: count)
  defer { unsafe buffer.deallocate() }
  var scratch = unsafe LimbScratch(buffer)
  return body(&scratch)
}
