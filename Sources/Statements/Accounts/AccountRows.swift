import Accounts
import Records
import Text

/// The rows of a statement over nights as CSV (`accounts.md`, `contents.md`).
struct AccountRows: AccountWriter {
  private let showsPayments: Bool
  /// Whether each row begins with the payment of a payout and the account, because all are in one file.
  private let namesTransfer: Bool
  private var texts = DayTexts()

  init(_ rows: NightRowKind?, namesTransfer: Bool = false) {
    (showsPayments, self.namesTransfer) = (rows == .payments, namesTransfer)
  }

  var header: String {
    (namesTransfer ? "payout_reference,account," : "")
      + "currency,day,kind,number,reference,reason,payments,gross,passed_on,fee,net,refunds,refund_net,amount,balance"
      + (showsPayments ? ",pay_key,refund_key,role,counterparty\n" : "\n")
  }

  func begin(_ account: [UInt8], to text: inout TextBuffer) { if !namesTransfer { text.append(header) } }

  mutating func begin(_ section: AccountSection, to text: inout TextBuffer) {
    append(section.opening, "OPENING", of: section, to: &text)
  }

  mutating func append(_ row: AccountSection.Row, of section: AccountSection, to text: inout TextBuffer) {
    let (kind, reference, reason) = row.texts
    appendStart(section, row.day, kind, to: &text)
    text.append(",")
    text.append(number: row.number)
    text.append(",")
    append(reference, to: &text)
    text.append(",")
    append(reason, to: &text)
    text.append(",")
    if row.figures.isEmpty { text.append(",,,,,,") }
    let figures = section.figures
    text.append(figures.span.extracting(row.figures))
    text.append(",")
    text.append(row.amount)
    text.append(",")
    text.append(row.balance)
    end(to: &text, withoutPayment: showsPayments)
  }

  mutating func append(
    _ payment: NightPayment, _ night: AccountSection.Row, of section: AccountSection, to text: inout TextBuffer
  ) {
    appendStart(section, night.day, payment.isRefund ? "REFUND" : "PAYMENT", to: &text)
    text.append(",")
    text.append(number: night.number)
    text.append(",,,,")
    append(payment, [.gross, .passedOn, .fee, .net], to: &text)
    text.append(",,,")
    text.append(payment[.net])
    text.append(",")
    text.append(payment.balance)
    text.append(",")
    append(payment, [.payKey, .refundKey, .role, .counterparty], to: &text)
    text.append("\n")
  }

  mutating func end(_ section: AccountSection, to text: inout TextBuffer) {
    append(section.closing, "CLOSING", of: section, to: &text)
  }

  func end(to text: inout TextBuffer) {}

  private mutating func append(
    _ balance: AccountSection.Balance, _ kind: StaticString, of section: AccountSection, to text: inout TextBuffer
  ) {
    appendStart(section, balance.day, kind, to: &text)
    text.append(",")
    if let transfer = balance.transfer { text.append(number: transfer.payout) }
    text.append(",")
    if let transfer = balance.transfer { text.append(transfer.text) }
    text.append(",,,,,,,,,,")
    text.append(balance.amount)
    end(to: &text, withoutPayment: showsPayments)
  }

  private mutating func appendStart(
    _ section: AccountSection, _ day: CalendarDay, _ kind: StaticString, to text: inout TextBuffer
  ) {
    if namesTransfer {
      text.append(section.transfer!.text)
      text.append(",")
      text.append(section.account)
      text.append(",")
    }
    let (first, second, third) = section.currency.codeBytes
    text.append(first)
    text.append(second)
    text.append(third)
    text.append(",")
    text.append(texts.text(day))
    text.append(",")
    text.append(kind)
  }

  private func append(_ payment: NightPayment, _ fields: [NightPayment.Field], to text: inout TextBuffer) {
    for (place, field) in fields.enumerated() {
      if place > 0 { text.append(",") }
      text.append(payment[field])
    }
  }

  private func end(to text: inout TextBuffer, withoutPayment: Bool) {
    text.append(withoutPayment ? ",,,,\n" : "\n")
  }

  /// Appends a key or reason; a spreadsheet could take a leading `-` for a formula.
  private func append(_ word: String, to text: inout TextBuffer) {
    if word.utf8.first == UInt8(ascii: "-") { text.append("'") }
    text.append(word)
  }
}
