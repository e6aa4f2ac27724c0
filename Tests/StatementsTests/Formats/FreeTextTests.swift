import Testing

@testable import Statements
import Text

/// Free texts of a batch in statements.
@Suite struct FreeTextTests {
  struct CustomField: CustomTestStringConvertible, Sendable {
    let text: String
    let written: String
    var changes: StatementLine.Flags = []
    var testDescription: String { "\(text.debugDescription) -> \(written.debugDescription)" }
  }

  static let customFields = [
    CustomField(text: "", written: ""),
    CustomField(text: "order 1", written: "order 1"),
    CustomField(text: #"a "b" c"#, written: #"a ""b"" c"#),
    CustomField(text: #"a\"#, written: "a", changes: .lostBackslashes),
    CustomField(text: #"a\\\"#, written: "a", changes: .lostBackslashes),
    CustomField(text: #"\"#, written: "", changes: .lostBackslashes),
    CustomField(text: #"a\b"#, written: #"a\b"#),
    CustomField(text: #"a\\"b"#, written: #"a""b"#, changes: .lostBackslashes),
    CustomField(text: #"a\ "b"#, written: #"a\ ""b"#),
    CustomField(text: "x234567890x234567890", written: "x234567890x234567890"),
    CustomField(text: "x234567890x2345678901", written: "", changes: .leftOutText),
    CustomField(text: "x234567890x234567890.", written: "x234567890x234567890."),
    // 20 characters once the backslash is gone.
    CustomField(text: #"x234567890x23456789x\"#, written: "x234567890x23456789x", changes: .lostBackslashes),
    // Bytes are counted, and quotes once: 20 characters out of 21 and 23 bytes, 10 out of 20.
    CustomField(text: "x234567890x23456789é", written: "", changes: .leftOutText),
    CustomField(text: "x2345678901234567ééé", written: "", changes: .leftOutText),
    CustomField(text: "x2345678901234567é.é", written: "x2345678901234567é.é"),
    CustomField(text: "éééééééééé", written: "éééééééééé"),
    CustomField(text: #"""""""""""""""""""""#, written: String(repeating: "\"", count: 38)),
    CustomField(text: "a\nb\r\tc\0d\u{7F}e", written: "a\nb\r\tc d e"),
    CustomField(text: "a\u{85}b\u{A0}c\u{2028}d\u{2029}e\u{202A}f\u{2066}", written: "a b\u{A0}c d e f "),
    CustomField(text: "=1+1", written: "=1+1"),
    CustomField(text: "4111111111111111", written: "************1111", changes: .maskedCardNumber),
    CustomField(text: "INV-2026-00000528-3", written: "INV-2026-00000528-3"),
    CustomField(text: "4111\n1111\n1111\n1111", written: "****\n****\n****\n1111", changes: .maskedCardNumber),
    // In written form: a space for a control character, and no backslash before a quote.
    CustomField(text: "4111\0 1111", written: "4111  1111"),
    CustomField(text: "4111 1111\u{1}1111 1111", written: "**** **** **** 1111", changes: .maskedCardNumber),
    CustomField(
      text: #"a. 4111"1111\"1111"1111"#, written: #"a. ****""****""****""1111"#,
      changes: [.lostBackslashes, .maskedCardNumber]),
    CustomField(text: "x 4111111111111111 of a card", written: "", changes: .leftOutText),
  ]

  @Test(arguments: customFields)
  func customField(_ example: CustomField) {
    var text = TextBuffer(capacity: 1)
    text.append("\"")
    text.append(example.text)
    let changes = FreeText.makeCustomField(from: 1, in: &text)
    #expect(text.string == "\"" + example.written)
    #expect(changes == example.changes)
  }

  struct Field: CustomTestStringConvertible, Sendable {
    let text: String
    let written: String
    var changes: StatementLine.Flags = []
    var testDescription: String { "\(text.debugDescription) -> \(written.debugDescription)" }
  }

  static let fields = [
    Field(text: "", written: ""),
    Field(text: "plain text", written: "plain text"),
    Field(text: "a, b", written: "\"a, b\""),
    Field(text: "a \"b\"", written: "\"a \"\"b\"\"\""),
    Field(text: "=1", written: "'=1"),
    Field(text: "+1", written: "'+1"),
    Field(text: "-1", written: "'-1"),
    Field(text: "@a", written: "'@a"),
    Field(text: "\t=1", written: "'\t=1"),
    Field(text: "\r=1", written: "\"'\r=1\""),
    Field(text: "\n=1", written: "\"\n=1\""),
    Field(text: "=a,\"b\"", written: "\"'=a,\"\"b\"\"\""),
    Field(text: "a=1", written: "a=1"),
    Field(text: " =1", written: " =1"),
    Field(text: "\0=1", written: " =1"),
    Field(text: "a\\", written: "a\\"),
    Field(text: "a\u{1F}b\u{85}c\u{2028}d", written: "a b c d"),
    Field(text: "5500 0000 0000 0004", written: "**** **** **** 0004", changes: .maskedCardNumber),
  ]

  @Test(arguments: fields)
  func field(_ example: Field) {
    var text = TextBuffer(capacity: 1)
    text.append("x,")
    text.append(example.text)
    let changes = FreeText.makeField(from: 2, in: &text)
    #expect(text.string == "x," + example.written)
    #expect(changes == example.changes)
  }
}
