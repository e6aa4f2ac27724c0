import Records
import Testing

@testable import LedgerRuns

@Suite("Booking days")
struct BookingOrderTests {
  static let changes: [(day: String, today: String, change: String?)] = [
    ("2026-10-31", "2026-11-02", "changes 2026-10, which is over"),
    // The night of the last day is settled on the 1st.
    ("2026-10-31", "2026-11-01", nil), ("2026-09-30", "2026-11-01", "changes 2026-09, which is over"),
    ("2026-11-01", "2026-11-30", nil), ("2026-11-30", "2026-11-30", nil),
    ("2026-12-31", "2027-01-02", "changes 2026-12, which is over"), ("2026-12-31", "2027-01-01", nil),
    ("2027-01-01", "2026-12-31", nil),
  ]

  @Test("a month is over if that of yesterday is a later one", arguments: changes)
  func change(day: String, today: String, change: String?) throws {
    #expect(try BookingOrder.change(ofMonthOf: #require(CalendarDay(day)), today: #require(CalendarDay(today))) == change)
  }
}
