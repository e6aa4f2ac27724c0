import ArgumentParser
import Console
import Failures
import Ledger
import Records

/// A period of a ledger, for commands that show something else without one.
struct PeriodOptions: ParsableArguments {
  @Option(.dayOfLedger("The first day of a period, by booking day."))
  var since: CalendarDay?

  @Option(.dayOfLedger("The last day of a period."))
  var until: CalendarDay?

  func validate() throws { try CalendarDay.expectPeriod(since, until) }

  /// The first and the last day; nil unless both are given.
  var days: ClosedRange<CalendarDay>? {
    guard let since, let until else { return nil }
    return since...until
  }

  var areGiven: Bool { since != nil || until != nil }

  func expectBoth() throws {
    if areGiven, days == nil { throw ValidationError("A period needs both --since and --until.") }
  }

  /// Throws unless there is either a batch or a period.
  ///
  /// - Parameter others: what else the command takes.
  func expectOne(or batch: [String], _ others: String = "") throws {
    guard batch.isEmpty != (days == nil) else {
      throw ValidationError(
        batch.isEmpty
          ? "Give a batch, or a period of the ledger with --since and --until\(others)."
          : "A batch has no period: leave out --since and --until, or the batch.")
    }
  }

  /// Throws if an option is given that only a batch takes.
  func expectAlone(
    _ rules: RuleOptions, _ controlTotals: ControlTotalsPolicy, date: CalendarDay?, ledger: String?
  ) throws {
    if date != nil { throw ValidationError("--date is for a batch; a period has --since and --until.") }
    if rules.areGiven || controlTotals == .warn {
      throw ValidationError("Options of rules are for a batch; a period shows what its nights settled.")
    }
    if ledger == nil { throw ValidationError("A period needs --ledger, which keeps its nights and payouts.") }
  }
}

extension SharedOption<String> {
  static var ledgerOfPeriod: Self { .file("For a period: the ledger, as settle run --ledger made it.") }
}

extension ArgumentHelp {
  static var batchOrPeriod: Self {
    ArgumentHelp(
      "The batch: JSON Lines, plain or LZ4. Several files are one batch, in order; - is standard input. Without a batch, "
        + "--since and --until choose a period of the ledger.",
      valueName: "batch")
  }
}

/// The options of commands that show what is booked in some days.
struct BookedOptions: ParsableArguments {
  @Option(.day("Only what is booked on this day or later."))
  var since: CalendarDay?

  @Option(.day("Only what is booked on this day or earlier."))
  var until: CalendarDay?

  func validate() throws { try CalendarDay.expectPeriod(since, until) }

  var areGiven: Bool { since != nil || until != nil }

  /// Whether a booking day is asked for; so is that of a missing payout, which has none.
  func contain(_ day: CalendarDay?) -> Bool { day.map { since ?? $0 <= $0 && $0 <= until ?? $0 } ?? true }
}

extension LedgerReading {
  /// Opens a ledger, and warns if it may be out of date.
  static func warned(_ path: String) throws(Failure) -> LedgerReading {
    let ledger = try LedgerReading.opened(path)
    Log.warn(about: ledger.history)
    return ledger
  }

  /// Says that a period has no entries, and which days have some.
  func noticeEmpty(_ days: ClosedRange<CalendarDay>) {
    guard order.places(since: days.lowerBound, until: days.upperBound).isEmpty else { return }
    let booked =
      order.days.first.map { "the ledger's entries are booked from \($0.text) to \(order.days.last!.text)" }
      ?? "the ledger has no entry"
    Log.notice("nothing is booked from \(days.lowerBound.text) to \(days.upperBound.text); \(booked)")
  }

  /// Says that the last day of a period may still get entries, with the command that ends that.
  func noticeOpen(_ until: CalendarDay) {
    guard until < .today, let last = order.days.last, last <= until else { return }
    // A date that is too far ahead binds no other.
    let dates =
      history.payouts.compactMap { CalendarDay($0.identity.date) }
      .filter { $0.number <= CalendarDay.today.number + 7 } + [CalendarDay(number: until.number + 1)]
    Log.notice(
      """
      \(until.text) is not closed: what is entered next may still be booked on it. To close it:
        settle payout --no-payments --date \(dates.max()!.text) --ledger \(quoted) --payees PAYEES --output DIR
      """)
  }
}
