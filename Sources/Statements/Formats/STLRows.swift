import ExactArithmetic
import Money
import Postings
import Records
import Rules
import Text

/// The `SB` rows of PayPal's Settlement Report, version 009 (`statements.md`).
///
/// For a payment, a receiver has a row for what it got (`T0006`, or `T0003` under a preapproval, `CR`). A primary
/// receiver also has one for each secondary receiver to which it passed something on (`T0001`, `DR`). For a refund, a
/// receiver has a row for what it gave (`T1107`, `DR`). A primary receiver also has one for what each secondary
/// receiver gave back (`T1115`, `CR`).
enum STLRows {
  /// Appends the lines of a receiver of a settled entry.
  static func append(_ place: Int, of entry: SettledEntry, _ texts: EntryTexts, to buffer: inout TextBuffer) {
    appendOwn(place, of: entry, texts, to: &buffer)
    guard entry.receiver(place).role == .primary else { return }
    for secondary in 0..<entry.receiverCount where secondary != place {
      // A secondary receiver that only gets back a fee gives no part of the refund.
      if entry.isRefund, entry.receiver(secondary).gross.isZero { continue }
      appendOther(secondary, by: place, of: entry, texts, to: &buffer)
    }
  }

  /// Appends what the receiver got from the payment, or gave in the refund.
  private static func appendOwn(
    _ place: Int, of entry: SettledEntry, _ texts: EntryTexts, to buffer: inout TextBuffer
  ) {
    let receiver = entry.receiver(place)
    let currency = entry.currency
    let (gross, fee) = (unsigned(receiver.gross), unsigned(receiver.fee))
    var line = StatementLine.Draft(entry.account(of: 1 + place), currency, gross: gross, fee: fee, in: &buffer)
    if entry.isRefund { line.head.flags = [.isDebit, .isFeeCredit] }
    buffer.append("\"SB\",\"")
    appendTransaction(place, of: entry, to: &buffer)
    buffer.append("\",\"\",\"")
    if entry.isRefund {
      appendTransaction(entry.payKey, entry.placeInPayment(of: place), to: &buffer)
      buffer.append("\",\"TXN\",\"T1107\",")
    } else {
      if receiver.role == .secondary {
        appendTransaction(primary(of: entry), of: entry, to: &buffer)
        buffer.append("\",\"TXN\",")
      } else {
        buffer.append("\",\"\",")
      }
      buffer.append(texts.hasPreapproval ? "\"T0003\"," : "\"T0006\",")
    }
    appendDates(texts.createdAt, line: &line, to: &buffer)
    buffer.append(entry.isRefund ? "\"DR\"," : "\"CR\",")
    appendAmount(gross, currency, to: &buffer)
    if fee.isZero {
      buffer.append("\"\",,\"\",\"")
    } else {
      buffer.append(entry.isRefund ? "\"CR\"," : "\"DR\",")
      appendAmount(fee, currency, to: &buffer)
      buffer.append(UInt8(ascii: "\""))
    }
    appendEnd(place, of: entry, texts, line: &line, to: &buffer)
  }

  /// Appends what the primary receiver passed on to a secondary one, or got back from it.
  private static func appendOther(
    _ secondary: Int, by place: Int, of entry: SettledEntry, _ texts: EntryTexts, to buffer: inout TextBuffer
  ) {
    let currency = entry.currency
    let gross = unsigned(entry.receiver(secondary).gross)
    var line = StatementLine.Draft(
      entry.account(of: 1 + place), currency, gross: gross, fee: .zero(at: gross.exponent), in: &buffer)
    if !entry.isRefund { line.head.flags.insert(.isDebit) }
    buffer.append("\"SB\",\"")
    appendTransaction(secondary, of: entry, to: &buffer)
    buffer.append("P\",\"\",\"")
    appendTransaction(place, of: entry, to: &buffer)
    buffer.append(entry.isRefund ? "\",\"TXN\",\"T1115\"," : "\",\"TXN\",\"T0001\",")
    appendDates(texts.createdAt, line: &line, to: &buffer)
    buffer.append(entry.isRefund ? "\"CR\"," : "\"DR\",")
    appendAmount(gross, currency, to: &buffer)
    buffer.append("\"\",,\"\",\"")
    appendEnd(place, of: entry, texts, line: &line, to: &buffer)
  }

  private static func unsigned(_ amount: ExactDecimal) -> ExactDecimal { amount.isNegative ? -amount : amount }

  /// The index of the primary receiver of a chained payment.
  private static func primary(of entry: SettledEntry) -> Int {
    for place in 0..<entry.receiverCount where entry.receiver(place).role == .primary { return place }
    preconditionFailure("a chained payment without a primary receiver")
  }

  // MARK: Fields

  /// Appends the ID of a receiver's transaction in the payment or refund.
  private static func appendTransaction(_ place: Int, of entry: SettledEntry, to text: inout TextBuffer) {
    appendTransaction(entry.isRefund ? entry.refundKey : entry.payKey, place, to: &text)
  }

  private static func appendTransaction(_ key: Span<UInt8>, _ place: Int, to text: inout TextBuffer) {
    text.append(key)
    text.append(UInt8(ascii: "-"))
    text.append(UInt8(ascii: "1") + UInt8(place))
  }

  /// Appends both dates and the commas after them. If the payment has no time, the dates are placeholders that are
  /// overwritten later.
  private static func appendDates(
    _ time: UTCTime?, line: inout StatementLine.Draft, to text: inout TextBuffer
  ) {
    let start = text.count
    if time == nil { line.head.dayOffset = UInt16(start - line.textStart) }
    text.append(stl: time ?? .first)
    text.append(UInt8(ascii: ","))
    for place in start...start + TextBuffer.stlTimeLength {
      let byte = text.span[place]
      text.append(byte)
    }
  }

  /// Appends an amount, its currency, and the comma after them.
  private static func appendAmount(_ amount: ExactDecimal, _ currency: Currency, to text: inout TextBuffer) {
    text.append(implied: amount)
    text.append(",\"")
    text.append(currency.code)
    text.append("\",")
  }

  /// Appends the Custom Field and everything after it.
  private static func appendEnd(
    _ place: Int, of entry: SettledEntry, _ texts: EntryTexts, line: inout StatementLine.Draft,
    to text: inout TextBuffer
  ) {
    let start = text.count
    let appended = texts.append(.customId, of: place, to: &text)
    if appended != .nothing {
      line.head.flags.formUnion(
        FreeText.makeCustomField(from: start, isMasked: appended == .masked, in: &text))
    }
    text.append("\",\"\",\"")
    text.append(entry.payKey)
    text.append("\",\"\",\"\",,,\n")
    line.finish(in: &text)
  }
}

extension TextBuffer {
  /// Appends an amount of zero or more with two implied decimals in any currency: 0.05 is `5`, 100 yen are `10000`.
  ///
  /// - Precondition: its exponent is 0, -1 or -2, as in settlement amounts.
  mutating func append(implied amount: ExactDecimal) {
    precondition(!amount.isNegative && amount.exponent <= 0 && amount.exponent >= -2, "not an amount of a settlement")
    append(amount * ExactDecimal(1, exponent: 2))
  }
}
