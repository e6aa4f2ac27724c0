import FoundationEssentials
import Records

/// A ledger's runs and payouts in entry order, with their booking days (`accounts.md`).
package struct BookingOrder: Sendable {
  /// All runs and payouts, also those that count zero for good.
  package let bookings: [Booking]
  /// Their booking days, which never go back.
  package let days: [CalendarDay]
  private let runs: [EntryID: RunEntry]

  /// The order of what a ledger has.
  package init(_ history: LedgerHistory) {
    bookings = Booking.inEntryOrder(history.runs, history.payouts, history.givenUp)
    runs = Dictionary(uniqueKeysWithValues: history.runs.map { ($0.id, $0) })
    var own: [EntryID: CalendarDay] = [:]
    for run in history.runs { own[run.id] = Self.day(of: run) }
    for payout in history.payouts {
      own[payout.id] = Self.day(
        ofPayout: CalendarDay(payout.identity.date)!, entered: Self.entryDay(payout.time),
        keepsNext: payout.keepsDay ?? false)
    }
    for payout in history.givenUp { own[EntryID(.givenUp, payout.number)] = Self.entryDay(payout.time) }
    var latest = CalendarDay(number: .min)
    days = bookings.map { booking in
      latest = max(latest, own[booking.id]!)
      return latest
    }
  }

  /// The run of a booking; nil if it is not a run's.
  package func run(_ id: EntryID) -> RunEntry? { runs[id] }

  /// The run at a place; nil if it is not a run's.
  package func run(at place: Int) -> RunEntry? { runs[bookings[place].id] }

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

  /// The booking day of each run and payout.
  package var booked: [EntryID: CalendarDay] {
    Dictionary(uniqueKeysWithValues: zip(bookings.map(\.id), days))
  }

  /// The runs that count in the balances at the end of a day; nil for now.
  package func runs(until day: CalendarDay?) -> [RunEntry] {
    places(until: day).compactMap { bookings[$0].counts ? run(at: $0) : nil }
  }

  /// The last run that is booked on a day or earlier, or 0.
  package func lastRun(until day: CalendarDay?) -> Int {
    bookings[places(until: day)].reduce(0) { last, booking in
      booking.id.kind == .run ? max(last, booking.number) : last
    }
  }

  /// The settlement day of a run: that of the header's `createdAt` in UTC, otherwise the day of entry.
  package static func settlementDay(of run: RunEntry) -> CalendarDay {
    run.day.map { CalendarDay(number: $0) } ?? entryDay(run.time)
  }

  /// The day of a run: the settlement day, at most the day of entry.
  package static func day(of run: RunEntry) -> CalendarDay {
    let entered = entryDay(run.time)
    return run.day.map { min(CalendarDay(number: $0), entered) } ?? entered
  }

  /// The day of a payout: its date, at most the day of entry.
  ///
  /// - Parameter keepsNext: whether the day after the day of entry stands, too: east of Greenwich it may have begun.
  package static func day(ofPayout date: CalendarDay, entered: CalendarDay, keepsNext: Bool) -> CalendarDay {
    keepsNext && date.number == entered.number + 1 ? date : min(date, entered)
  }

  /// The UTC day of a time as the ledger keeps it.
  private static func entryDay(_ time: String) -> CalendarDay { CalendarDay(String(time.prefix(10)))! }

  /// What to warn about if something is booked on a day of a month that is over: `changes 2026-10, which is over`. Nil if
  /// the month of yesterday, in UTC, is no later.
  ///
  /// - Parameter today: the UTC day.
  package static func change(ofMonthOf day: CalendarDay, today: CalendarDay) -> String? {
    let yesterday = CalendarDay(number: today.number - 1)
    guard (day.year, day.month) < (yesterday.year, yesterday.month) else { return nil }
    return "changes \(day.text.prefix(7)), which is over"
  }
}

extension CalendarDay {
  /// The current day, in UTC.
  package static var today: CalendarDay { CalendarDay(second: Int(Date.now.timeIntervalSince1970)) }
}
