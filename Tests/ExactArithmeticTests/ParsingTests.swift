import TestOracles
import Testing

@testable import ExactArithmetic

struct ParsingTests {
  @Test(
    arguments: [
      ("0", 0, 0, false), ("-0", 0, 0, true), ("7", 7, 0, false), ("-7", 7, 0, true), ("10", 10, 0, false),
      ("1.50", 150, -2, false), ("-1.50", 150, -2, true), ("0.05", 5, -2, false), ("0.0", 0, -1, false),
      ("1e5", 1, 5, false), ("1E+5", 1, 5, false), ("1.5e-3", 15, -4, false), ("1e00000000000000000005", 1, 5, false),
      ("1e-00", 1, 0, false), ("0e99", 0, 99, false), ("0.00000000000000000000000001", 1, -26, false),
      ("1234567", 1_234_567, 0, false), ("12345678", 12_345_678, 0, false), ("-12345678", 12_345_678, 0, true),
      ("123456789", 123_456_789, 0, false), ("123456.78", 12_345_678, -2, false), ("0.123456", 123_456, -6, false),
      ("0.12345678", 12_345_678, -8, false), ("0.123456789", 123_456_789, -9, false),
      ("1.23456789012345", 123_456_789_012_345, -14, false), ("1234567890123.45", 123_456_789_012_345, -2, false),
      ("1234567890123456", 1_234_567_890_123_456, 0, false), ("-1234567890.12345", 123_456_789_012_345, -5, true),
      ("12345678901234567", 12_345_678_901_234_567, 0, false),
      ("18446744073709551615", .max, 0, false), ("-1844674407370955161.5", .max, -1, true),
    ] as [(String, UInt64, Int, Bool)])
  func reads(text: String, magnitude: UInt64, exponent: Int, isNegative: Bool) throws {
    let expected = ExactDecimal(magnitude: magnitude, exponent: exponent, isNegative: isNegative)
    #expect(try #require(ExactDecimal(text)).isIdentical(to: expected))
    let literal = DecimalLiteral.scan(text, digitLimit: 40, exponentLimit: 99)
    #expect(literal.form == .inline && literal.magnitude == magnitude && Int(literal.exponent) == exponent)
    #expect(literal.isNegative == isNegative && literal.isZero == (magnitude == 0))
  }

  @Test(arguments: [
    ("18446744073709551616", 0), ("18446744073709551620", 0), ("99999999999999999999", 0),
    ("-184467440737095516.16", -2), ("0.000000000000000000018446744073709551616", -39),
    ("123456789012345678901234567890123456789e-5", -5), ("100000000000000000000000000000000000000000.0", -1),
  ])
  func readsLargeOnes(text: String, exponent: Int) throws {
    let literal = DecimalLiteral.scan(text, digitLimit: 45, exponentLimit: 99)
    #expect(literal.form == .large && literal.magnitude == 0 && Int(literal.exponent) == exponent)
    #expect(!literal.isZero)
    let value = try #require(ExactDecimal(text))
    #expect(!value.isInline && value.exponent == exponent && value.isNegative == text.hasPrefix("-"))
    let digits = text.prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }
    #expect(SchoolDecimal(value).coefficient == digits)
  }

  @Test(arguments: [
    "", "-", ".", "-.", "+1", "--1", "01", "-01", "00", "00.5", "1.", "-1.", ".5", "-.5", "1..2", "1.2.3",
    "e5", "1e", "1e+", "1e-", "1e5.0", "1e5e5", "1e+-5", "1.e5", "1 ", " 1", "1\n", "1\u{0}", "1,5", "1_000",
    "0x1", "1a", "a1", "NaN", "Infinity", "１", "1/2", "12:34",
    "123456789.", ".123456789", "1234567890123456.", "0123456789", "00123456.78", "1234.5678.9012",
    "123456789012345a", "a23456789012345", "1234567a90123456", "-123456789-", "12345678é",
  ])
  func rejects(text: String) {
    #expect(ExactDecimal(text) == nil)
    #expect(DecimalLiteral.scan(text, digitLimit: 40, exponentLimit: 99).form == .malformed)
  }

  @Test(arguments: [
    ("1234", 4, 9, true), ("12345", 4, 9, false), ("12.34", 4, 9, true), ("12.345", 4, 9, false),
    ("0.123", 4, 9, true), ("0.1234", 4, 9, false), ("-1234", 4, 9, true), ("-12345", 4, 9, false),
    ("1234e9", 4, 9, true), ("12345e9", 4, 9, false), ("1", 0, 9, false), ("123456789", 9, 9, true),
    ("123456789", 8, 9, false), ("1234567.89", 9, 9, true), ("1234567.89", 8, 9, false),
    ("0.000000000000000000", 19, 9, true), ("0.000000000000000000", 18, 9, false),
    ("1e9", 4, 9, true), ("1e10", 4, 9, false), ("1e-9", 4, 9, true), ("1e-10", 4, 9, false),
    ("1e0", 4, 0, true), ("1", 4, 0, true), ("1e1", 4, 0, false), ("1e00000000000000000000009", 4, 9, true),
    ("1e99999999999999999999999999999999999999", 4, 2_000_000_000, false),
    ("1e-2000000000", 4, 2_000_000_000, true), ("1e-2000000001", 4, 2_000_000_000, false),
    ("1.5e-9", 4, 9, true), ("1e2147483647", 4, .max, true), ("1e2147483648", 4, .max, false),
    ("1.0e-2147483647", 4, .max, true), ("1.00e-2147483647", 4, .max, false), ("12345678901", .max, 0, true),
  ])
  func enforcesLimits(text: String, digitLimit: Int, exponentLimit: Int, isAccepted: Bool) {
    let literal = DecimalLiteral.scan(text, digitLimit: digitLimit, exponentLimit: exponentLimit)
    #expect((literal.form != .malformed) == isAccepted)
  }

  @Test func textLimits() {
    let digits = ExactDecimalLimits.maximumDigits
    #expect(ExactDecimal(String(repeating: "9", count: digits))?.digitCount == digits)
    #expect(ExactDecimal(String(repeating: "9", count: digits + 1)) == nil)
    #expect(ExactDecimal("1e\(ExactDecimalLimits.maximumTextExponent)") != nil)
    #expect(ExactDecimal("1e\(ExactDecimalLimits.maximumTextExponent + 1)") == nil)
  }
}

extension DecimalLiteral {
  /// `scan` for a text in memory.
  static func scan(_ text: String, digitLimit: Int, exponentLimit: Int) -> DecimalLiteral {
    scan(Array(text.utf8).span, digitLimit: digitLimit, exponentLimit: exponentLimit)
  }
}
