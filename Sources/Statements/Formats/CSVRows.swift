import BatchFile
import ExactArithmetic
import Money
import Payments
import Settlement

/// The rows of a statement as plain CSV (`statements.md`): one for each payment that the account received.
enum CSVRows {
  /// The header row.
  static var header: StaticString {
    "pay_key,created_at,role,counterparty,currency,gross,passed_on,fee,net,custom_id,description\n"
  }

  /// Appends the line of a receiver of the settled payment that the assessor holds.
  ///
  /// Pay keys, accounts and codes need no quotes. An account is no formula: an email address begins with a letter or
  /// digit, and a phone number is left as it is.
  static func append(_ place: Int, of assessor: borrowing PaymentAssessor, to buffer: inout TextBuffer) {
    let kind = assessor.kind.unsafelyUnwrapped
    let currency = assessor.currency.unsafelyUnwrapped
    let receiver = assessor.receiver(place)
    let role = receiver.pointee.role(in: kind)
    let zero = ExactDecimal.zero
    var line = StatementLine.Draft(
      account: receiver.pointee.account, count: receiver.pointee.accountLength, currency: currency, gross: zero,
      fee: zero, flags: [], in: &buffer)
    buffer.append(assessor.payKey.bytes, count: assessor.payKey.count)
    buffer.append(UInt8(ascii: ","))
    if let time = assessor.createdAt { buffer.append(rfc3339: time) }
    buffer.append(UInt8(ascii: ","))
    buffer.append(role.name)
    buffer.append(UInt8(ascii: ","))
    if role == .secondary {
      for other in 0..<assessor.receiverCount where assessor.receiver(other).pointee.isPrimary {
        let primary = assessor.receiver(other)
        buffer.append(primary.pointee.account, count: primary.pointee.accountLength)
      }
    } else {
      buffer.append(assessor.sender.bytes, count: assessor.sender.count)
    }
    buffer.append(UInt8(ascii: ","))
    let code = currency.codeBytes
    buffer.append(code.0)
    buffer.append(code.1)
    buffer.append(code.2)
    buffer.append(UInt8(ascii: ","))
    buffer.append(receiver.pointee.gross)
    buffer.append(UInt8(ascii: ","))
    buffer.append(receiver.pointee.passedOn)
    buffer.append(UInt8(ascii: ","))
    buffer.append(receiver.pointee.fee)
    buffer.append(UInt8(ascii: ","))
    buffer.append(receiver.pointee.net)
    buffer.append(UInt8(ascii: ","))
    appendText(.customId, of: place, assessor, line: &line, to: &buffer)
    buffer.append(UInt8(ascii: ","))
    appendText(.description, of: place, assessor, line: &line, to: &buffer)
    buffer.append(UInt8(ascii: "\n"))
    line.finish(in: &buffer)
  }

  private static func appendText(
    _ text: PaymentAssessor.ReceiverText, of place: Int, _ assessor: borrowing PaymentAssessor,
    line: inout StatementLine.Draft, to buffer: inout TextBuffer
  ) {
    let start = buffer.count
    guard assessor.append(text, of: place, to: &buffer) else { return }
    if FreeText.makeField(from: start, in: &buffer).contains(.masked) { line.flags.insert(.maskedCardNumber) }
  }
}
