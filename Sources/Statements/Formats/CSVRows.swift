import Postings
import Records
import Rules
import Text

/// The rows of a statement as plain CSV (`statements.md`): one for each payment that the account received, then
/// one for each refund that it gave.
enum CSVRows {
  /// The header row.
  static var header: StaticString {
    "pay_key,created_at,role,counterparty,currency,gross,passed_on,fee,net,custom_id,description,refund_key\n"
  }

  /// Appends the line of a receiver of a settled entry.
  ///
  /// Keys, accounts and codes need no quotes. An account is no formula: an email address begins with a letter or
  /// digit, and a phone number is left as it is.
  static func append(_ place: Int, of entry: SettledEntry, _ texts: EntryTexts, to buffer: inout TextBuffer) {
    let currency = entry.currency
    let receiver = entry.receiver(place)
    let role = receiver.pointee.role
    var line = StatementLine.Draft(receiver.pointee, currency, in: &buffer)
    buffer.append(entry.payKey, count: entry.payKeyLength)
    buffer.append(UInt8(ascii: ","))
    if let time = texts.createdAt { buffer.append(rfc3339: time) }
    buffer.append(UInt8(ascii: ","))
    buffer.append(role.name)
    buffer.append(UInt8(ascii: ","))
    let counterparty: PartyRole = role == .secondary ? .primary : .sender
    for posting in entry.postings where posting.role == counterparty {
      buffer.append(posting.account, count: posting.accountLength)
    }
    buffer.append(UInt8(ascii: ","))
    buffer.append(currency.code)
    buffer.append(UInt8(ascii: ","))
    buffer.append(receiver.pointee.gross)
    buffer.append(UInt8(ascii: ","))
    buffer.append(receiver.pointee.passedOn)
    buffer.append(UInt8(ascii: ","))
    buffer.append(receiver.pointee.fee)
    buffer.append(UInt8(ascii: ","))
    buffer.append(receiver.pointee.net)
    buffer.append(UInt8(ascii: ","))
    appendText(.customId, of: place, texts, line: &line, to: &buffer)
    buffer.append(UInt8(ascii: ","))
    appendText(.description, of: place, texts, line: &line, to: &buffer)
    buffer.append(UInt8(ascii: ","))
    buffer.append(entry.refundKey, count: entry.refundKeyLength)
    buffer.append(UInt8(ascii: "\n"))
    line.finish(in: &buffer)
  }

  private static func appendText(
    _ text: EntryTexts.ReceiverText, of place: Int, _ texts: EntryTexts,
    line: inout StatementLine.Draft, to buffer: inout TextBuffer
  ) {
    let start = buffer.count
    if texts.append(text, of: place, to: &buffer) {
      line.head.flags.formUnion(FreeText.makeField(from: start, in: &buffer))
    }
  }
}
