import ExactArithmetic
import TestSupport
import Testing

@Suite("Quotients") struct QuotientTests {
  @Test(
    "quotient and remainder",
    arguments: [
      ("1.00", "0.3", "3", "0.10"), ("-7", "2", "-3", "-1"), ("7", "-2", "-3", "1"), ("0.5", "2", "0", "0.5"),
      ("123456789012345678901234567890.5", "1e10", "12345678901234567890", "1234567890.5"),
      ("5", "123456789012345678901234567890", "0", "5"), ("1e40", "3", "3333333333333333333333333333333333333333", "1"),
    ])
  func table(value: String, divisor: String, quotient: String, remainder: String) throws {
    let value = try #require(ExactDecimal(value))
    let (found, left) = value.quotientAndRemainder(dividingBy: try #require(ExactDecimal(divisor)))
    #expect(found.description == quotient && left == ExactDecimal(remainder))
  }

  @Test("value = quotient x divisor + remainder, which is smaller than the divisor")
  func random() {
    var random = SeededGenerator()
    func decimal() -> ExactDecimal {
      var value = ExactDecimal(
        Int.random(in: -1_000_000...1_000_000, using: &random), exponent: Int.random(in: -9...9, using: &random))
      for _ in 0..<Int.random(in: 0...3, using: &random) { value = value * value + ExactDecimal(1) }
      return value
    }
    for _ in 0..<2000 {
      let (value, divisor) = (decimal(), decimal())
      guard !divisor.isZero else { continue }
      let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
      #expect(quotient * divisor + remainder == value, "\(value) / \(divisor), \(random.reproduction)")
      #expect(remainder * remainder < divisor * divisor, "\(value) / \(divisor), \(random.reproduction)")
      #expect(remainder.isZero || remainder.isNegative == value.isNegative, "\(random.reproduction)")
    }
  }

  @Test("rounding to an integer", arguments: RoundingMode.allCases)
  func rounding(mode: RoundingMode) {
    for units in -30...30 {
      let (value, divisor) = (ExactDecimal(units), ExactDecimal(4))
      let wanted = (value * ExactDecimal(25, exponent: -2)).quantized(to: 0, rounding: mode)
      #expect(value.wholeQuotient(dividingBy: divisor, rounding: mode) == wanted, "\(units) / 4")
    }
  }
}
