import Testing
import Text

@Suite("A text that looks like CSV")
struct CSVGuessTests {
  @Test(
    "is recognized by its first two lines",
    arguments: [
      ("a;b\n1;2\n", "semicolons"), ("a;b\r\n1;2,5", "semicolons"), ("\n\na,b\n\"1,5\",2\nx", "commas"),
      ("a\tb\n1\t2\n", "tabs"), ("\"a\",\"b\"\n1,2", "commas"), ("a,b\n1,2,3", nil), ("a,b", nil), ("a\nb\n", nil),
      ("", nil),
      ("{\"a\":1,\n\"b\":2,", nil), ("a=1,b\nc=2,d", nil), ("[1,\n2,", nil), ("<a,\n,", nil),
    ] as [(String, String?)])
  func separator(text: String, separator: String?) {
    #expect(CSV.separator(of: text.utf8) == separator)
  }
}
