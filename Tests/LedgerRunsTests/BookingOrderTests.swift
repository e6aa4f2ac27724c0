import Ledger
import Records
import Testing

@testable import Bookkeeping
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
    #expect(
      try BookingOrder.change(ofMonthOf: #require(CalendarDay(day)), today: #require(CalendarDay(today))) == change)
  }

  static let payoutDays: [(date: String, entered: String, keepsNext: Bool, day: String)] = [
    ("2026-11-28", "2026-11-27", true, "2026-11-28"), ("2026-11-28", "2026-11-27", false, "2026-11-27"),
    ("2026-11-29", "2026-11-27", true, "2026-11-27"), ("2026-11-26", "2026-11-27", true, "2026-11-26"),
  ]

  @Test("a payout's date stands if it is at most one day after the day of entry", arguments: payoutDays)
  func payoutDay(date: String, entered: String, keepsNext: Bool, day: String) throws {
    let found = try BookingOrder.day(
      ofPayout: #require(CalendarDay(date)), entered: #require(CalendarDay(entered)), keepsNext: keepsNext)
    #expect(found.text == day)
  }
}
