import ArgumentParser
import Console
import Records

/// A period of a ledger, for commands that show something else without one.
struct LedgerPeriodOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("For a period: the ledger, as settle run --ledger made it.", valueName: "file"),
    completion: .file(), transform: named)
  var ledger: String?

  @Option(
    help: ArgumentHelp("The first day of the period, by booking day.", valueName: "YYYY-MM-DD"),
    transform: CalendarDay.parsedOfLedgers)
  var since: CalendarDay?

  @Option(
    help: ArgumentHelp("The last day of the period.", valueName: "YYYY-MM-DD"), transform: CalendarDay.parsedOfLedgers)
  var until: CalendarDay?

  func validate() throws { try CalendarDay.expectPeriod(since, until) }

  /// The first and the last day; nil unless both are given.
  var days: ClosedRange<CalendarDay>? {
    guard let since, let until else { return nil }
    return since...until
  }

  var areGiven: Bool { ledger != nil || since != nil || until != nil }
}
