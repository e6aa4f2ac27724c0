import TestSupport
import Testing

@Suite("Accounts: email addresses and phone numbers")
struct AccountTests {
  static let alphanumeric = PayKeyTests.alphanumeric
  /// The characters allowed before the @: all visible characters except `"(),:;<>@[\]` and the back quote.
  static let local = "!#$%&'*+-./0123456789=?ABCDEFGHIJKLMNOPQRSTUVWXYZ^_abcdefghijklmnopqrstuvwxyz{|}~"

  @Test("characters before the @")
  func localCharacters() {
    #expect(Characters.taken { Judged.account($0 + "@b.example") != nil } == Self.alphanumeric)
    #expect(Characters.taken { Judged.account("a" + $0 + "@b.example") != nil } == Self.local)
    #expect(Characters.taken { Judged.account("a" + $0 + "a@b.example") != nil } == Self.local)
  }

  @Test("characters of a label: hyphens only inside")
  func labelCharacters() {
    #expect(Characters.taken { Judged.account("a@" + $0 + ".example") != nil } == Self.alphanumeric)
    #expect(Characters.taken { Judged.account("a@b.x" + $0) != nil } == Self.alphanumeric)
    #expect(Characters.taken { Judged.account("a@b." + $0 + "x") != nil } == Self.alphanumeric)
    // A dot inside makes two labels.
    #expect(Characters.taken { Judged.account("a@x" + $0 + "x.example") != nil } == "-." + Self.alphanumeric)
  }

  static func label(_ length: Int) -> String { String(repeating: "b", count: length) }

  @Test(
    "a label has 1 to 63 characters, wherever it is",
    arguments: [(0, false), (1, true), (2, true), (62, true), (63, true), (64, false), (65, false)])
  func labelLengths(length: Int, isValid: Bool) {
    let label = Self.label(length)
    for domain in ["\(label).example", "example.\(label)", "x.\(label).y"] {
      #expect((Judged.account("a@\(domain)") != nil) == isValid, "\(domain)")
    }
    if length > 2 {
      let hyphens = "b" + String(repeating: "-", count: length - 2) + "b"
      #expect((Judged.account("a@\(hyphens).example") != nil) == isValid)
    }
  }

  @Test(
    "at most 255 characters", arguments: [(254, true), (255, true), (256, false), (257, false), (5000, false)])
  func lengths(length: Int, isValid: Bool) {
    let local = String(repeating: "a", count: length - "@b.example".utf8.count)
    #expect((Judged.account(local + "@b.example") != nil) == isValid)
    let domain = (0..<length / 10).map { _ in "bbbbbbbbb" }.joined(separator: ".")
    let padded = String(repeating: "a", count: length - domain.utf8.count - 1) + "@" + domain
    #expect(padded.utf8.count == length)
    #expect((Judged.account(padded) != nil) == isValid)
  }

  static let taken: [(text: String, account: String)] = [
    ("a@b.c", "a@b.c"), ("A@B.C", "a@b.c"), ("Shop.Owner+Tag@Example.COM", "shop.owner+tag@example.com"),
    ("a..b.@c.d", "a..b.@c.d"),
    ("1@2.3", "1@2.3"), ("a@b-c--d.e", "a@b-c--d.e"), ("a@1.2.3.4.5.6.7", "a@1.2.3.4.5.6.7"),
    ("Z[".dropLast() + "@z.z", "z@z.z"),
    ("a!#$%&'*+/=?^_{|}~-@b.example", "a!#$%&'*+/=?^_{|}~-@b.example"), ("xn--a@xn--b.example", "xn--a@xn--b.example"),
    ("+1234567", "+1234567"), ("+14029352050", "+14029352050"), ("+999999999999999", "+999999999999999"),
  ].map { (text: String($0.0), account: $0.1) }

  @Test("accounts in the form in which they are compared", arguments: taken)
  func takes(text: String, account: String) {
    #expect(Judged.account(text) == account)
  }

