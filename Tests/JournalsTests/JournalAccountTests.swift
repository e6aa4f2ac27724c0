import Postings
import Records
import TestSupport
import Testing

@testable import Journals
import Text

@Suite("Accounts in journals")
struct JournalAccountTests {
  static let escapes: [(account: String, name: String)] = [
    ("ann@mail.example", "Ann-At-mail-example"), ("anna.lee@shop.example", "Anna-lee-At-shop-example"),
    ("+4915112345", "4915112345"), ("4915112345@x.y", "4915112345-At-x-y"), ("x-@x.y", "X-Dash--At-x-y"),
    ("0a.at.b@x-y.z", "0a-at-b-At-x-Dash-y-z"), ("unknown@x.y", "Unknown-At-x-y"),
    (
      "0!#$%&'*+/=?^_{|}~-@x.y",
      "0-X21--X23--X24--X25--X26--X27--X2A--Plus--X2F--X3D--X3F--X5E--Under--X7B--X7C--X7D--X7E--Dash--At-x-y"
    ),
  ]

  static let reasons: [(reason: String, name: String)] = [
    ("CHARGEBACK-FEE", "CHARGEBACK-FEE"), ("0", "0"), ("by-hand", "Reason-by-2Dhand"), ("-BONUS", "Reason--2DBONUS"),
    ("REASON-A", "REASON-A"), ("A.1", "Reason-A-2E1"), ("B_1", "Reason-B-5F1"),
  ]

  @Test("reasons of adjustments in beancount", arguments: reasons)
  func isReason(reason: String, name: String) {
    #expect(TextBuffer.string { JournalAccount.appendReason(reason, to: &$0) } == name)
  }

  static let sides: [(reason: String, isPayment: Bool, name: String)] = [
    ("BONUS", false, "expenses:adjustments:BONUS"), ("OPENING", false, "equity:opening"),
    ("PAID-BY-HAND", false, "assets:payouts"), ("BONUS", true, "assets:payouts"), ("OPENING", true, "assets:payouts"),
  ]

  @Test("the other side of an adjustment; one of a given-up payout is a payment", arguments: sides)
  func isOtherSide(reason: String, isPayment: Bool, name: String) {
    #expect(BookAccount(ofReason: reason, isPayment: isPayment).name(.hledger) == name)
  }

  static func escaped(_ account: String) -> String {
    var text = TextBuffer(capacity: 1)
    JournalAccount.appendAddress(Array(account.utf8).span, to: &text)
    return text.string
  }

  @Test("the escape of beancount", arguments: escapes)
  func isEscaped(account: String, name: String) {
    #expect(Self.escaped(account) == name)
    #expect(ReadJournal.unescaped(name) == account)
  }

  static let names: [(format: JournalFormat, owner: AccountSide, account: String, name: String)] = [
    (.hledger, .sender, "a*b@x.y", "assets:senders:a*b@x.y"), (.hledger, .sender, "", "assets:senders:unknown"),
    (.ledger, .receiver, "+4915112345", "liabilities:receivers:+4915112345"),
    (.ledger, .sender, "", "assets:senders:unknown"), (.beancount, .sender, "", "Assets:Senders:Unknown"),
    (.beancount, .sender, "a@x.y", "Assets:Senders:A-At-x-y"),
    (.beancount, .receiver, "+4915112345", "Liabilities:Receivers:4915112345"),
  ]

  @Test("names", arguments: names)
  func isCalled(format: JournalFormat, owner: AccountSide, account: String, name: String) {
    var text = TextBuffer()
    JournalAccount(format: format).append(owner, Array(account.utf8).span, to: &text)
    #expect(text.string == name)
  }

  @Test("every account can be restored from its escape, and beancount accepts its name")
  func comesBack() throws {
    var random = SeededGenerator()
    var names: [String: String] = [:]
    for _ in 0..<3000 {
      let account = Self.account(&random)
      let isCanonical = Account.isCanonical(Array(account.utf8).span)
      #expect(isCanonical, "\(account)")
      let name = Self.escaped(account)
      #expect(try #/[A-Z0-9][A-Za-z0-9-]*/#.wholeMatch(in: name) != nil, "\(name); \(random.reproduction)")
      #expect(name != "Unknown")
      #expect(ReadJournal.unescaped(name) == account, "\(random.reproduction)")
      if let other = names.updateValue(account, forKey: name) { #expect(other == account, "\(random.reproduction)") }
    }
  }

  /// An account in lower case, short enough to occur repeatedly, or as long as possible.
  private static func account(_ random: inout SeededGenerator) -> String {
    if Int.random(in: 0..<5, using: &random) == 0 {
      return "+\(Int.random(in: 1_000_000...10_000_030, using: &random))"
    }
    let letters = Array("ax2d09")
    let others = letters + Array(".!#$%&'*+/=?^_{|}~-")
    let length = Int.random(in: 0..<20, using: &random) == 0 ? 247 : Int.random(in: 0...3, using: &random)
    var local = String(letters.randomElement(using: &random)!)
    for _ in 0..<length { local.append(others.randomElement(using: &random)!) }
    return "\(local)@\(letters.randomElement(using: &random)!).\(Bool.random(using: &random) ? "a-b" : "b")"
  }
}
