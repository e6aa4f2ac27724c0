import Records
import Testing

/// Date-times as written, and their second in UTC.
@Suite struct UTCTimeTests {
  static let times: [(String, [Int])] = [
    ("2026-11-20T08:30:15Z", [2026, 11, 20, 8, 30, 15]),
    ("2026-11-20T08:30:15.999999999999Z", [2026, 11, 20, 8, 30, 15]),
    ("2026-11-20T08:30:15.5+02:00", [2026, 11, 20, 6, 30, 15]),
    ("2026-11-20T08:30:15-02:45", [2026, 11, 20, 11, 15, 15]),
    ("2026-11-20T00:00:00+00:01", [2026, 11, 19, 23, 59, 0]),
    ("2026-11-20T23:59:59-00:01", [2026, 11, 21, 0, 0, 59]),
    ("2026-11-20T08:30:15-00:00", [2026, 11, 20, 8, 30, 15]),
    ("2024-03-01T00:00:00+23:59", [2024, 2, 29, 0, 1, 0]),
    ("2100-03-01T00:00:00+01:00", [2100, 2, 28, 23, 0, 0]),
    ("2024-02-28T23:30:00-01:00", [2024, 2, 29, 0, 30, 0]),
    ("2025-12-31T23:30:00-01:00", [2026, 1, 1, 0, 30, 0]),
    ("2026-01-01T00:30:00+01:00", [2025, 12, 31, 23, 30, 0]),
    ("0001-01-01T00:00:00Z", [1, 1, 1, 0, 0, 0]),
    ("0001-01-01T00:00:07+00:01", [1, 1, 1, 0, 0, 0]),
    ("9999-12-31T23:59:58Z", [9999, 12, 31, 23, 59, 58]),
    ("9999-12-31T23:59:07-00:01", [9999, 12, 31, 23, 59, 59]),
  ]

  @Test(arguments: times)
  func utc(_ text: String, _ parts: [Int]) {
    let bytes = Array(text.utf8)
    let time = Timestamp.utc(bytes.span)
    #expect([time.year, time.month, time.day, time.hour, time.minute, time.second] == parts)
  }

  @Test(
    "days are counted from 1970-01-01",
    arguments: [
      ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2000-03-01", 11_017), ("2026-11-22", 20_779),
      ("0001-01-01", -719_162), ("9999-12-31", 2_932_896), ("2100-03-01", 47_541),
    ])
  func dayNumber(day: String, number: Int) { #expect(UTCTime(day: day).map { CalendarDay($0).number } == number) }

  @Test("each day's number is one more than that of the day before")
  func daysFollow() {
    var day = UTCTime.first
    var wrong = 0
    while let next = day.nextDay {
      let number = CalendarDay(next)
      if number.number != CalendarDay(day).number + 1 || number.date != (next.year, next.month, next.day) { wrong += 1 }
      day = next
    }
    #expect(wrong == 0)
  }
}
