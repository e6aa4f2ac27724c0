import ExactArithmetic
import TestSupport
import Testing

@testable import Page

@Suite("Shares")
struct ShareTests {
  static let texts: [(part: String, whole: String, text: String)] = [
    ("0", "1", "0.0 %"), ("1", "1", "100.0 %"), ("1", "3", "33.3 %"), ("2", "3", "66.7 %"),
    ("25.00", "51.58", "48.5 %"),
    ("1", "2000", "0.1 %"), ("1", "2001", "< 0.1 %"), ("1999", "2000", "> 99.9 %"), ("1998", "2000", "99.9 %"),
    ("0.01", "99999999999999999999999999999999999999.99", "< 0.1 %"),
    ("99999999999999999999999999999999999999.98", "99999999999999999999999999999999999999.99", "> 99.9 %"),
    ("0", "0", "-"), ("2", "1", "-"), ("-1", "1", "-"),
  ]

  @Test("a share in per cent; a part above zero never shows as 0, less than the whole never as 100", arguments: texts)
  func text(part: String, whole: String, text: String) throws {
    let share = Share.text(try #require(ExactDecimal(part)), of: try #require(ExactDecimal(whole)))
    #expect(share.replacing("\u{A0}", with: " ") == text)
  }

  @Test(
    "two decimals",
    arguments: [("344305.30", "10659335.82", "3.23 %"), ("1", "100000", "< 0.01 %"), ("1", "8", "12.50 %")])
  func twoDecimals(part: String, whole: String, text: String) throws {
    let share = Share.text(try #require(ExactDecimal(part)), of: try #require(ExactDecimal(whole)), decimals: 2)
    #expect(share.replacing("\u{A0}", with: " ") == text)
  }

  @Test("steps equal integer division, halves up")
  func steps() {
    var generator = SeededGenerator()
    for _ in 0..<2000 {
      let whole = Int.random(in: 1...1_000_000, using: &generator)
      let part = Int.random(in: 0...whole, using: &generator)
      let steps = Int.random(in: 1...10_000, using: &generator)
      let expected = (2 * part * steps + whole) / (2 * whole)
      #expect(
        Share.steps(ExactDecimal(part, exponent: -2), of: ExactDecimal(whole, exponent: -2), steps) == expected,
        "\(part) of \(whole) in \(steps): \(generator.reproduction)")
    }
  }

  @Test("a bar is filled, and every part above zero is visible")
  func widths() {
    var generator = SeededGenerator()
    for _ in 0..<1000 {
      let parts = (0..<4).map { _ in
        Bool.random(using: &generator)
          ? ExactDecimal.zero
          : ExactDecimal(
            magnitude: .random(in: 1...UInt64.max, using: &generator), exponent: .random(in: -2...40, using: &generator)
          )
      }
      let widths = Share.widths(parts)
      let isEmpty = parts.allSatisfy(\.isZero)
      #expect(widths.reduce(0, +) == (isEmpty ? 0 : Share.barWidth), "\(generator.reproduction)")
      for (part, width) in zip(parts, widths) {
        #expect(part.isZero ? width == 0 : width >= Share.leastWidth, "\(generator.reproduction)")
      }
    }
  }
}
