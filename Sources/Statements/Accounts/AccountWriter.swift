import Accounts
import Ledger
import Records
import Text

/// Writes the statement of an account over nights, section by section.
protocol AccountWriter {
  /// Appends everything before the sections.
  mutating func begin(_ account: [UInt8], to text: inout TextBuffer)
  /// Appends what is before the rows of the current account and currency.
  mutating func begin(_ section: AccountSection, to text: inout TextBuffer)
  mutating func append(_ row: AccountSection.Row, of section: AccountSection, to text: inout TextBuffer)
  /// Appends a payment or refund of a night.
  mutating func append(
    _ payment: NightPayment, _ night: AccountSection.Row, of section: AccountSection, to text: inout TextBuffer)
  /// Appends what is after the rows.
  mutating func end(_ section: AccountSection, to text: inout TextBuffer)
  /// Appends everything after the sections.
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

extension AccountSection.Row {
  /// Its name in CSV, the reference it shows, and the reason of a return or an adjustment.
  var texts: (kind: StaticString, reference: String, reason: String) {
    switch note {
    case .run: ("RUN", "", "")
    case .returned(let note): ("RETURNED", note.reference.text, note.reason)
    case .adjusted(let note): ("ADJUSTED", note.key, note.reason)
    case .payment(let payment): ("PAID", PaymentReference(payout: number, number: payment).text, "")
    }
  }
}
