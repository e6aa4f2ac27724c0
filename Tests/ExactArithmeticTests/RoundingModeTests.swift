import ExactArithmetic
import Testing

struct RoundingModeTests {
  /// The table in the documentation of `RoundingMode`, and more.
  @Test(
    arguments: [
      (.halfUp, ["3", "-3", "4", "2", "-2", "3", "2", "1", "-1", "0", "-0"]),
      (.halfDown, ["2", "-2", "3", "2", "-2", "3", "2", "0", "-0", "0", "-0"]),
      (.halfEven, ["2", "-2", "4", "2", "-2", "3", "2", "0", "-0", "0", "-0"]),
      (.up, ["3", "-3", "4", "3", "-3", "3", "2", "1", "-1", "1", "-1"]),
      (.down, ["2", "-2", "3", "2", "-2", "2", "2", "0", "-0", "0", "-0"]),
      (.ceiling, ["3", "-2", "4", "3", "-2", "3", "2", "1", "-0", "1", "-0"]),
      (.floor, ["2", "-3", "3", "2", "-3", "2", "2", "0", "-1", "0", "-1"]),
    ] as [(RoundingMode, [String])])
  func roundsToWholeNumbers(mode: RoundingMode, expected: [String]) throws {
    let texts = ["2.5", "-2.5", "3.5", "2.4", "-2.4", "2.6", "2.0", "0.5", "-0.5", "0.4", "-0.4"]
    for (text, result) in zip(texts, expected) {
      let value = try #require(ExactDecimal(text))
      #expect(value.quantized(to: 0, rounding: mode).scientificDescription == result, "\(text)")
      // The same with so many zeros that GMP is needed.
      let long = value.quantized(to: -40, rounding: .down)
      #expect(long.quantized(to: 0, rounding: mode).scientificDescription == result, "\(text), long")
      #expect(
        ExactDecimal.quantizedProduct(value, ExactDecimal(1), to: 0, rounding: mode).scientificDescription
          == result, "\(text) × 1")
    }
  }

  @Test(
    arguments: zip(
      RoundingMode.allCases, ["HALF_UP", "HALF_DOWN", "HALF_EVEN", "UP", "DOWN", "CEILING", "FLOOR"]))
  func hasName(mode: RoundingMode, name: String) {
    #expect(mode.rawValue == name)
    #expect(RoundingMode(rawValue: name) == mode)
  }

  @Test(arguments: ["", "half_up", "HALF_UP ", "HALFUP", "05UP", "UNNECESSARY"])
  func doesNotKnow(name: String) {
    #expect(RoundingMode(rawValue: name) == nil)
  }
}
