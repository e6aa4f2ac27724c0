internal import CGMP

/// Powers of ten as limbs: the smaller ones from a table, larger ones computed when asked for.
enum LargePowersOfTen {
  /// Lends 10^n, n >= 0.
  @inline(__always)
  static func withPower<Result>(_ n: Int, _ body: (LimbView) -> Result) -> Result {
    n <= Table.maximumExponent ? body(table[n]) : withComputedPower(n, body)
  }

  /// The limbs of 10^n or one more.
  static func limbCount(_ n: Int) -> Int {
    (n * 3402) >> 16 + 1  // log2(10) < 3402 / 1024
  }

  private static let table = Table()

  /// Computes 10^n from the bits of n, most significant first: square, and multiply where the bit is set.
  @inline(never)
  private static func withComputedPower<Result>(_ n: Int, _ body: (LimbView) -> Result) -> Result {
    let capacity = limbCount(n) + 2
    return withLimbScratch(2 * capacity) { scratch in
      var (current, other) = (scratch.take(capacity), scratch.take(capacity))
      current[0] = 1
      var count = 1
      for bit in stride(from: Int.bitWidth - n.leadingZeroBitCount - 1, through: 0, by: -1) {
        cgmp_square(other, current, count)
        count = LimbView(trimming: other, count: 2 * count).count
        swap(&current, &other)
        if (n >> bit) & 1 == 1 {
          current[count] = cgmp_mul_limb(current, current, count, 10)
          count = LimbView(trimming: current, count: count + 1).count
        }
      }
      return body(LimbView(limbs: current, count: count))
    }
  }

  /// 10^0 ... 10^300, filled on first use and kept for the life of the process.
  private struct Table: @unchecked Sendable {
    static let maximumExponent = 300

    private let limbs: UnsafeMutablePointer<UInt64>
    private let offsets: UnsafeMutablePointer<Int>

    init() {
      let maximum = Self.maximumExponent
      offsets = .allocate(capacity: maximum + 2)
      limbs = .allocate(capacity: (0...maximum).reduce(2) { $0 + LargePowersOfTen.limbCount($1) })
      offsets[0] = 0
      offsets[1] = 1
      limbs[0] = 1
      for n in 1...maximum {
        let count = offsets[n] - offsets[n - 1]
        let power = limbs + offsets[n]
        power[count] = cgmp_mul_limb(power, limbs + offsets[n - 1], count, 10)
        offsets[n + 1] = offsets[n] + (power[count] == 0 ? count : count + 1)
      }
    }

    subscript(n: Int) -> LimbView {
      LimbView(limbs: limbs + offsets[n], count: offsets[n + 1] - offsets[n])
    }
  }
}
