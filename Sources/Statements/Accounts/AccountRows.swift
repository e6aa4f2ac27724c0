import Accounts
import ExactArithmetic
import Money
import Records
import Text

/// The rows of a statement over a period as CSV (`accounts.md`).
struct AccountRows: AccountWriter {
  private let days: ClosedRange<CalendarDay>
  private var texts = DayTexts()

  init(_ days: ClosedRange<CalendarDay>) { self.days = days }

  func begin(_ account: [UInt8], to text: inout TextBuffer) {
    text.append(
      "currency,day,kind,number,reference,reason,payments,gross,passed_on,fee,net,refunds,refund_net,amount,balance\n")
  }

  mutating func append(_ period: AccountPeriod, to text: inout TextBuffer) {
    appendStart(period.currency, days.lowerBound, "OPENING", to: &text)
    text.append(",,,,,,,,,,,,")
    appendEnd(period.opening, to: &text)
    for row in period.rows {
      let (kind, reference, reason) = row.texts
      appendStart(period.currency, row.day, kind, to: &text)
      text.append(",")
      text.append(number: row.number)
      text.append(",")
      append(reference, to: &text)
      text.append(",")
      append(reason, to: &text)
      text.append(",")
      if row.figures.isEmpty { text.append(",,,,,,") }
      for byte in period.figures[row.figures] { text.append(byte) }
      text.append(",")
      text.append(row.amount)
      text.append(",")
      appendEnd(row.balance, to: &text)
    }
    appendStart(period.currency, days.upperBound, "CLOSING", to: &text)
    text.append(",,,,,,,,,,,,")
    appendEnd(period.closing, to: &text)
  }

  func end(to text: inout TextBuffer) {}

  private mutating func appendStart(
    _ currency: Currency, _ day: CalendarDay, _ kind: StaticString, to text: inout TextBuffer
  ) {
    let (first, second, third) = currency.codeBytes
    text.append(first)
    text.append(second)
    text.append(third)
    text.append(",")
    text.append(texts.text(day))
    text.append(",")
    text.append(kind)
  }

  private func appendEnd(_ balance: ExactDecimal, to text: inout TextBuffer) {
    text.append(balance)
    text.append("\n")
  }

  /// Appends a key or reason; a spreadsheet could take a leading `-` for a formula.
  private func append(_ word: String, to text: inout TextBuffer) {
    if word.utf8.first == UInt8(ascii: "-") { text.append("'") }
    text.append(word)
  }
}
