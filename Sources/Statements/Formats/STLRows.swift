import BatchFile
import ExactArithmetic
import Money
import Payments
import Settlement

/// The `SB` rows of PayPal's Settlement Report, version 009 (`statements.md`).
///
/// A receiver has a row for what it got (`T0006`, `CR`) and, as a primary one, another for each secondary receiver it
/// passed something on to (`T0001`, `DR`).
enum STLRows {
  /// Appends the lines of a receiver of the settled payment that the assessor holds.
  static func append(_ place: Int, of assessor: borrowing PaymentAssessor, to buffer: inout TextBuffer) {
    let kind = assessor.kind.unsafelyUnwrapped
    let role = assessor.receiver(place).pointee.role(in: kind)
    appendReceived(place, role: role, of: assessor, to: &buffer)
    guard role == .primary else { return }
    for secondary in 0..<assessor.receiverCount where secondary != place {
      appendPassedOn(to: secondary, by: place, of: assessor, to: &buffer)
    }
  }

  private static func appendReceived(
    _ place: Int, role: PartyRole, of assessor: borrowing PaymentAssessor, to buffer: inout TextBuffer
  ) {
    let receiver = assessor.receiver(place)
    let currency = assessor.currency.unsafelyUnwrapped
    var line = StatementLine.Draft(
      account: receiver.pointee.account, count: receiver.pointee.accountLength, currency: currency,
      gross: receiver.pointee.gross, fee: receiver.pointee.fee, flags: [], in: &buffer)
    buffer.append("\"SB\",\"")
    appendTransaction(place, of: assessor, to: &buffer)
    buffer.append("\",\"\",\"")
    if role == .secondary {
      appendTransaction(primary(of: assessor), of: assessor, to: &buffer)
      buffer.append("\",\"TXN\",\"T0006\",")
    } else {
      buffer.append("\",\"\",\"T0006\",")
    }
    appendDates(of: assessor, line: &line, to: &buffer)
    buffer.append("\"CR\",")
    appendAmount(receiver.pointee.gross, currency, to: &buffer)
    if receiver.pointee.fee.isZero {
      buffer.append("\"\",,\"\",\"")
    } else {
      buffer.append("\"DR\",")
      appendAmount(receiver.pointee.fee, currency, to: &buffer)
      buffer.append(UInt8(ascii: "\""))
    }
    appendEnd(place, of: assessor, line: &line, to: &buffer)
  }

  private static func appendPassedOn(
    to secondary: Int, by place: Int, of assessor: borrowing PaymentAssessor, to buffer: inout TextBuffer
  ) {
    let receiver = assessor.receiver(place)
    let currency = assessor.currency.unsafelyUnwrapped
    let gross = assessor.receiver(secondary).pointee.gross
    var line = StatementLine.Draft(
      account: receiver.pointee.account, count: receiver.pointee.accountLength, currency: currency, gross: gross,
      fee: ExactDecimal(magnitude: 0, exponent: gross.exponent), flags: .isDebit, in: &buffer)
    buffer.append("\"SB\",\"")
    appendTransaction(secondary, of: assessor, to: &buffer)
    buffer.append("P\",\"\",\"")
    appendTransaction(place, of: assessor, to: &buffer)
    buffer.append("\",\"TXN\",\"T0001\",")
    appendDates(of: assessor, line: &line, to: &buffer)
    buffer.append("\"DR\",")
    appendAmount(gross, currency, to: &buffer)
    buffer.append("\"\",,\"\",\"")
    appendEnd(place, of: assessor, line: &line, to: &buffer)
  }

  /// The place of the primary receiver of a chained payment.
  private static func primary(of assessor: borrowing PaymentAssessor) -> Int {
    for place in 0..<assessor.receiverCount where assessor.receiver(place).pointee.isPrimary { return place }
    preconditionFailure("a chained payment without a primary receiver")
  }

  // MARK: Fields

  private static func appendTransaction(_ place: Int, of assessor: borrowing PaymentAssessor, to text: inout TextBuffer)
  {
    text.append(assessor.payKey.bytes, count: assessor.payKey.count)
    text.append(UInt8(ascii: "-"))
    text.append(UInt8(ascii: "1") + UInt8(place))
  }

  /// Appends both dates, the commas behind them included; room for them where the payment says nothing.
  private static func appendDates(
    of assessor: borrowing PaymentAssessor, line: inout StatementLine.Draft, to text: inout TextBuffer
  ) {
    let start = text.count
    let time = assessor.createdAt
    if time == nil { line.dayOffset = start - line.textStart }
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
    let code = currency.codeBytes
    text.append(code.0)
    text.append(code.1)
    text.append(code.2)
    text.append("\",")
  }

  /// Appends the Custom Field and all behind it.
  private static func appendEnd(
    _ place: Int, of assessor: borrowing PaymentAssessor, line: inout StatementLine.Draft, to text: inout TextBuffer
  ) {
    let start = text.count
    if assessor.append(.customId, of: place, to: &text) {
      let changes = FreeText.makeCustomField(from: start, in: &text)
      if changes.contains(.backslashes) { line.flags.insert(.lostBackslashes) }
      if changes.contains(.leftOut) { line.flags.insert(.leftOutText) }
      if changes.contains(.masked) { line.flags.insert(.maskedCardNumber) }
    }
    text.append("\",\"\",\"")
    text.append(assessor.payKey.bytes, count: assessor.payKey.count)
    text.append("\",\"\",\"\",,,\n")
    line.finish(in: &text)
  }
}
