import BatchRun
import Ledger
import LedgerRuns
import Records

/// A ledger's runs and payouts in entry order, with their booking days (`accounts.md`).
package struct BookingOrder: Sendable {
  /// All runs and payouts, also those that count zero for good.
  package let bookings: [EnteredBooking]
  /// Their booking days, which never go back.
  package let days: [CalendarDay]

  /// The order of the runs and payouts that are published.
  package init(_ history: RunHistory) {
    bookings = EnteredBooking.inOrder(history.runs, history.payouts, history.givenUp)
    var latest = CalendarDay(number: .min)
    days = bookings.map { booking in
      latest = max(latest, Self.day(of: booking))
      return latest
    }
  }

  /// The places of the runs and payouts that are booked in a period.
  ///
  /// - Parameters:
  ///   - since: the first day; nil from the beginning.
  ///   - until: the last day; nil up to now.
  package func places(since: CalendarDay? = nil, until: CalendarDay?) -> Range<Int> {
    let end = until.map { until in days.firstIndex { until < $0 } ?? days.count } ?? days.count
    let start = since.map { since in days.firstIndex { since <= $0 } ?? days.count } ?? 0
    return min(start, end)..<end
  }

  /// The day of a run: the settlement day, at most the day of entry.
  package static func day(of run: RunEntry) -> CalendarDay {
    let entered = entryDay(run.time)
    return run.day.map { min(CalendarDay(number: $0), entered) } ?? entered
  }

  private static func day(of booking: EnteredBooking) -> CalendarDay {
    switch booking.source {
    case .run(let run): day(of: run)
    case .payout(let payout): min(CalendarDay(payout.identity.date)!, entryDay(payout.time))
    case .givenUp(let payout): entryDay(payout.time)
    }
  }

  /// The UTC day of a time as the ledger keeps it.
  private static func entryDay(_ time: String) -> CalendarDay { CalendarDay(String(time.prefix(10)))! }
}
