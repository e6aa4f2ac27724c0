import Bytes
import Postings
import Text

/// The names of accounts in a journal (`journals.md`, "Accounts").
///
/// hledger and ledger accept every account unchanged: an email address or a phone number has no space, semicolon, colon
/// or tab that could end a name, and a word and a colon are before what they would read as a sign. beancount accepts
/// only letters, digits and dashes.
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
    case (.beancount, .sender): text.append("Assets:Senders:")
    case (.beancount, .receiver): text.append("Liabilities:Receivers:")
    case (_, .sender): text.append("assets:senders:")
    case (_, .receiver): text.append("liabilities:receivers:")
    }
    if account.isEmpty { return text.append(format == .beancount ? "Unknown" : "unknown") }
    if format == .beancount {
      Self.appendAddress(account, to: &text)
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

  /// Appends the name of the account of the fees of a name.
  func appendFees(named name: Span<UInt8>, to text: inout TextBuffer) {
    appendFees(to: &text)
    text.append(UInt8(ascii: ":"))
    let start = text.count
    text.append(name)
    if format == .beancount { text.change(start..<start + 1) { $0[0] &= 0xDF } }
  }

  /// Appends the name of the account of VAT on fees.
  func appendVAT(to text: inout TextBuffer) {
    text.append(format == .beancount ? "Liabilities:Vat" : "liabilities:vat")
  }

  // MARK: Names in beancount

  /// Appends an address. No two are the same: an address in lower case has a capital only where a byte is escaped, or
  /// at its beginning. A phone number is digits alone.
  static func appendAddress(_ account: Span<UInt8>, to text: inout TextBuffer) {
    if account[0] == UInt8(ascii: "+") { return text.append(account.extracting(droppingFirst: 1)) }
    let start = text.count
    for place in account.indices {
      switch account[place] {
      case UInt8(ascii: "."): text.append(UInt8(ascii: "-"))
      case UInt8(ascii: "@"): text.append("-At-")
      case UInt8(ascii: "-"): text.append("-Dash-")
      case UInt8(ascii: "_"): text.append("-Under-")
      case UInt8(ascii: "+"): text.append("-Plus-")
      case let byte where ASCIIClass.of(byte) & ASCIIClass.alphanumeric != 0: text.append(byte)
      case let byte:
        text.append("-X")
        text.append(Hexadecimal.text([byte]).uppercased())
        text.append(UInt8(ascii: "-"))
      }
    }
    text.change(start..<start + 1) { name in if name[0] >= UInt8(ascii: "a") { name[0] &= 0xDF } }
  }

  /// Appends the reason of an adjustment.
  static func appendReason(_ reason: String, to text: inout TextBuffer) {
    let isName = reason.utf8.allSatisfy { 0x41...0x5A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
    if isName, !reason.hasPrefix("-") { return text.append(reason) }
    text.append("Reason-")
    for byte in reason.utf8 {
      if ASCIIClass.of(byte) & ASCIIClass.alphanumeric != 0 {
        text.append(byte)
      } else {
        text.append(UInt8(ascii: "-"))
        text.append(Hexadecimal.text([byte]).uppercased())
      }
    }
  }
}
