import ExactArithmetic
import Records
import Testing

@testable import Statements
import Text

/// Amounts and times of a settlement report.
@Suite struct FigureTests {
  static let amounts: [(String, String)] = [
    ("0", "0"), ("0.00", "0"), ("0.05", "5"), ("0.50", "50"), ("1.00", "100"), ("100", "10000"), ("5", "500"),
    ("1234.56", "123456"), ("18446744073709551615", "1844674407370955161500"),
    ("184467440737095516.16", "18446744073709551616"),
    ("9999999999999999999999999999999999999999", "999999999999999999999999999999999999999900"),
    ("9999999999999999999999999999999999999999.99", "999999999999999999999999999999999999999999"),
  ]

  @Test("two implied decimals in every currency", arguments: amounts)
  func implied(_ amount: String, _ written: String) throws {
    var text = TextBuffer(capacity: 1)
    text.append(implied: try #require(ExactDecimal(amount)))
    #expect(text.string == written)
  }

  @Test func times() {
    let time = UTCTime(year: 987, month: 6, day: 5, hour: 4, minute: 3, second: 2)
    var text = TextBuffer()
    text.append(stl: time)
    #expect(text.string == "0987/06/05 04:03:02 +0000" && text.count == TextBuffer.stlTimeLength)
    text.removeAll()
    text.append(rfc3339: time)
    #expect(text.string == "0987-06-05T04:03:02Z")
  }

  @Test("days", arguments: ["2026-11-20", "2024-02-29", "0001-01-01", "9999-12-31"])
  func days(_ text: String) throws {
    let day = try #require(UTCTime(day: text))
    #expect(STLFrame.fileName(day) == "STL-\(text.replacing("-", with: "")).01.009.CSV")
    #expect(day.dayEnd.second == 59 && day.dayStart == day && day.dayEnd.dayStart == day)
  }

  @Test(
    "texts that are not days",
    arguments: [
      "", "2026-02-29", "0000-01-01", "2026-13-01", "2026-1-01", "20261120", "2026-11-20 ", "2026-11-20T", "２026-11-20",
      "-026-11-20",
    ])
  func noDays(_ text: String) { #expect(UTCTime(day: text) == nil) }
}
