import TestOracles
import Testing

@testable import ExactArithmetic

struct PrintingTests {
  @Test(arguments: [
    ("0", "0", "0"), ("-0", "0", "-0"), ("0.00", "0.00", "0.00"), ("-0.00", "0.00", "-0.00"),
    ("7", "7", "7"), ("10", "10", "10"), ("-99", "-99", "-99"), ("100", "100", "100"),
    ("1.50", "1.50", "1.50"), ("-1.5", "-1.5", "-1.5"), ("0.05", "0.05", "0.05"), ("12.345", "12.345", "12.345"),
    ("1e2", "100", "1E+2"), ("12e2", "1200", "1.2E+3"), ("0e2", "0", "0E+2"), ("-0e2", "0", "-0E+2"),
    ("1e-6", "0.000001", "0.000001"), ("1e-7", "0.0000001", "1E-7"), ("15e-8", "0.00000015", "1.5E-7"),
    ("0e-6", "0.000000", "0.000000"), ("0e-7", "0.0000000", "0E-7"),
    ("18446744073709551615", "18446744073709551615", "18446744073709551615"),
    ("18446744073709551615e-20", "0.18446744073709551615", "0.18446744073709551615"),
    ("18446744073709551615e-19", "1.8446744073709551615", "1.8446744073709551615"),
    ("18446744073709551616", "18446744073709551616", "18446744073709551616"),
    ("-18446744073709551616e-1", "-1844674407370955161.6", "-1844674407370955161.6"),
    ("18446744073709551616e-20", "0.18446744073709551616", "0.18446744073709551616"),
    ("18446744073709551616e-22", "0.0018446744073709551616", "0.0018446744073709551616"),
    ("18446744073709551616e2", "1844674407370955161600", "1.8446744073709551616E+21"),
    (
      "100000000000000000000000000000000000000000", "100000000000000000000000000000000000000000",
      "100000000000000000000000000000000000000000"
    ),
  ])
  func prints(text: String, plain: String, scientific: String) throws {
    let value = try #require(ExactDecimal(text))
    #expect(value.plain() == plain)
    #expect(value.largePlain() == plain)
    #expect(value.description == plain)
    #expect(value.scientificDescription == scientific)
  }

  /// Every number of digits with every number of decimals: this covers all positions of the point among pairs of
  /// digits.
  @Test func printsAnyLayout() {
    for digits in 1...20 {
      let magnitude = UInt64("12345678901234567890".prefix(digits))!
      for exponent in -25...3 {
        let school = SchoolDecimal(String(magnitude), exponent: exponent)
        #expect(ExactDecimal(magnitude: magnitude, exponent: exponent).plain() == school.plain)
      }
    }
  }

  @Test func descriptionOfExtremeExponentsIsScientific() {
    #expect(ExactDecimal(5, exponent: 2_147_483_647).description == "5E+2147483647")
    #expect(ExactDecimal(-5, exponent: -2_147_483_648).description == "-5E-2147483648")
    #expect(ExactDecimal(5, exponent: 99_999).description.utf8.count == 100_000)
    #expect(ExactDecimal(5, exponent: 100_000).description == "5E+100000")
  }

  @Test func descriptionIsLossless() throws {
    for text in ["0.00", "-12.50", "18446744073709551616.000", "0." + String(repeating: "123", count: 1_000)] {
      let value = try #require(ExactDecimal(text))
      #expect(try #require(ExactDecimal(value.description)).isIdentical(to: value))
    }
  }
}
