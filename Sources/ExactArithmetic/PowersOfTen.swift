/// Powers of ten that fit a limb, and values derived from them.
@usableFromInline
enum PowersOfTen {
  /// The largest n with 10^n < 2^64.
  @inlinable static var maximumExponent: Int { 19 }

  /// 10^0 ... 10^19.
  @usableFromInline static let table: [20 of UInt64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
    1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
    10_000_000_000_000_000_000,
  ]

  /// floor((2^128 - 1) / d) - 2^64, where d is 10^n shifted left until its top bit is set; see `divide`.
  static let reciprocals: [20 of UInt64] = [
    0xFFFF_FFFF_FFFF_FFFF, 0x9999_9999_9999_9999, 0x47AE_147A_E147_AE14, 0x0624_DD2F_1A9F_BE76,
    0xA36E_2EB1_C432_CA57, 0x4F8B_588E_368F_0846, 0x0C6F_7A0B_5ED8_D36B, 0xAD7F_29AB_CAF4_8578,
    0x5798_EE23_08C3_9DF9, 0x12E0_BE82_6D69_4B2E, 0xB7CD_FD9D_7BDB_AB7D, 0x5FD7_FE17_9649_55FD,
    0x1979_9812_DEA1_1197, 0xC25C_2684_9768_1C26, 0x6849_B86A_12B9_B01E, 0x203A_F9EE_7561_59B2,
    0xCD2B_297D_889B_C2B6, 0x70EF_5464_6D49_6892, 0x2725_DD1D_243A_BA0E, 0xD83C_94FB_6D2A_C34A,
  ]

  /// 10^n for n in 0...19; traps for any other n.
  @inlinable @inline(__always)
  static func power(_ n: Int) -> UInt64 { table[n] }

  /// The number of decimal digits of a number; 1 for 0.
  @inlinable @inline(__always)
  static func digitCount(_ value: UInt64) -> Int {
    // 1233 / 4096 approximates log10(2) well enough for 64 bits: the estimate is right or one too small.
    let bits = 64 - (value | 1).leadingZeroBitCount
    let estimate = (bits &* 1233) &>> 12
    return estimate &+ (value >= power(estimate) ? 1 : 0) &+ (value == 0 ? 1 : 0)
  }

  /// value × 10^n for n >= 0, or `nil` if that is 2^64 or more.
  @inlinable @inline(__always)
  static func scaled(_ value: UInt64, by n: Int) -> UInt64? {
    guard n <= maximumExponent else { return value == 0 ? 0 : nil }
    let (product, overflow) = value.multipliedReportingOverflow(by: power(n))
    return overflow ? nil : product
  }

  /// value / 10^n for n in 0...19.
  ///
  /// Takes two multiplications, with the method of Möller and Granlund, "Improved division by invariant integers"
  /// (2011), algorithm 4. Dividing by a number from a table would take longer.
  @inline(__always)
  static func divide(_ value: UInt64, by n: Int) -> (quotient: UInt64, remainder: UInt64) {
    let power = power(n)
    let shift = UInt64(truncatingIfNeeded: power.leadingZeroBitCount)
    let divisor = power &<< shift
    // In two steps, because a shift by 64 must give 0.
    let u1 = (value &>> 1) &>> (63 &- shift)
    let u0 = value &<< shift
    let product = reciprocals[n].multipliedFullWidth(by: u1)
    let (q0, carry) = product.low.addingReportingOverflow(u0)
    var q1 = product.high &+ u1 &+ (carry ? 1 : 0) &+ 1
    var remainder = u0 &- q1 &* divisor
    if remainder > q0 {
      q1 &-= 1
      remainder &+= divisor
    }
    if remainder >= divisor {
      q1 &+= 1
      remainder &-= divisor
    }
    return (q1, remainder &>> shift)
  }
}
