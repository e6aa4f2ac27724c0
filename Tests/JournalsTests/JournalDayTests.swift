import Records
import Testing

@testable import Journals
import Text

@Suite("Days of journals")
struct JournalDayTests {
  static let texts: [(text: String, next: String)] = [
    ("2026-11-20", "2026-11-21"), ("0001-01-01", "0001-01-02"), ("9999-12-30", "9999-12-31"),
    ("2024-02-28", "2024-02-29"), ("2023-02-28", "2023-03-01"), ("2026-12-31", "2027-01-01"),
    ("0999-12-31", "1000-01-01"), ("2000-02-29", "2000-03-01"),
  ]

  private func shown(_ day: JournalDay) -> String {
    var text = TextBuffer(capacity: 1)
    day.append(to: &text)
    return text.string
  }

  @Test("a day, and the next one", arguments: texts)
  func isShown(text: String, next: String) throws {
    let day = JournalDay(try #require(UTCTime(day: text)))
    #expect(shown(day) == text)
    #expect(shown(day.next) == next)
    #expect(day < day.next)
  }

  @Test(
    "texts that are not days",
    arguments: [
      "", "2026-11-2", "2026-11-200", "2026-02-29", "2026-13-01", "0000-01-01", "2026-11-20Z", "2026/11/20", "20261120",
      "2026-11-2é", " 2026-11-20", "+026-11-20",
    ])
  func noDays(text: String) {
    #expect(UTCTime(day: text) == nil)
  }

  @Test("every program accepts days")
  func programs() {
    #expect(JournalFormat.allCases.allSatisfy { $0.firstDay < $0.lastDay })
  }
}
