import ArgumentParser
import Records

/// Days that options name.
extension CalendarDay {
  /// Throws if an option's text is not a day; the message says so if the date does not exist.
  static func expect(_ text: String?, of option: String) throws {
    guard let text, UTCTime(day: text) == nil else { return }
    let absence = Timestamp.absence(in: text.utf8).map { ": \($0)" } ?? ""
    throw ValidationError("\(option) takes a day like 2026-11-20, not '\(text)'\(absence).")
  }

  /// Throws if an option's text is not a day that a ledger can have.
  static func expectOfLedgers(_ text: String?, of option: String) throws {
    try expect(text, of: option)
    guard let text, !(ofLedgers ~= text) else { return }
    throw ValidationError("\(option) takes a day from 2000-01-01 to 2099-12-31, not '\(text)'.")
  }

  /// Throws unless the days of `--since` and `--until` are days that a ledger can have, in order.
  static func expectPeriod(_ since: String?, _ until: String?) throws {
    try expectOfLedgers(since, of: "--since")
    try expectOfLedgers(until, of: "--until")
    if let since, let until, until < since { throw ValidationError("--until is before --since.") }
  }
}
