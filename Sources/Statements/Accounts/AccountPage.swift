import Documents
import Accounts
import ExactArithmetic
import Records
import Text

/// An account's statement over a period as a page: the rows of the CSV statement in the reader's language.
struct AccountPage: AccountWriter {
  private let days: ClosedRange<CalendarDay>
  /// The locale of payees who have none.
  private let locale: StatementLocale
  private let payee: ((_ account: [UInt8]) -> PagePayee?)?
  private let frame: PageFrame
  private var texts = DayTexts()

  private static let columns: [StatementWord] = [
    .date, .description, .reference, .gross, .passedOn, .fee, .net, .refunds, .amount, .balance,
  ]
  /// The columns with amounts, and among them those that have sums.
  private static let (amounts, sums) = (3..<10, 6)
  /// The places of `gross`, `passed_on`, `fee`, `net` and `refund_net` among the figures of a night.
  private static let figures = [1, 2, 3, 4, 6]

  /// - Parameter payee: the payee with an account; accounts come in ascending order, then those without rows.
  init(
    _ locale: StatementLocale, _ days: ClosedRange<CalendarDay>, payee: ((_ account: [UInt8]) -> PagePayee?)?
  ) {
    (self.locale, self.days, self.payee) = (locale, days, payee)
    frame = PageFrame(locale, columns: Self.columns, amounts: Self.amounts)
  }

  mutating func begin(_ account: [UInt8], to text: inout TextBuffer) {
    let payee = payee?(account)
    frame.use(payee?.locale ?? locale)
    let shownDays = [days.lowerBound, days.upperBound].map { frame.locale.date($0.text) }.joined(separator: " – ")
    frame.begin(
      account.span, name: payee?.name ?? "", address: payee?.address ?? [], .period, shownDays, to: &text)
  }

  mutating func append(_ period: AccountPeriod, to text: inout TextBuffer) {
    let zero = ExactDecimal.zero(at: -period.currency.settlementExponent)
    var sums = [ExactDecimal?](repeating: zero, count: Self.sums)
    frame.beginTable(period.currency, to: &text)
    appendBalance(days.lowerBound, .opening, period.opening, to: &text)
    for row in period.rows {
      begin(row.day, word(of: row), to: &text)
      if case .adjusted = row.note {
        frame.appendTexts([row.texts.reference, row.texts.reason], 2, to: &text)
      } else {
        frame.appendText(reference(of: row), 2, to: &text)
      }
      appendFigures(of: row, period, &sums, to: &text)
      sums[Self.sums - 1]!.add(row.amount)
      frame.appendAmount(row.amount, 8, to: &text)
      frame.appendAmount(row.balance, 9, to: &text)
      text.append("</tr>\n")
    }
    appendBalance(days.upperBound, .closing, period.closing, to: &text)
    if !period.readsNights { for place in Self.figures.indices { sums[place] = nil } }
    frame.endTable(sums, to: &text)
  }

  func end(to text: inout TextBuffer) { frame.end(to: &text) }

  private mutating func begin(_ day: CalendarDay, _ kind: StatementWord, to text: inout TextBuffer) {
    text.append("<tr>")
    frame.appendDate(texts.text(day), 0, to: &text)
    frame.appendCell(frame.word(kind), 1, to: &text)
  }

  /// Appends the row of the opening or the closing balance.
  private mutating func appendBalance(
    _ day: CalendarDay, _ kind: StatementWord, _ balance: ExactDecimal, to text: inout TextBuffer
  ) {
    begin(day, kind, to: &text)
    for place in 2..<9 { frame.appendCell("", place, to: &text) }
    frame.appendAmount(balance, 9, to: &text)
    text.append("</tr>\n")
  }

  /// Appends the figures of a night, and adds them to the sums.
  private mutating func appendFigures(
    of row: AccountPeriod.Row, _ period: AccountPeriod, _ sums: inout [ExactDecimal?], to text: inout TextBuffer
  ) {
    guard !row.figures.isEmpty else {
      for place in Self.figures.indices { frame.appendCell("", 3 + place, to: &text) }
      return
    }
    let fields = period.figures[row.figures].split(separator: UInt8(ascii: ","))
    for (place, column) in Self.figures.enumerated() {
      let figure = ExactDecimal(String(decoding: fields[column], as: UTF8.self))!
      sums[place]!.add(figure)
      frame.appendAmount(figure, 3 + place, to: &text)
    }
  }

  private func word(of row: AccountPeriod.Row) -> StatementWord {
    switch row.note {
    case .run: .payments
    case .returned: .returned
    case .adjusted: .adjusted
    case .payment: .payout
    }
  }

  private func reference(of row: AccountPeriod.Row) -> String {
    if case .run = row.note { "\(row.number)" } else { row.texts.reference }
  }
}
