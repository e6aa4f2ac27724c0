import ExactArithmetic
import Money
import Testing

@Suite("Conventions of other libraries") struct AllocationConventionTests {
  static func allocate(
    _ convention: AllocationConvention, _ units: Int, _ ratios: String, _ rounding: RoundingMode = .halfEven
  ) -> String {
    do {
      let parts = try convention.allocate(
        ExactDecimal(units), by: ratios.split(separator: " ").compactMap { Ratio(Array($0.utf8)) }, rounding: rounding)
      return parts.map(\.description).joined(separator: " ")
    } catch {
      return error.rawValue
    }
  }

  @Test(
    "1.00 by 2, 3, 1, as in the specification",
    arguments: [
      (AllocationConvention.floorToFirst, "34 50 16"), (.floorToLast, "33 50 17"), (.floorToLargestRatio, "33 51 16"),
      (.largestRemainder, "33 50 17"), (.floorRemainderSeparate, "33 50 16 1"), (.blockRemainderSeparate, "32 48 16 4"),
      (.cascadeFromLastTruncate, "34 50 16"), (.roundEachLastAbsorbs, "33 50 17"),
    ])
  func example(convention: AllocationConvention, wanted: String) {
    #expect(Self.allocate(convention, 100, "2 3 1") == wanted)
    #expect(Self.allocate(convention, 100, "2/6 0.5 1/6") == wanted)
  }

  @Test(
    "edges",
    arguments: [
      (AllocationConvention.floorToFirst, -10, "1 1 1", "-4 -3 -3"), (.floorToFirst, 100, "0 0", "zero_ratio_sum"),
      (.floorToFirst, 0, "0 0", "0 0"), (.floorRemainderSeparate, 0, "0 0", "0 0"),
      (.floorToFirst, 5, "0 1 1", "0 3 2"), (.largestRemainder, -100, "1 1 4", "-17 -17 -66"),
      (.floorToFirst, 1, "", "empty_ratios"), (.floorToFirst, 1, "2 -1", "negative_ratio"),
      (.cascadeFromLastTruncate, 100, "0 0", "50 50"), (.cascadeFromLastTruncate, 100, "0 3", "0 100"),
      (.blockRemainderSeparate, -100, "1/3 2/7", "-49 -42 -9"), (.floorToFirst, 0, "1 2", "0 0"),
      (.largestRemainder, -100, "2 3 1", "-33 -50 -17"),
    ])
  func edges(convention: AllocationConvention, units: Int, ratios: String, wanted: String) {
    #expect(Self.allocate(convention, units, ratios) == wanted)
  }

  @Test(
    "each part is rounded in the requested mode",
    arguments: [
      (RoundingMode.halfEven, "2 2 2 1"), (.halfUp, "2 3 2 0"), (.halfDown, "1 2 2 2"), (.up, "2 3 2 0"),
      (.down, "1 2 1 3"), (.ceiling, "2 3 2 0"), (.floor, "1 2 1 3"),
    ])
  func rounds(mode: RoundingMode, wanted: String) {
    // 1.5, 2.5 and 1.75 of 7.
    #expect(Self.allocate(.roundEachLastAbsorbs, 7, "6 10 7 5", mode) == wanted)
  }

  @Test("an invalid fraction is not a ratio", arguments: ["1/0", "1/-2", "/2", "1/", "x", "1/2/3", ""])
  func noRatio(text: String) { #expect(Ratio(Array(text.utf8)) == nil) }
}
