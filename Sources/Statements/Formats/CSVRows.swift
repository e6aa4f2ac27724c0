import Postings
import Records
import Rules
import Text

/// The rows of a statement as plain CSV (`statements.md`): one for each payment that the account received, then
/// one for each refund that it gave.
///
/// A page is made from the same rows, with another separator and with the batch's texts complete.
enum CSVRows {
  /// The columns, by position; the last one is only in rows for pages.
  enum Column: Int {
    case payKey, createdAt, role, counterparty, currency, gross, passedOn, fee, net, customId, description, refundKey,
      merchantName
  }

  static let amounts: [Column] = [.gross, .passedOn, .fee, .net]

  /// The separator of rows for pages; no field contains it.
  static let mark = UInt8(ascii: "\t")

  /// The header row.
  static var header: StaticString {
    "pay_key,created_at,role,counterparty,currency,gross,passed_on,fee,net,custom_id,description,refund_key\n"
  }

  /// Appends the line of a receiver of a settled entry.
  ///
  /// Keys, accounts and codes need no quotes. No `'` is put before an account: an email address begins with a letter or
  /// digit, and a phone number is left unchanged.
  static func append(
    _ place: Int, of entry: SettledEntry, _ texts: EntryTexts, forPages: Bool = false, to buffer: inout TextBuffer
  ) {
    let comma = forPages ? mark : UInt8(ascii: ",")
    let currency = entry.currency
    let receiver = entry.receiver(place)
    let role = receiver.role
    var line = StatementLine.Draft(entry.account(of: 1 + place), currency, in: &buffer)
    buffer.append(entry.payKey)
    buffer.append(comma)
    if let time = texts.createdAt { buffer.append(rfc3339: time) }
    buffer.append(comma)
    buffer.append(role.name)
    buffer.append(comma)
    let counterparty: PartyRole = role == .secondary ? .primary : .sender
    for posting in entry.postings.indices where entry.postings[posting].role == counterparty {
      buffer.append(entry.account(of: posting))
    }
    buffer.append(comma)
    buffer.append(currency.code)
    buffer.append(comma)
    buffer.append(receiver.gross)
    buffer.append(comma)
    buffer.append(receiver.passedOn)
    buffer.append(comma)
    buffer.append(receiver.fee)
    buffer.append(comma)
    buffer.append(receiver.net)
    buffer.append(comma)
    appendText(.customId, of: place, texts, forPages: forPages, line: &line, to: &buffer)
    buffer.append(comma)
    appendText(.description, of: place, texts, forPages: forPages, line: &line, to: &buffer)
    buffer.append(comma)
    buffer.append(entry.refundKey)
    if forPages {
      buffer.append(comma)
      appendText(.merchantName, of: place, texts, forPages: true, line: &line, to: &buffer)
      line.head.group = currency.index + 1
    } else {
      buffer.append(UInt8(ascii: "\n"))
    }
    line.finish(in: &buffer)
  }

  private static func appendText(
    _ text: EntryTexts.ReceiverText, of place: Int, _ texts: EntryTexts, forPages: Bool,
    line: inout StatementLine.Draft, to buffer: inout TextBuffer
  ) {
    let start = buffer.count
    let appended = texts.append(text, of: place, to: &buffer)
    if appended == .nothing { return }
    let isMasked = appended == .masked
    line.head.flags.formUnion(
      forPages
        ? FreeText.makeWhole(from: start, isMasked: isMasked, in: &buffer)
        : FreeText.makeField(from: start, isMasked: isMasked, in: &buffer))
  }
}
