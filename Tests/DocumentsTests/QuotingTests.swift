import Foundation
import TestSupport
import Testing

@testable import Documents
import Text
import JSON

@Suite("Fields of a CSV file and strings of a JSON text")
struct QuotingTests {
  static let fields: [(field: String, written: String)] = [
    ("", ""), ("plain", "plain"), ("a b", "a b"), (" a ", " a "), ("a;b", "a;b"), ("'a'", "'a'"), ("=1+1", "=1+1"),
    ("é😀", "é😀"), ("a\tb", "a\tb"),
    (",", "\",\""), ("a,b", "\"a,b\""), ("\"", "\"\"\"\""), ("a\"b", "\"a\"\"b\""), ("\"\"", "\"\"\"\"\"\""),
    ("a\nb", "\"a\nb\""), ("a\rb", "\"a\rb\""), ("a,\"b\"\n", "\"a,\"\"b\"\"\n\""),
  ]

  @Test("a field is quoted only if necessary", arguments: fields)
  func quotes(field: String, written: String) {
    #expect(ReportedBatch.bytes { CSV.append(field, to: &$0) } == Array(written.utf8))
  }

  static let strings: [(string: String, written: String)] = [
    ("", #""""#), ("plain", #""plain""#), ("a\"b", #""a\"b""#), (#"a\b"#, #""a\\b""#), ("a/b", #""a/b""#),
    ("é😀\u{2028}", "\"é😀\u{2028}\""), ("\u{7F}\u{80}", "\"\u{7F}\u{80}\""),
    ("\u{0}\u{1F}\n\t", #""\u0000\u001f\u000a\u0009""#),
  ]

  @Test("a string is unchanged except quotes, backslashes and control characters", arguments: strings)
  func writesStrings(string: String, written: String) {
    #expect(ReportedBatch.bytes { JSONText.append(string, to: &$0) } == Array(written.utf8))
  }

  @Test("what is written can be read back")
  func roundTrips() throws {
    var random = SeededGenerator()
    let scalars: [Unicode.Scalar] = [
      "\u{0}", "\u{1F}", "\"", "\\", "/", ",", "\n", "\r", "a", "é", "😀", "\u{85}", "\u{FFFF}",
    ]
    for _ in 0..<300 {
      var string = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...12, using: &random) { string.append(scalars.randomElement(using: &random)!) }
      let text = String(string)
      let json = ReportedBatch.bytes { JSONText.append(text, to: &$0) }
      let read = try JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed) as? String
      #expect(read.map { Array($0.utf8) } == Array(text.utf8), "\(random.reproduction)")
      let field = ReportedBatch.bytes { CSV.append(text, to: &$0) }
      #expect(Self.unquoted(field) == Array(text.utf8), "\(random.reproduction)")
    }
  }

  private static func unquoted(_ field: [UInt8]) -> [UInt8] {
    guard field.first == UInt8(ascii: "\""), field.count >= 2 else { return field }
    let inner = String(decoding: field.dropFirst().dropLast(), as: UTF8.self)
    return Array(inner.replacing("\"\"", with: "\"").utf8)
  }
}
