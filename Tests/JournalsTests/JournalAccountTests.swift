import Postings
import Records
import TestSupport
import Testing

@testable import Journals
import Text

@Suite("Accounts in journals")
struct JournalAccountTests {
  static let escapes: [(account: String, name: String)] = [
    ("ann@mail.example", "Ann-40mail-2Eexample"), ("ann.lee@mail.example", "Ann-2Elee-40mail-2Eexample"),
    ("+4915112345", "4915112345"), ("4915112345@x.y", "4915112345-40x-2Ey"), ("x-@x.y", "X-2D-40x-2Ey"),
    ("x2d@x.y", "X2d-40x-2Ey"), ("unknown@x.y", "Unknown-40x-2Ey"),
    ("0!#$%&'*+/=?^_{|}~-@x.y", "0-21-23-24-25-26-27-2A-2B-2F-3D-3F-5E-5F-7B-7C-7D-7E-2D-40x-2Ey"),
  ]

  static func escaped(_ account: String) -> String {
    var text = TextBuffer(capacity: 1)
    JournalAccount.appendEscaped(Array(account.utf8).span, to: &text)
    return text.string
  }

  @Test("the escape of beancount", arguments: escapes)
  func isEscaped(account: String, name: String) {
    #expect(Self.escaped(account) == name)
    #expect(ReadJournal.unescaped(name) == account)
  }

  static let names: [(format: JournalFormat, owner: AccountSide, account: String, name: String)] = [
    (.hledger, .sender, "a*b@x.y", "sender:a*b@x.y"), (.hledger, .sender, "", "sender:unknown"),
    (.ledger, .receiver, "+4915112345", "receiver:+4915112345"), (.ledger, .sender, "", "sender:unknown"),
    (.beancount, .sender, "", "Assets:Sender:Unknown"), (.beancount, .sender, "a@x.y", "Assets:Sender:A-40x-2Ey"),
    (.beancount, .receiver, "+4915112345", "Assets:Receiver:4915112345"),
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
