import ExactArithmetic
import Money
import Postings
import Records
import Rules
import Text

/// The `SB` rows of PayPal's Settlement Report, version 009 (`statements.md`).
///
/// A receiver has a row for what it got (`T0006`, `CR`) and, as a primary one, another for each secondary receiver it
/// passed something on to (`T0001`, `DR`).
enum STLRows {
  /// Appends the lines of a receiver of a settled entry.
  static func append(_ place: Int, of entry: SettledEntry, _ texts: EntryTexts, to buffer: inout TextBuffer) {
    appendReceived(place, of: entry, texts, to: &buffer)
    guard entry.receiver(place).pointee.role == .primary else { return }
    for secondary in 0..<entry.receiverCount where secondary != place {
      appendPassedOn(to: secondary, by: place, of: entry, texts, to: &buffer)
    }
  }

  private static func appendReceived(
    _ place: Int, of entry: SettledEntry, _ texts: EntryTexts, to buffer: inout TextBuffer
  ) {
    let receiver = entry.receiver(place)
    let currency = entry.currency
    var line = StatementLine.Draft(
      receiver.pointee, currency, gross: receiver.pointee.gross, fee: receiver.pointee.fee, in: &buffer)
    buffer.append("\"SB\",\"")
    appendTransaction(place, of: entry, to: &buffer)
    buffer.append("\",\"\",\"")
    if receiver.pointee.role == .secondary {
      appendTransaction(primary(of: entry), of: entry, to: &buffer)
      buffer.append("\",\"TXN\",\"T0006\",")
    } else {
      buffer.append("\",\"\",\"T0006\",")
    }
    appendDates(texts.createdAt, line: &line, to: &buffer)
    buffer.append("\"CR\",")
    appendAmount(receiver.pointee.gross, currency, to: &buffer)
    if receiver.pointee.fee.isZero {
      buffer.append("\"\",,\"\",\"")
    } else {
      buffer.append("\"DR\",")
      appendAmount(receiver.pointee.fee, currency, to: &buffer)
      buffer.append(UInt8(ascii: "\""))
    }
    appendEnd(place, of: entry, texts, line: &line, to: &buffer)
  }

  private static func appendPassedOn(
    to secondary: Int, by place: Int, of entry: SettledEntry, _ texts: EntryTexts, to buffer: inout TextBuffer
  ) {
    let receiver = entry.receiver(place)
    let currency = entry.currency
    let gross = entry.receiver(secondary).pointee.gross
    var line = StatementLine.Draft(
      receiver.pointee, currency, gross: gross, fee: ExactDecimal(magnitude: 0, exponent: gross.exponent), in: &buffer)
    line.head.flags.insert(.isDebit)
    buffer.append("\"SB\",\"")
    appendTransaction(secondary, of: entry, to: &buffer)
    buffer.append("P\",\"\",\"")
    appendTransaction(place, of: entry, to: &buffer)
    buffer.append("\",\"TXN\",\"T0001\",")
    appendDates(texts.createdAt, line: &line, to: &buffer)
    buffer.append("\"DR\",")
    appendAmount(gross, currency, to: &buffer)
    buffer.append("\"\",,\"\",\"")
    appendEnd(place, of: entry, texts, line: &line, to: &buffer)
  }

  /// The place of the primary receiver of a chained payment.
  private static func primary(of entry: SettledEntry) -> Int {
    for place in 0..<entry.receiverCount where entry.receiver(place).pointee.role == .primary { return place }
    preconditionFailure("a chained payment without a primary receiver")
  }

  // MARK: Fields

  private static func appendTransaction(_ place: Int, of entry: SettledEntry, to text: inout TextBuffer) {
    text.append(entry.payKey, count: entry.payKeyLength)
    text.append(UInt8(ascii: "-"))
    text.append(UInt8(ascii: "1") + UInt8(place))
  }

  /// Appends both dates, the commas behind them included; room for them where the payment says nothing.
  private static func appendDates(
    _ time: UTCTime?, line: inout StatementLine.Draft, to text: inout TextBuffer
  ) {
    let start = text.count
    if time == nil { line.head.dayOffset = UInt16(start - line.textStart) }
    text.append(stl: time ?? .first)
    text.append(UInt8(ascii: ","))
    let both = text.reserve(TextBuffer.stlTimeLength + 1)
    both.update(from: text.bytes + start, count: TextBuffer.stlTimeLength + 1)
    text.advance(by: TextBuffer.stlTimeLength + 1)
  }

  /// Appends an amount and its currency, the comma behind them included.
  private static func appendAmount(_ amount: ExactDecimal, _ currency: Currency, to text: inout TextBuffer) {
    text.append(implied: amount)
    text.append(",\"")
    text.append(currency.code)
    text.append("\",")
  }

  /// Appends the Custom Field and all behind it.
  private static func appendEnd(
    _ place: Int, of entry: SettledEntry, _ texts: EntryTexts, line: inout StatementLine.Draft,
    to text: inout TextBuffer
  ) {
    let start = text.count
    if texts.append(.customId, of: place, to: &text) {
      line.head.flags.formUnion(FreeText.makeCustomField(from: start, in: &text))
    }
    text.append("\",\"\",\"")
    text.append(entry.payKey, count: entry.payKeyLength)
    text.append("\",\"\",\"\",,,\n")
    line.finish(in: &text)
  }
}
