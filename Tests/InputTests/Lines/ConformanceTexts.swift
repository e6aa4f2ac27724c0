/// JSON texts of the kinds in public conformance suites, each by name: texts to be accepted, and texts to be refused.
///
/// Line feeds are left out: they end a line.
enum ConformanceTexts {
  struct Example: Sendable, CustomStringConvertible {
    var name: String
    var text: [UInt8]
    var description: String { name }

    init(_ name: String, _ text: String) {
      self.name = name
      self.text = Array(text.utf8)
    }
    init(_ name: String, bytes: [UInt8]) {
      self.name = name
      text = bytes
    }
  }

  static let taken: [Example] = [
    Example("array empty", "[]"), Example("array with space", "[ \t\r]"), Example("array of null", "[null]"),
    Example("array heterogeneous", #"[null, 1, "1", {}]"#), Example("array of arrays", "[[]   ]"),
    Example("array with several nulls", "[1,null,null,null,2]"), Example("array with leading space", " [1]"),
    Example("array with trailing space", "[2] "), Example("number 0e+1", "[0e+1]"), Example("number 0e1", "[0e1]"),
    Example("number after space", "[ 4]"), Example("number close to zero", "-0.00000000000000000000000000000000001"),
    Example("number int with exponent", "20e1"), Example("number minus zero", "-0"), Example("number negative", "-123"),
    Example("number real capital exponent", "1E22"), Example("number real negative exponent", "1E-2"),
    Example("number real positive exponent", "1E+2"), Example("number fraction exponent", "123.456e78"),
    Example("number huge exponent", "0.4e00669999999999999999999999999"), Example("number beyond double", "-1e+9999"),
    Example("number of many digits", "100000000000000000000000000000000000000000000"),
    Example("number exponent zeros", "1e0000"),
    Example("object empty", "{}"), Example("object empty name", #"{"":0}"#),
    Example("object doubled name", #"{"a":"b","a":"b"}"#),
    Example("object escaped null in name", #"{"foo\u0000bar": 42}"#),
    Example(
      "object long strings", #"{"x":[{"id":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}],"id":"xxxxxxxxxxxxxxxxxxxxxxxxx"}"#),
    Example("string escapes", #""\"\\\/\b\f\n\r\t""#), Example("string escaped surrogate pair", #""\uD801\udc37""#),
    Example("string two pairs", #""\ud83d\ude39\ud83d\udc8d""#),
    Example("string noncharacters", #""\uFFFF\uDBFF\uDFFE\uFDD0""#),
    Example("string backslash and u escaped", #""\\u0000""#), Example("string escaped null", #""\u0000""#),
    Example("string control escape", #""\u0012""#), Example("string DEL", "\"\u{7F}\""),
    Example("string of two bytes", "\"\u{0123}\""),
    Example("string of three bytes", "\"\u{0821}\u{2028}\u{FFFF}\""),
    Example("string of four bytes", "\"\u{1B20C}\u{10FFFF}\""),
    Example("string last before surrogates", bytes: [0x22, 0xED, 0x9F, 0xBF, 0x22]),
    Example("string first after surrogates", bytes: [0x22, 0xEE, 0x80, 0x80, 0x22]),
    Example("string mixed hexadecimal case", #""\uaBcD""#), Example("string with mark inside", "\"\u{FEFF}\""),
    Example("string empty", #""""#),
    Example("true", "true"), Example("false", "false"), Example("null", "null"),
    Example("64 arrays", String(repeating: "[", count: 63) + String(repeating: "]", count: 63)),
  ]

  static let refused: [Example] = arrays + numbers + objects + strings + structures + encodings

  private static let arrays: [Example] = [
    Example("array 1 true without comma", "[1 true]"), Example("array colon instead of comma", #"["":1]"#),
    Example("array comma after close", #"[""],"#),
    Example("array comma and number", "[,1]"), Example("array double comma", "[1,,2]"),
    Example("array extra close", #"["x"]]"#), Example("array extra comma", #"["",]"#),
    Example("array incomplete", #"["x""#), Example("array incomplete value", "[x"),
    Example("array inner array no comma", "[3[4]]"), Example("array just comma", "[,]"),
    Example("array just minus", "[-]"), Example("array star inside", "[*]"), Example("array unclosed", #"[1,"#),
    Example("array closed by brace", "[1}"), Example("array spaces vertical tab", "[\u{0B}]"),
  ]
  private static let numbers: [Example] = [
    "++1234", "+1", "+Inf", "-01", "-1.0.", "-2.", "-NaN", ".-1", ".2e-3", "0.1.2", "0.3e+", "0.3e", "0.e1", "0E+",
    "0E", "0e+-1", "0e", "1.0e+", "1.0e-", "1.0e", "1 000.0",
    "1eE2", "2.e+3", "2.e-3", "2.e3", "9.e+", "Inf", "NaN", "1+2", "0x1", "0x42", "Infinity", "0e+", "-Infinity",
    "-foo", "- 1", "-012", "-.123", "-1x", "1ea", "1.", ".1", "1.2a-3", "1.8011670033376514H-308",
    "012", "00", "-", "--1", "1_000", "١", "1f", "0b1", "1,5", "-e1",
  ].map { Example("number \($0)", $0) }
  private static let objects: [Example] = [
    #"["x", truth]"#, #"{[: "x"}"#, #"{"x", null}"#, #"{"x"::"b"}"#, #"{"a":"a" 123}"#, #"{key: 'value'}"#, #"{"a" b}"#,
    #"{:"b"}"#, #"{"a" "b"}"#, #"{"a":"#, #"{"a"}"#, #"{1:1}"#,
    #"{9999E9999:1}"#, #"{null:null,null:null}"#, #"{"id":0,,,,,}"#, #"{'a':0}"#, #"{"id":0,}"#, #"{"a":"b"}/**/"#,
    #"{"a":"b"}//"#, #"{"a":"b",,"c":"d"}"#, #"{a: "b"}"#, #"{"a":"a"#, #"{ "foo" : "bar", "a" }"#,
    #"{"a":"b"}#"#, "{,}", #"{"a":1]"#, "{}}", "{true:1}", #"{"a":}"#, #"{"a":1:2}"#,
  ].map { Example("object \($0)", $0) }
  private static let strings: [Example] = [
    #""\uD800\""#, #""\uD800\u""#, #""\uD800\u1""#, #""\uD800\u1x""#, #""\x00""#, #""\\\""#, "\"\\\t\"", "\"\\🌀\"",
    #""\""#, #""\u00A""#, #""\uD834\uDd""#, #""\uD800\uD800\x""#, #""\a""#, #""\uqqqq""#,
    #"\u0020"asd""#, "\"\\", #"""#, "'single quote'", "abc", "\"a\u{0}a\"", "\"\t\"", "\"\u{1F}\"", #""\UA66D""#,
    #""x"x"#, #""\ud800""#, #""\udc00""#, #""\ud800abc""#, #""\udd1ea""#, #""\ud800\ud800\udc00""#,
    #""\ud83d\u0041""#, #""\ude00\ud83d""#, #""\u+041""#, #""\u 041""#, #""\u00 1""#, #""\v""#, #""\'""#, #""\0""#,
    #""\u{41}""#, #""abc"#, #""abcdefg"#, #""abcdefgh"#,
  ].map { Example("string \($0)", $0) }
  private static let structures: [Example] =
    [
      "", " ", "<.>", "[<null>]", "[1]x", #"["asd]"#, "aå", "[True]", "1]", #"{"x": true,"#, "[][]", "]", "2@", #"{}}"#,
      #"{"":"#, #"{"a":/*comment*/"b"}"#, #"{"a": true} "x""#, "['", "[,", #"[{"#, #"["a"#, "{,", #"{["#, #"{""#,
      #"{'"#,
      "*", "[\u{0C}]", "[\u{2060}]", "[\u{A0}1]", "\u{FEFF}", "\u{FEFF}{}", "1\u{0}", "[1],", "nul", "tru", "fals",
      "nulll", "truefalse", "TRUE", "None", "undefined", "// x", "1 2", "{} []", "[\\u000A\"\"]", "[1", "[ false, nul",
      "[ true, fals", "[ false, tru",
    ].map { Example("structure \($0)", $0) } + [
      Example("65 arrays", String(repeating: "[", count: 65) + String(repeating: "]", count: 65)),
      Example("65 objects", String(repeating: #"{"a":"#, count: 64) + "{}" + String(repeating: "}", count: 64)),
      Example("100000 opening arrays", String(repeating: "[", count: 100_000)),
      Example("open array of objects", String(repeating: #"[{"":"#, count: 50_000)),
    ]
  /// Not UTF-8: `RecordForm.invalidUTF8`, wherever it is.
  static let encodings: [Example] = [
    Example("overlong of two bytes", bytes: [0x22, 0xC0, 0xAF, 0x22]),
    Example("overlong of three bytes", bytes: [0x22, 0xE0, 0x80, 0xAF, 0x22]),
    Example("overlong null", bytes: [0x22, 0xC0, 0x80, 0x22]),
    Example("overlong of four bytes", bytes: [0x22, 0xF0, 0x80, 0x80, 0xAF, 0x22]),
    Example("overlong of six bytes", bytes: [0x22, 0xFC, 0x83, 0xBF, 0xBF, 0xBF, 0xBF, 0x22]),
    Example("surrogate", bytes: [0x22, 0xED, 0xA0, 0x80, 0x22]),
    Example("surrogate pair", bytes: [0x22, 0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80, 0x22]),
    Example("last surrogate", bytes: [0x22, 0xED, 0xBF, 0xBF, 0x22]),
    Example("above U+10FFFF", bytes: [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22]),
    Example("lead F5", bytes: [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22]), Example("lead FF", bytes: [0x22, 0xFF, 0x22]),
    Example("lone continuation", bytes: [0x22, 0x81, 0x22]),
    Example("truncated, of two", bytes: [0x22, 0xC3, 0x22]),
    Example("truncated, of three", bytes: [0x22, 0xE2, 0x82, 0x22]),
    Example("truncated, of four", bytes: [0x22, 0xF0, 0x9F, 0x98, 0x22]),
    Example("truncated at the end", bytes: [0x22, 0xE2]),
    Example("Latin-1", bytes: [0x5B, 0x22, 0xE9, 0x22, 0x5D]), Example("outside a string", bytes: [0x5B, 0xE5, 0x5D]),
    Example("after a number", bytes: [0x5B, 0x31, 0xE5, 0x5D]),
    Example("in an escape", bytes: [0x22, 0x5C, 0xE5, 0x22]),
    Example("in a hexadecimal escape", bytes: [0x22, 0x5C, 0x75, 0xE5, 0x22]),
    Example("behind a literal", bytes: [0x74, 0x72, 0x75, 0x65, 0xFF]),
    Example("UTF-16 mark", bytes: [0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00]),
    Example("continuation not one", bytes: [0x22, 0xE2, 0x28, 0xA1, 0x22]),
  ]
}
