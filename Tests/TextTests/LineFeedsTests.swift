import Testing

struct LineFeedsTests {
  @Test(
    arguments: [
      ("", 0), ("a", 0), ("\n", 1), ("\n\n", 2), ("a\nb\r\n", 2), ("\n" + String(repeating: "x", count: 99), 1),
    ])
  func counts(text: String, expected: Int) {
    #expect(Array(text.utf8).span.lineFeeds == expected)
  }
}
