import Testing

import JSON
import Text

@Suite("JSON texts as trees")
struct JSONTreeTests {
  /// A tree in a notation that distinguishes kinds and keeps order, spelling and repetition.
  static func shown(_ tree: JSONTree) -> String {
    switch tree {
    case .null: return "null"
    case .boolean(let value): return "\(value)"
    case .number(let digits): return "#" + String(decoding: digits, as: UTF8.self)
    case .string(let text): return "'" + String(decoding: text, as: UTF8.self) + "'"
    case .array(let elements): return "[" + elements.map(shown).joined(separator: " ") + "]"
    case .object(let fields):
      return "{"
        + fields.map { String(decoding: $0.name, as: UTF8.self) + "=" + shown($0.value) }.joined(separator: " ") + "}"
    }
  }

  static let trees: [(text: String, shown: String)] = [
    ("null", "null"), (" true ", "true"), ("\n\r\tfalse\n", "false"), ("-0", "#-0"), ("1.50e+03", "#1.50e+03"),
    (#""""#, "''"),
    (#""a\u00e9\n\ud83d\ude00""#, "'aé\n😀'"), ("[]", "[]"), ("[ 1 , [ ] ,{ } ]", "[#1 [] {}]"), ("{}", "{}"),
    (#"{"b":1,"a":2,"b":null}"#, "{b=#1 a=#2 b=null}"), (#"{"\u0061":"x", "" :"y"}"#, "{a='x' ='y'}"),
    (#"{"a":{"b":[{"c":true}]}}"#, "{a={b=[{c=true}]}}"),
    // Canonically equivalent names stay apart.
    ("{\"\u{E9}\":1,\"e\u{301}\":2}", "{\u{E9}=#1 e\u{301}=#2}"),
  ]

  @Test("what a text holds", arguments: trees)
  func reads(text: String, shown: String) throws {
    let tree = Self.shown(try JSONTree(parsing: Array(text.utf8)))
    #expect(Array(tree.utf8) == Array(shown.utf8))
  }

  static let errors: [(text: String, offset: Int, expected: String)] = [
    ("", 0, "a value"), ("  ", 2, "a value"), ("x", 0, "a value"), ("nul", 3, "a value"), ("[1,]", 3, "a value"),
    ("{", 1, "a name in quotes"),
    ("{1:1}", 1, "a name in quotes"), (#"{"a":1,}"#, 7, "a name in quotes"), (#"{"a" 1}"#, 5, "a colon"),
    (#"{"a":1"#, 6, "a comma or a closing brace"),
    ("[1 2]", 3, "a comma or a closing bracket"), ("1 2", 2, "the end of the text"), ("01", 1, "the end of the text"),
    ("1.", 2, "a digit"), ("1.x", 2, "a digit"),
    (#""a"#, 2, "a closing quote"), ("\"a\u{1F}\"", 2, "a control character to be escaped"), (#""\x""#, 2, "an escape"),
    (#""\"#, 2, "an escape"),
    (#""\u12""#, 3, "four hexadecimal digits"), (#""\ud800""#, 7, "a surrogate pair"),
    (#""\udc00""#, 7, "a surrogate pair"), (#""\ud800\u0041""#, 13, "a surrogate pair"),
    (String(repeating: "[", count: 65), 64, "at most 64 levels"),
  ]

  @Test("where and why a text is not JSON", arguments: errors)
  func refuses(text: String, offset: Int, expected: String) {
    do throws(JSONTree.SyntaxError) {
      _ = try JSONTree(parsing: Array(text.utf8))
      Issue.record("was taken")
    } catch {
      #expect(error.offset == offset)
      #expect(error.expected == expected)
    }
  }

  @Test(
    "names of kinds",
    arguments: [
      ("null", "null"), ("true", "a boolean"), ("1", "a number"), (#""""#, "a string"), ("[]", "an array"),
      ("{}", "an object"),
    ])
  func kindNames(text: String, name: String) throws {
    #expect(try JSONTree(parsing: Array(text.utf8)).kindName == name)
  }

  @Test("what is written reads as the same tree, without spaces")
  func written() throws {
    for text in Self.trees.map(\.text) + [#"{"a\"\\":"\u0001é","b":[1,-2.50,true,null,{}]}"#] {
      let tree = try JSONTree(parsing: Array(text.utf8))
      var written = TextBuffer()
      tree.write(to: &written)
      #expect(Self.shown(try JSONTree(parsing: Array(written.string.utf8))) == Self.shown(tree))
      #expect(written.count <= text.utf8.count)
    }
    let made: JSONTree = ["b": .number(7), "a": .array([.string("x"), .null])]
    var written = TextBuffer()
    made.write(to: &written)
    #expect(written.string == #"{"b":7,"a":["x",null]}"#)
  }
}
