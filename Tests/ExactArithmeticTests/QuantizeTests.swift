import ExactArithmetic
import TestOracles
import Testing

struct QuantizeTests {
  @Test(
    arguments: [
      ("2.675", -2, .halfEven, "2.68"),
      ("2.5", -2, .down, "2.50"),
      ("1234", 2, .halfUp, "1.2E+3"),
      ("1250", 2, .halfEven, "1.2E+3"),
      ("1350", 2, .halfEven, "1.4E+3"),
      ("-0.005", -2, .halfEven, "-0.00"),
      ("0", -5, .up, "0.00000"),
      ("-0e5", -1, .up, "-0.0"),
      ("0e-30", 30, .up, "0E+30"),
      // Nothing is left of the value, near and far.
      ("49", 2, .halfUp, "0E+2"),
      ("50", 2, .halfUp, "1E+2"),
      ("50", 2, .halfDown, "0E+2"),
      ("1", 1_000_000_000, .up, "1E+1000000000"),
      ("-1", 2_147_483_647, .floor, "-1E+2147483647"),
      ("18446744073709551615", 20, .halfUp, "0E+20"),
      ("99999999999999999999", 20, .halfUp, "1E+20"),
      ("123456789012345678901234567890", 1000, .halfUp, "0E+1000"),
      ("123456789012345678901234567890", 1000, .ceiling, "1E+1000"),
      // Digits gained by a carry, and the change from one representation to the other.
      ("9.99", -1, .up, "10.0"),
      ("18446744073709551615.5", 0, .halfUp, "18446744073709551616"),
      ("18446744073709551616.4", 0, .halfUp, "18446744073709551616"),
      ("18446744073709551615", -1, .halfUp, "18446744073709551615.0"),
      ("1844674407370955161.6", -1, .halfUp, "1844674407370955161.6"),
      ("340282366920938463463374607431768211455.5", 0, .halfUp, "340282366920938463463374607431768211456"),
      ("1", -19, .down, "1.0000000000000000000"),
      ("1", -20, .down, "1.00000000000000000000"),
      ("1", -40, .down, "1.0000000000000000000000000000000000000000"),
    ] as [(String, Int, RoundingMode, String)])
  func quantizes(text: String, exponent: Int, mode: RoundingMode, expected: String) throws {
    let value = try #require(ExactDecimal(text))
    #expect(value.quantized(to: exponent, rounding: mode).scientificDescription == expected)
  }

  @Test(
    arguments: [
      ("1.50", -2, "1.50"),
      ("1.50", -1, "1.5"),
      ("1.50", -3, "1.500"),
      ("1.50", 0, nil),
      ("-1200", 2, "-1.2E+3"),
      ("1200", 3, nil),
      ("0.000", 7, "0E+7"),
      ("-0", -2, "-0.00"),
      ("5", 1_000_000, nil),
      ("10000000000000000000000000000000000000000", 40, "1E+40"),
      ("10000000000000000000000000000000000000001", 40, nil),
      ("10000000000000000000000000000000000000000", 41, nil),
      ("18446744073709551616", -1, "18446744073709551616.0"),
      ("18446744073709551610", 1, "1.844674407370955161E+19"),
    ] as [(String, Int, String?)])
  func rescalesExactly(text: String, exponent: Int, expected: String?) throws {
    let value = try #require(ExactDecimal(text))
    #expect(value.exact(at: exponent)?.scientificDescription == expected)
  }

  @Test(arguments: [
    ("1.500", "1.5"),
    ("1200", "1.2E+3"),
    ("7", "7"),
    ("0.000", "0"),
    ("-0e9", "-0"),
    ("10000000000000000000", "1E+19"),
    ("-20000000000000000000000000000000000000000.00", "-2E+40"),
    ("12345678901234567890123456789012345678900", "12345678901234567890123456789012345678900"),
    ("18446744073709551616", "18446744073709551616"),
  ])
  func stripsTrailingZeros(text: String, expected: String) throws {
    let value = try #require(ExactDecimal(text))
    let stripped = value.strippingTrailingZeros()
    #expect(stripped == value)
    #expect(try stripped.isIdentical(to: #require(ExactDecimal(expected)).strippingTrailingZeros()))
    #expect(value.isZero || stripped.exponent == value.exponent + Self.trailingZeros(value))
  }

  private static func trailingZeros(_ value: ExactDecimal) -> Int {
    value.description.filter(\.isNumber).reversed().prefix { $0 == "0" }.count
  }

  @Test(
    arguments: [
      ("19.99", "0.0725", -2, .halfEven, "1.45"),
      ("0.5", "0.5", -1, .halfUp, "0.3"),
      ("0.5", "0.5", -1, .halfEven, "0.2"),
      ("-0.5", "0.5", -1, .floor, "-0.3"),
      ("4294967296", "4294967296", 0, .down, "18446744073709551616"),
      ("18446744073709551615", "18446744073709551615", 20, .halfUp, "3.402823669209384634E+38"),
      ("18446744073709551615", "18446744073709551615", 38, .halfUp, "3E+38"),
      ("18446744073709551615", "18446744073709551615", 39, .halfUp, "0E+39"),
      ("18446744073709551615", "18446744073709551615", 39, .up, "1E+39"),
      ("18446744073709551615", "18446744073709551615", -1, .up, "340282366920938463426481119284349108225.0"),
      ("0", "-5", -2, .up, "-0.00"),
    ] as [(String, String, Int, RoundingMode, String)])
  func quantizesProducts(
    first: String, second: String, exponent: Int, mode: RoundingMode, expected: String
  ) throws {
    let (a, b) = try (#require(ExactDecimal(first)), #require(ExactDecimal(second)))
    let product = ExactDecimal.quantizedProduct(a, b, to: exponent, rounding: mode)
    #expect(product.scientificDescription == expected)
  }

  @Test(
    arguments: [
      // The product alone would be rounded up; the sum is not a tie.
      ("0.5", "0.5", "-0.0001", -1, .halfUp, "0.2"),
      ("1", "1", "-1", -2, .floor, "-0.00"),
      ("1", "1", "-1", -2, .down, "0.00"),
      ("-1", "1", "1", 0, .floor, "-0"),
      ("0", "1", "-0", 0, .floor, "-0"),
      ("-0", "1", "-0", 0, .halfUp, "-0"),
      (
        "18446744073709551615", "18446744073709551615", "18446744073709551615", 0, .up,
        "340282366920938463444927863358058659840"
      ),
      ("18446744073709551615", "18446744073709551617", "1", 0, .up, "340282366920938463463374607431768211456"),
      ("1", "1e30", "1e-30", -2, .up, "1000000000000000000000000000000.01"),
    ] as [(String, String, String, Int, RoundingMode, String)])
  func quantizesProductSums(
    first: String, second: String, third: String, exponent: Int, mode: RoundingMode, expected: String
  ) throws {
    let (a, b) = try (#require(ExactDecimal(first)), #require(ExactDecimal(second)))
    let c = try #require(ExactDecimal(third))
    let sum = ExactDecimal.quantizedProductSum(a, b, plus: c, to: exponent, rounding: mode)
    #expect(sum.scientificDescription == expected)
  }
}
