import TestSupport
import Testing
import Text

@Suite("Texts from a batch in messages")
struct MessageTextTests {
  static let controls: [(text: String, shown: String)] = [
    ("", ""), ("plain", "plain"), ("a\u{0}b", #"a\u0000b"#), ("\t\r\n", #"\u0009\u000d\u000a"#),
    ("\u{1F}\u{20}", #"\u001f "#), ("\u{7E}\u{7F}\u{80}\u{9F}\u{A0}", "~\\u007f\\u0080\\u009f\u{A0}"),
    ("\u{202A}\u{202E}\u{2066}\u{2069}", #"\u202a\u202e\u2066\u2069"#),
    ("\u{2029}\u{202F}\u{2065}\u{206A}", "\u{2029}\u{202F}\u{2065}\u{206A}"),
    ("\u{2028}\u{FEFF}é😀", "\u{2028}\u{FEFF}é😀"), ("\u{C0}\u{DF}", "\u{C0}\u{DF}"), (#"\"#, #"\"#),
  ]

  @Test("control characters are escaped", arguments: controls)
  func escapes(text: String, shown: String) {
    #expect(Self.shown(text) == shown)
  }

  static let cuts: [(text: String, shown: String)] = [
    (String(repeating: "x", count: 64), String(repeating: "x", count: 64)),
    (String(repeating: "x", count: 65), String(repeating: "x", count: 61) + "..."),
    (String(repeating: "x", count: 1 << 20), String(repeating: "x", count: 61) + "..."),
    (String(repeating: "😀", count: 64), String(repeating: "😀", count: 64)),
    (String(repeating: "é", count: 65), String(repeating: "é", count: 61) + "..."),
    (String(repeating: "\n", count: 10), String(repeating: #"\u000a"#, count: 10)),
    (String(repeating: "\n", count: 11), String(repeating: #"\u000a"#, count: 10) + "..."),
    (String(repeating: "x", count: 59) + "\n", String(repeating: "x", count: 59) + "..."),
    (String(repeating: "x", count: 58) + "\n", String(repeating: "x", count: 58) + #"\u000a"#),
  ]

  @Test("at most 64 characters, including the dots of a cut", arguments: cuts)
  func cutsTexts(text: String, shown: String) {
    #expect(Self.shown(text) == shown)
  }

  @Test("a cut text has at most 64 characters and never half an escape")
  func cutsRandomTexts() {
    var random = SeededGenerator()
    let pieces = ["x", "é", "😀", "\n", "\u{85}", "4111111111111111", " ", "-", "\u{7F}", "\u{202E}"]
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0...90, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      let shown = Self.shown(text)
      #expect(shown.unicodeScalars.count <= 64, "\(random.reproduction)")
      #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
      let body = shown.hasSuffix("...") ? String(shown.dropLast(3)) : shown
      let escapes = body.components(separatedBy: "\\").dropFirst()
      #expect(
        escapes.allSatisfy { ["u00", "u20"].contains($0.prefix(3)) && $0.count >= 5 },
        "\(shown); \(random.reproduction)")
    }
  }

  static let names: [(name: [UInt8], shown: String)] = [
    (Array("batch\n.jsonl".utf8), "batch\\u000a.jsonl"),
    ([0x61, 0xFF, 0xFE, 0x62], "a\u{FFFD}\u{FFFD}b"),
    ([0xE2, 0x82, 0x61], "\u{FFFD}\u{FFFD}a"),
    ([0xC2, 0x85], "\\u0085"), (Array("a\u{2067}.jsonl".utf8), "a\\u2067.jsonl"),
    (Array(repeating: 0x78, count: 200), String(repeating: "x", count: 200)),
  ]

  @Test("a file's name is escaped but not cut, and each byte that is not UTF-8 is replaced", arguments: names)
  func showsNames(name: [UInt8], shown: String) {
    #expect(MessageText.escapedName(name) == shown)
  }

  static let values: [(value: String, shown: String)] = [
    ("", #""""#), ("12.00 ", #""12.00 ""#), ("12.00\u{A0}", #""12.00\u00a0""#), ("a\nb", #""a\u000ab""#),
    (#"say "\""#, #""say \"\\\"""#), ("\u{FEFF}x", #""\ufeffx""#), ("a\u{200B}b\u{AD}c", #""a\u200bb\u00adc""#),
    ("\u{2009}\u{3000}\u{202F}\u{1680}", #""\u2009\u3000\u202f\u1680""#),
    ("\u{2028}\u{2029}\u{202E}", #""\u2028\u2029\u202e""#),
    ("\u{2060}\u{FE0F}\u{115F}\u{3164}\u{2800}", #""\u2060\ufe0f\u115f\u3164\u2800""#),
    ("\u{E0041}", #""\u{e0041}""#),
    ("grün 😀 ١", #""grün 😀 ١""#), ("4111 1111 1111 1111", #""**** **** **** 1111""#),
    (String(repeating: "x", count: 65), "\"" + String(repeating: "x", count: 61) + "...\""),
    (String(repeating: "\"", count: 33), "\"" + String(repeating: #"\""#, count: 30) + "...\""),
  ]

  @Test("a value is in quotes, and invisible characters are shown as numbers", arguments: values)
  func quotes(value: String, shown: String) {
    #expect(MessageText.quoted(value.utf8) == shown)
  }

  @Test(
    "words as a list", arguments: [([], ""), (["A"], "A"), (["A", "B"], "A or B"), (["A", "B", "C"], "A, B or C")])
  func lists(words: [String], list: String) {
    #expect(MessageText.list(words) == list)
  }

  private static func shown(_ text: String) -> String { MessageText.text(text.utf8) }
}
