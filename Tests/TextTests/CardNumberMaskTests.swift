import ExactArithmetic
import TestOracles
import TestSupport
import Testing

import Text

@Suite("Card numbers in texts")
struct CardNumberMaskTests {
  static let masked: [(text: String, shown: String)] = [
    // A number of each brand, in each of its lengths.
    ("4222222222222", "*********2222"), ("4111111111111111", "************1111"),
    ("4000000000000000006", "***************0006"), ("5555555555554444", "************4444"),
    ("2221000000000009", "************0009"), ("2720990000000007", "************0007"),
    ("340000000000009", "***********0009"), ("378282246310005", "***********0005"),
    ("30569309025904", "**********5904"), ("36000000000008", "**********0008"), ("38520000023237", "**********3237"),
    ("6011111111111117", "************1117"), ("6440000000000005", "************0005"),
    ("6500000000000000003", "***************0003"), ("3530111333300000", "************0000"),
    ("6200000000000005", "************0005"), ("62000000000000000", "*************0000"),
    ("620000000000000005", "**************0005"), ("6304000000000000000", "***************0000"),
    ("5000000000000009", "************0009"), ("670000000000000000", "**************0000"),
    // Groups, with any one character between them.
    ("4111 1111 1111 1111", "**** **** **** 1111"), ("4111_1111_1111_1111", "****_****_****_1111"),
    ("4111-1111-1111-1111", "****-****-****-1111"), ("4111/1111/1111/1111", "****/****/****/1111"),
    ("4111\u{A0}1111\u{A0}1111\u{A0}1111", "****\u{A0}****\u{A0}****\u{A0}1111"),
    ("4111\u{2013}1111\u{2013}1111\u{2013}1111", "****\u{2013}****\u{2013}****\u{2013}1111"),
    ("6304 0000 0000 0000 000", "**** **** **** ***0 000"), ("3782 822463 10005", "**** ****** *0005"),
    ("3056 930902 5904", "**** ****** 5904"),
    // The text around it.
    ("pay 6011111111111117 now", "pay ************1117 now"), ("\"4111111111111111\".", "\"************1111\"."),
    ("4111111111111111x", "************1111x"), ("é4111111111111111", "é************1111"),
    ("12 4111111111111111 12", "12 ************1111 12"), ("+4111111111111111.00", "+************1111.00"),
    ("4111111111111111 5555555555554444", "************1111 ************4444"),
    // One number begins inside another.
    ("4111 1111 1111 1111 4111 1111 1111 1111", "**** **** **** 1111 **** **** **** 1111"),
    ("4111 4111 4111 4113 1117", "**** **** **** **** 1117"),
  ]

  @Test("the last four digits stay", arguments: masked)
  func masks(text: String, shown: String) {
    #expect(Self.mask(text) == shown)
    #expect(CardNumberOracle.masked(text) == shown)
  }

  static let kept = [
    "", "INV-2026-00000528-3", "order 1234567890123", "20261120083000", "UTF-8 4111",
    // An IMEI; a number of digits that the brand does not use; a beginning that no brand uses.
    "356938035643809", "411111111111116", "9111111111111110", "0004111111111111111",
    // A wrong check digit.
    "4111111111111112", "4111 1111 1111 1112",
    // A digit next to it, or a letter before it.
    "41111111111111113", "14111 1111 1111 1111", "4111 1111 1111 11110", "x4111111111111111", "K4111-1111-1111-1111",
    // Other groups, and other characters between them.
    "41111111 11111111", "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "4111 1111-1111 1111", "4111  1111  1111  1111",
    "4111x1111x1111x1111", "4111é1111é1111é1111", "4111٣1111٣1111٣1111", "4111 11111 1111 111",
    // Digits of other scripts do not count.
    "４１１１１１１１１１１１１１１１", "٤١١١١١١١١١١١١١١١",
  ]

  @Test("anything that is not a card number is unchanged", arguments: kept)
  func keeps(_ text: String) {
    #expect(Self.mask(text) == text)
    #expect(CardNumberOracle.masked(text) == text)
  }

  /// Pieces of numbers, and everything that may be between and around them.
  private static let pieces = [
    "4111", "1111", "1111", "1111", "4111111111111111", "3782", "822463", "10005", "6304", "0000", "0000", "000",
    "3056", "930902", "5904", "5105105105105100", "4222222222222", "0", "7", " ", " ", " ", "-", "-", "_", "x", "é",
    "٣",
    "\n", "\u{301}", "😀",
  ]

  @Test("random texts are masked as a direct implementation of the specification masks them")
  func agreesWithThePage() {
    var random = SeededGenerator()
    var changed = 0
    for number in 0..<6000 {
      let separator = Self.pieces[19...].randomElement(using: &random) ?? " "
      let text = (0..<Int.random(in: 1...14, using: &random)).map { _ in
        (Self.pieces.randomElement(using: &random) ?? "") + (number % 2 == 0 ? separator : "")
      }.joined()
      let shown = Self.mask(text)
      #expect(shown == CardNumberOracle.masked(text), "\(text.debugDescription): \(random.reproduction)")
      if shown != text { changed += 1 }
    }
    #expect(changed > 300)
  }

  @Test("bytes that are not UTF-8 are unchanged, and may separate groups")
  func takesAnyBytes() {
    for (kept, shown) in [
      ("4111 1111 1111 1111", "**** **** **** 1111"), ("4111 1111 1111 1112", "4111 1111 1111 1112"),
    ] {
      var text = kept.utf8.map { $0 == 0x20 ? 0xFF : $0 } + [0xC2]
      CardNumberMask.apply(to: &text)
      #expect(text == shown.utf8.map { $0 == 0x20 ? 0xFF : $0 } + [0xC2])
    }
  }

  @Test("in a message a number is masked before the text is cut, and before its control characters are escaped")
  func masksInMessages() {
    let fill = String(repeating: "-", count: 50)
    #expect(Self.message(fill + "4111111111111111") == fill + "***********...")
    #expect(Self.message(fill + "41111111111111111") == fill + "41111111111...")
    let last = String(repeating: "-", count: 60)
    #expect(Self.message(last + "6304 0000 0000 0000 000") == last + "*...")
    #expect(Self.message("4111\n1111\n1111\n1111") == #"****\u000a****\u000a****\u000a1111"#)
  }

  @Test("figures are not texts of the batch: they are shown completely")
  func keepsFigures() throws {
    for (figure, shown) in [
      ("4111111111111111.00", "4111111111111111.00"), ("-4222222222222", "-4222222222222"), ("1e70", "1E+70"),
    ] {
      var text = TextBuffer()
      MessageText.append(try #require(ExactDecimal(figure)), to: &text)
      #expect(text.string == shown)
    }
  }

  private static func mask(_ text: String) -> String {
    var bytes = Array(text.utf8)
    CardNumberMask.apply(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func message(_ text: String) -> String { MessageText.text(text.utf8) }
}
