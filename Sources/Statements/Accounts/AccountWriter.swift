import Accounts
import Records
import Text

/// Writes the statement of an account over a period.
protocol AccountWriter {
  /// Appends everything before the rows.
  mutating func begin(_ account: [UInt8], to text: inout TextBuffer)
  /// Appends the rows of the current account and currency.
  mutating func append(_ period: AccountPeriod, to text: inout TextBuffer)
  /// Appends everything after the rows.
  mutating func end(to text: inout TextBuffer)
}

/// The texts of days, each made once.
struct DayTexts {
  private var texts: [CalendarDay: String] = [:]

  /// A day as `YYYY-MM-DD`.
  mutating func text(_ day: CalendarDay) -> String {
    if let known = texts[day] { return known }
    let text = day.text
    texts[day] = text
    return text
  }
}

extension AccountPeriod.Row {
  /// Its name in CSV, the reference it shows, and the reason of a return or an adjustment.
  var texts: (kind: StaticString, reference: String, reason: String) {
    switch note {
    case .run: ("RUN", "", "")
    case .returned(let note): ("RETURNED", note.reference.text, note.reason)
    case .adjusted(let note): ("ADJUSTED", note.key, note.reason)
    case .payment(let payment): ("PAID", "P\(number)-\(payment)", "")
    }
  }
}
