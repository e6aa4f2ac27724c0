import ArgumentParser
import Records

/// Days that options name.
extension CalendarDay {
  /// A day from an option; the error says so if the date does not exist.
  static func parsed(_ text: String) throws -> CalendarDay {
    guard let day = CalendarDay(text) else {
      let absence = Timestamp.absence(in: text.utf8).map { "; \($0)" } ?? ""
      throw ValidationError("expected a day like 2026-11-20\(absence)")
    }
    return day
  }

  /// A day that a ledger can have, from an option.
  static func parsedOfLedgers(_ text: String) throws -> CalendarDay {
    let day = try parsed(text)
    guard ofLedgers ~= text else { throw ValidationError("expected a day from 2000-01-01 to 2099-12-31") }
    return day
  }

  /// Its first second, in UTC.
  var start: UTCTime { UTCTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0) }

  /// Throws unless the days of `--since` and `--until` are in order.
  static func expectPeriod(_ since: CalendarDay?, _ until: CalendarDay?) throws {
    if let since, let until, until < since { throw ValidationError("--until is before --since.") }
  }
}