  static let refusesExamples: [String] = [
    "", "a", "@", "a@", "@b.example", "a@b", "a@.b", "a@b.", "a@b..c", "a@.", "a@b.c.", "a@@b.c", "a@b@c.d", " a@b.c",
    "a@b.c ", "a@b .c", "a @b.c",
    ".a@b.c", "-a@b.c", "_a@b.c", "a@-b.c", "a@b-.c", "a@b.-c", "a@b.c-", "a@b_c.d", "a@b!c.d", "a@b.c\n", "a\n@b.c",
    "a@b.c\u{0}", "\"a\"@b.c", "a@[1.2.3.4]", "<a@b.c>",
    "+", "+1", "+0123456789", "14029352050", "0014029352050", "+1 4029352050", "+1402-935-2050", "+1402935205a",
    "++14029352050", "+14029352050 ", "+1@b.example", "+a@b.example", "+-123456789",
  ]

  @Test("texts that are not accounts", arguments: refusesExamples)
  func refuses(text: String) {
    #expect(Judged.account(text) == nil)
  }

  @Test("a phone number has 7 to 15 digits, the first not 0", arguments: 0...17)
  func phones(digits: Int) {
    for first in ["1", "2", "9", "0"] {
      let text = "+" + (digits > 0 ? first : "") + String(repeating: "0", count: max(0, digits - 1))
      #expect((Judged.account(text) != nil) == ((7...15).contains(digits) && first != "0"), "\(text)")
    }
  }

  @Test("characters of a phone number")
  func phoneCharacters() {
    #expect(Characters.taken { Judged.account("+1" + $0 + "34567") != nil } == "0123456789")
    #expect(Characters.taken { Judged.account("+" + $0 + "234567") != nil } == "123456789")
    #expect(Characters.taken { Judged.account("+123456" + $0) != nil } == "0123456789")
  }

  @Test("bytes that are not UTF-8 are not allowed in an account", arguments: UInt8(0x80)...0xFF)
  func refusesBytes(byte: UInt8) {
    for text in ["a?@b.example", "a@b?.example", "a@b.exampl?", "+123456?", "?@b.example"] {
      #expect(Judged.account(bytes: Array(text.utf8).map { $0 == UInt8(ascii: "?") ? byte : $0 }) == nil)
    }
  }

  /// The grammar as stated by `Account`, checked byte by byte, and slowly.
  static func isAccount(_ text: [UInt8]) -> Bool {
    let alphanumeric = Set(Self.alphanumeric.utf8)
    let at = UInt8(ascii: "@")
    guard (1...255).contains(text.count), let place = text.firstIndex(of: at) else { return false }
    let domain = text[(place + 1)...]
    let labels = domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return text.first.map(alphanumeric.contains) == true && text[..<place].allSatisfy(Set(Self.local.utf8).contains)
      && labels.count >= 2
      && labels.allSatisfy { label in
        (1...63).contains(label.count) && alphanumeric.contains(label.first!) && alphanumeric.contains(label.last!)
          && label.allSatisfy { alphanumeric.contains($0) || $0 == UInt8(ascii: "-") }
      }
  }

  @Test("accounts of all lengths with a few wrong characters, compared with the grammar")
  func againstGrammar() {
    var random = SeededGenerator()
    let letters = Array("abcXYZ019".utf8)
    let others = Array("@.-_@.-+!~[`{/:,\u{7F}".utf8) + [0x00, 0x1F, 0x80, 0xC0, 0xFF]
    var taken = 0
    for _ in 0..<20_000 {
      var text = (0..<Int.random(in: 3...80, using: &random)).map { _ in letters.randomElement(using: &random)! }
      text[Int.random(in: 1..<text.count, using: &random)] = UInt8(ascii: ".")
      text[Int.random(in: 0..<text.count, using: &random)] = UInt8(ascii: "@")
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        text[Int.random(in: 0..<text.count, using: &random)] = others.randomElement(using: &random)!
      }
      let isAccount = Self.isAccount(text)
      let expected = isAccount ? String(decoding: text, as: UTF8.self).lowercased() : nil
      if isAccount { taken += 1 }
      if Judged.account(bytes: text) != expected {
        Issue.record(
          "\(text): \(Judged.account(bytes: text) ?? "none"), not \(expected ?? "none"); \(random.reproduction)")
      }
    }
    #expect((2_000...18_000).contains(taken), "one-sided; \(random.reproduction)")
  }
}
