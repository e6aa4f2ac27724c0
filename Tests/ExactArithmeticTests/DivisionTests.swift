import TestSupport
import Testing

@testable import ExactArithmetic

/// The tables, and the division by multiplication that depends on them.
struct DivisionTests {
  @Test func tablesOfPowers() {
    var power: UInt128 = 1
    for n in 0...19 {
      #expect(PowersOfTen.power(n) == power)
      let shift = UInt64(power).leadingZeroBitCount
      let reciprocal = UInt128.max / (power << shift) - (1 << 64)
      #expect(PowersOfTen.reciprocals[n] == reciprocal)
      power *= 10
    }
  }

  @Test func digitCounts() {
    #expect(PowersOfTen.digitCount(0) == 1)
    #expect(PowersOfTen.digitCount(.max) == 20)
    for bit in 0..<64 { #expect(PowersOfTen.digitCount(1 << bit) == String(UInt64(1) << bit).count) }
    for n in 1...19 {
      #expect(PowersOfTen.digitCount(PowersOfTen.power(n)) == n + 1)
      #expect(PowersOfTen.digitCount(PowersOfTen.power(n) - 1) == n)
    }
  }

  @Test func dividesLikeTheStandardLibrary() {
    var random = SeededGenerator()
    func dividend(_ n: Int) -> UInt64 {
      let any = UInt64.random(in: 0 ... .max, using: &random) >> UInt64.random(in: 0..<64, using: &random)
      let power = PowersOfTen.power(n)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return any / power * power
      case 1: return any / power * power &- 1
      case 2: return .max - UInt64.random(in: 0...3, using: &random)
      default: return any
      }
    }
    for _ in 0..<2_000 {
      for n in 0...19 {
        let value = dividend(n)
        let (quotient, remainder) = PowersOfTen.divide(value, by: n)
        let expected = value.quotientAndRemainder(dividingBy: PowersOfTen.power(n))
        if quotient != expected.quotient || remainder != expected.remainder {
          Issue.record("\(value) / 10^\(n); \(random.reproduction)")
        }
      }
    }
  }

  /// Powers of 10 as GMP computes them, from the digits of the number and those of its predecessor.
  @Test(arguments: [0, 1, 19, 20, 38, 39, 299, 300, 301, 302, 511, 512, 1_000, 9_999])
  func largePowers(n: Int) {
    let (one, small) = (ExactDecimal(1), ExactDecimal(1, exponent: n).quantized(to: 0, rounding: .down))
    #expect(small.digitCount == n + 1)
    #expect(small.description == "1" + String(repeating: "0", count: n))
    #expect((small - one).digitCount == max(1, n))
    #expect((small - one).description == (n == 0 ? "0" : String(repeating: "9", count: n)))
  }
}
