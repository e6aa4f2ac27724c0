internal import CGMP

/// Powers of ten as limbs, computed on demand.
enum LargePowersOfTen {
  /// The number of limbs of 10^n, or one more.
  static func limbCount(_ n: Int) -> Int {
    (n * 3402) >> 16 + 1  // log2(10) < 3402 / 1024
  }

  /// Calls `body` with 10^n, n > 0, computed from the bits of n, most significant first: square, and multiply if the
  /// bit is set.
  static func withPower<Result>(_ n: Int, _ body: (LimbView) -> Result) -> Result {
    let capacity = limbCount(n) + 2
    return withLimbScratch(2 * capacity) { scratch in
      var (current, other) = unsafe (scratch.take(capacity), scratch.take(capacity))
      unsafe current[0] = 1
      var count = 1
      for bit in stride(from: Int.bitWidth - n.leadingZeroBitCount - 1, through: 0, by: -1) {
        unsafe cgmp_square(other, current, count)
        count = unsafe LimbView(trimming: other, count: 2 * count).count
        unsafe swap(&current, &other)
        if (n >> bit) & 1 == 1 {
          unsafe current[count] = unsafe cgmp_mul_limb(current, current, count, 10)
          count = unsafe LimbView(trimming: current, count: count + 1).count
        }
      }
      return unsafe body(LimbView(limbs: current, count: count))
    }
  }
}
