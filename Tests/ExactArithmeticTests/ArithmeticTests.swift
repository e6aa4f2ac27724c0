import TestOracles
import Testing

@testable import ExactArithmetic

struct ArithmeticTests {
  @Test(arguments: [
    ("1.5", "0.25", "1.75", "1.25"),
    ("1.50", "0.50", "2.00", "1.00"),
    ("0.1", "0.2", "0.3", "-0.1"),
    ("5", "5", "10", "0"),
    ("0", "0.00", "0.00", "0.00"),
    ("-0", "-0", "-0", "0"),
    ("-0", "0", "0", "-0"),
    ("1e3", "1", "1001", "999"),
    ("1e2", "1e3", "1.1E+3", "-9E+2"),
    // Beyond 64 bits and back.
    ("18446744073709551615", "1", "18446744073709551616", "18446744073709551614"),
    ("18446744073709551616", "1", "18446744073709551617", "18446744073709551615"),
    ("18446744073709551616", "18446744073709551616", "36893488147419103232", "0"),
    ("1e19", "1e19", "2E+19", "0E+19"),
    ("1e20", "1", "100000000000000000001", "99999999999999999999"),
    (
      "340282366920938463463374607431768211455", "1", "340282366920938463463374607431768211456",
      "340282366920938463463374607431768211454"
    ),
    // Zeros are not aligned upwards, but a zero's exponent counts.
    ("0e2000", "1", "1", "-1"),
    ("0e-30", "1", "1.000000000000000000000000000000", "-1.000000000000000000000000000000"),
  ])
  func addsAndSubtracts(first: String, second: String, sum: String, difference: String) throws {
    let (a, b) = try (#require(ExactDecimal(first)), #require(ExactDecimal(second)))
    #expect((a + b).scientificDescription == sum)
    #expect((b + a).scientificDescription == sum)
    #expect((a - b).scientificDescription == difference)
    var total = a
    total += b
    #expect(total.scientificDescription == sum)
    total = a
    total -= b
    #expect(total.scientificDescription == difference)
  }

  @Test(
    arguments: [
      ("5", "-5", .floor, "-0"), ("-5", "5", .floor, "-0"), ("5", "-5", .ceiling, "0"),
      ("0", "-0", .floor, "-0"), ("0", "0", .floor, "0"), ("-0", "-0", .halfUp, "-0"),
      ("5.0", "-5", .floor, "-0.0"), ("5", "-4", .floor, "1"),
      ("18446744073709551616", "-18446744073709551616.00", .floor, "-0.00"),
    ] as [(String, String, RoundingMode, String)])
  func signsExactZero(first: String, second: String, mode: RoundingMode, expected: String) throws {
    let (a, b) = try (#require(ExactDecimal(first)), #require(ExactDecimal(second)))
    #expect(a.adding(b, under: mode).scientificDescription == expected)
  }

  @Test(arguments: [
    ("1.50", "0.2", "0.300"),
    ("-3", "7", "-21"),
    ("-3", "-7", "21"),
    ("0", "-7.00", "-0.00"),
    ("-0", "-0", "0"),
    ("4294967295", "4294967297", "18446744073709551615"),
    ("4294967296", "4294967296", "18446744073709551616"),
    ("18446744073709551615", "18446744073709551615", "340282366920938463426481119284349108225"),
    ("18446744073709551616", "0", "0"),
    ("18446744073709551616", "0.1", "1844674407370955161.6"),
    ("1e40", "1e-40", "1"),
  ])
  func multiplies(first: String, second: String, expected: String) throws {
    let (a, b) = try (#require(ExactDecimal(first)), #require(ExactDecimal(second)))
    #expect((a * b).scientificDescription == expected)
    #expect((b * a).scientificDescription == expected)
  }

  @Test(arguments: [
    ("1", "2", -1), ("2", "1", 1), ("2.0", "2.00", 0), ("-1", "1", -1), ("-1", "-2", 1),
    ("0", "-0", 0), ("-0.00", "0e30", 0), ("0", "1e-30", -1), ("0", "-1e-30", 1),
    ("1e1999999999", "1e-1999999999", 1), ("-1e1999999999", "1e-1999999999", -1),
    ("1e1999999999", "123456789012345678901234567890e-1999999999", 1),
    ("123456789012345678901234567890e-1999999999", "-1e-1999999999", 1),
    ("18446744073709551615", "18446744073709551616", -1),
    ("18446744073709551616", "18446744073709551616.0", 0),
    ("1e20", "100000000000000000000", 0), ("1e20", "100000000000000000001", -1),
    ("1e20", "18446744073709551615", 1), ("1e19", "10000000000000000000", 0),
    ("0e100", "18446744073709551616", -1), ("0e-100", "-18446744073709551616", 1),
  ])
  func compares(first: String, second: String, order: Int) throws {
    let (a, b) = try (#require(ExactDecimal(decTest: first)), #require(ExactDecimal(decTest: second)))
    #expect((a < b) == (order < 0))
    #expect((a == b) == (order == 0))
    #expect((a > b) == (order > 0))
    #expect((b < a) == (order > 0))
  }

  @Test(arguments: [
    ("2.0", "2.0", true), ("2.0", "2.00", false), ("0", "-0", false), ("-0", "-0", true),
    ("18446744073709551616", "18446744073709551616", true),
    ("18446744073709551616", "18446744073709551617", false),
    ("18446744073709551616", "18446744073709551616.0", false),
  ])
  func tellsIdentity(first: String, second: String, expected: Bool) throws {
    let (a, b) = try (#require(ExactDecimal(first)), #require(ExactDecimal(second)))
    #expect(a.isIdentical(to: b) == expected)
  }

  @Test func initializersAndProperties() {
    let amount = ExactDecimal(magnitude: 150, exponent: -2, isNegative: true)
    #expect(amount.isIdentical(to: ExactDecimal(-150, exponent: -2)))
    #expect(amount.isNegative && !amount.isZero && amount.isInline)
    #expect(amount.exponent == -2 && amount.digitCount == 3 && amount.inlineMagnitude == 150)
    #expect(ExactDecimal(Int.min).description == "-9223372036854775808")
    #expect(ExactDecimal.zero.isIdentical(to: ExactDecimal(0)))
    #expect(ExactDecimal(magnitude: 0, isNegative: true).isZero)
    let large = ExactDecimal(magnitude: .max) + ExactDecimal(1)
    #expect(!large.isInline && large.inlineMagnitude == nil && large.digitCount == 20 && !large.isZero)
    #expect(MemoryLayout<ExactDecimal>.stride == 24)
  }
}
