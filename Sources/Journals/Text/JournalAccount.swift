import Postings
import Text

/// The names of accounts in a journal.
///
/// hledger and ledger accept every account unchanged: an email address or a phone number has no space, semicolon, colon
/// or tab that could end a name, and `sender:` or `receiver:` is before what they would read as a sign. beancount
/// accepts only letters, digits and dashes, so `appendEscaped` escapes the rest.
struct JournalAccount {
  let format: JournalFormat

  /// Appends the name of the account of a posting, by its place in its entry.
  @inline(__always)
  func append(_ posting: Int, of entry: SettledEntry, to text: inout TextBuffer) {
    append(entry.postings[posting].role == .sender ? .sender : .receiver, entry.account(of: posting), to: &text)
  }

  /// Appends the name of an account, which is empty for a sender that is not given.
  @inline(__always)
  func append(_ side: AccountSide, _ account: Span<UInt8>, to text: inout TextBuffer) {
    switch (format, side) {
    case (.beancount, .sender): text.append("Assets:Sender:")
    case (.beancount, .receiver): text.append("Assets:Receiver:")
    case (_, .sender): text.append("sender:")
    case (_, .receiver): text.append("receiver:")
    }
    if account.isEmpty { return text.append(format == .beancount ? "Unknown" : "unknown") }
    if format == .beancount {
      Self.appendEscaped(account, to: &text)
    } else {
      text.append(account)
    }
  }

  /// Appends the name of an account of the account totals.
  func append(_ balance: AccountBalance, to text: inout TextBuffer) {
    append(balance.side, balance.account, to: &text)
  }

  /// Appends the name of the account of the fees.
  func appendFees(to text: inout TextBuffer) {
    text.append(format == .beancount ? "Income:Fees" : "income:fees")
  }

  /// Appends an account in the form that beancount accepts.
  ///
  /// A phone number loses its `+`. In an email address every byte except letters and digits becomes `-` and two
  /// hexadecimal digits in upper case, so `@` is `-40`. Then the first letter is put in upper case. No two accounts
  /// become equal: a phone number is only digits, an address never is, and accounts have no upper-case letters.
  static func appendEscaped(_ account: Span<UInt8>, to text: inout TextBuffer) {
    let start = text.count
    let bytes = Array(account)
    appendEscaped(account[0] == UInt8(ascii: "+") ? bytes.dropFirst() : bytes[...], to: &text)
    text.change(start..<start + 1) { name in if name[0] >= UInt8(ascii: "a") { name[0] &= 0xDF } }
  }

  /// Appends a text with every byte except `a-z` and `0-9` as `-` and two hexadecimal digits.
  static func appendEscaped(_ bytes: some Collection<UInt8>, to text: inout TextBuffer) {
    for byte in bytes {
      if byte &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 {
        text.append(byte)
      } else {
        text.append(UInt8(ascii: "-"))
        text.append(hexadecimalDigit(byte >> 4))
        text.append(hexadecimalDigit(byte & 15))
      }
    }
  }

  private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
