import Documents
import Accounts
import ExactArithmetic
import Records
import Text

/// An account's statement over nights as a page: the rows of the CSV statement in the reader's language.
struct AccountPage: AccountWriter {
  /// What the page is about: a word and a value for each line below the account.
  typealias Subject = (StatementLocale) -> [(StatementWord, String)]

  private let subject: Subject
  /// The locale of payees who have none.
  private let locale: StatementLocale
  private let payee: ((_ account: [UInt8]) -> PagePayee?)?
  private let rows: NightRowKind?
  private let columns: [StatementWord]
  private let frame: PageFrame
  private var texts = DayTexts()
  /// The sums of the columns from `gross` to `amount`; nil for those that are left empty.
  private var sums: [ExactDecimal?] = []

  /// The places of `gross`, `passed_on`, `fee`, `net` and `refund_net` among the figures of a night.
  private static let figures = [1, 2, 3, 4, 6]

  /// - Parameter payee: the payee with an account; accounts come in ascending order, then those without rows.
  init(
    _ locale: StatementLocale, _ subject: @escaping Subject, _ rows: NightRowKind?,
    payee: ((_ account: [UInt8]) -> PagePayee?)?
  ) {
    (self.locale, self.subject, self.rows, self.payee) = (locale, subject, rows, payee)
    let amounts: [StatementWord] = [.gross, .passedOn, .fee, .net]
    columns =
      [.date, .description, .reference] + (rows == .payments ? [.counterparty] + amounts : amounts + [.refunds])
      + [.amount, .balance]
    frame = PageFrame(
      locale, columns: columns, amounts: (rows == .payments ? 4 : 3)..<columns.count)
  }

  /// The place of the first column with an amount, of the amounts of a row, and of the balance.
  private var places: (first: Int, amount: Int, balance: Int) {
    (rows == .payments ? 4 : 3, columns.count - 2, columns.count - 1)
  }

  mutating func begin(_ account: [UInt8], to text: inout TextBuffer) {
    let payee = payee?(account)
    frame.use(payee?.locale ?? locale)
    frame.begin(
      account.span, name: payee?.name ?? "", address: payee?.address ?? [], subject(frame.locale), to: &text)
  }

  mutating func begin(_ section: AccountSection, to text: inout TextBuffer) {
    let zero = ExactDecimal.zero(at: -section.currency.settlementExponent)
    sums = Array(repeating: rows == nil ? nil : zero, count: places.amount - places.first) + [zero]
    frame.beginTable(section.currency, to: &text)
    append(section.opening, .opening, to: &text)
  }

  mutating func append(_ row: AccountSection.Row, of section: AccountSection, to text: inout TextBuffer) {
    begin(row.day, word(of: row), to: &text)
    if case .adjusted = row.note {
      frame.appendTexts([row.texts.reference, row.texts.reason], 2, to: &text)
    } else {
      frame.appendText(reference(of: row), 2, to: &text)
    }
    if row.figures.isEmpty {
      for place in 3..<places.amount { frame.appendCell("", place, to: &text) }
    } else {
      let fields = section.figures[row.figures].split(separator: UInt8(ascii: ","))
      appendFigures(Self.figures.map { ExactDecimal(String(decoding: fields[$0], as: UTF8.self))! }, to: &text)
    }
    end(row.amount, row.balance, to: &text)
  }

  mutating func append(
    _ payment: NightPayment, _ night: AccountSection.Row, of section: AccountSection, to text: inout TextBuffer
  ) {
    begin(night.day, payment.isRefund ? .refund : .payment, to: &text)
    frame.appendText(String(decoding: payment[.payKey]), 2, to: &text)
    frame.appendText(String(decoding: payment[.counterparty]), 3, to: &text)
    appendFigures(payment.amounts, to: &text)
    end(payment.net, payment.balance, to: &text)
  }

  mutating func end(_ section: AccountSection, to text: inout TextBuffer) {
    append(section.closing, .closing, to: &text)
    frame.endTable(sums, to: &text)
  }

  func end(to text: inout TextBuffer) { frame.end(to: &text) }

  private mutating func begin(_ day: CalendarDay, _ kind: StatementWord, to text: inout TextBuffer) {
    text.append("<tr>")
    frame.appendDate(texts.text(day), 0, to: &text)
    frame.appendCell(frame.word(kind), 1, to: &text)
  }

  /// Appends the row of the opening or the closing balance.
  private mutating func append(_ balance: AccountSection.Balance, _ kind: StatementWord, to text: inout TextBuffer) {
    begin(balance.day, kind, to: &text)
    if let transfer = balance.transfer {
      frame.appendText(transfer.text, 2, to: &text)
    } else {
      frame.appendCell("", 2, to: &text)
    }
    for place in 3...places.amount { frame.appendCell("", place, to: &text) }
    frame.appendAmount(balance.amount, places.balance, to: &text)
    text.append("</tr>\n")
  }

  /// Appends the figures of a night, or of a payment, and adds them to the sums.
  private mutating func appendFigures(_ figures: [ExactDecimal], to text: inout TextBuffer) {
    for (place, figure) in figures.enumerated() {
      sums[place]!.add(figure)
      frame.appendAmount(figure, places.first + place, to: &text)
    }
  }

  private mutating func end(_ amount: ExactDecimal, _ balance: ExactDecimal, to text: inout TextBuffer) {
    sums[sums.count - 1]!.add(amount)
    frame.appendAmount(amount, places.amount, to: &text)
    frame.appendAmount(balance, places.balance, to: &text)
    text.append("</tr>\n")
  }

  private func word(of row: AccountSection.Row) -> StatementWord {
    switch row.note {
    case .run: .payments
    case .returned: .returned
    case .adjusted: .adjusted
    case .payment: .payout
    }
  }

  private func reference(of row: AccountSection.Row) -> String {
    if case .run = row.note { "\(row.number)" } else { row.texts.reference }
  }
}
