import Testing

@testable import Rules

@Suite("Texts that are too long are cut to their first characters")
struct LongTextTests {
  private static func cut(_ text: String, _ most: Int = 10) -> (text: String, isMasked: Bool) {
    var bytes = Array(text.utf8)
    let isMasked = LongText.cut(&bytes, to: most)
    return (String(decoding: bytes, as: UTF8.self), isMasked)
  }

  @Test(
    "by characters, not bytes; a text that is not too long stays",
    arguments: [
      ("", ""), ("0123456789", "0123456789"), ("0123456789x", "0123456789"), ("éééééééééé", "éééééééééé"),
      ("éééééééééé!", "éééééééééé"), ("𝄞𝄞𝄞𝄞𝄞𝄞𝄞𝄞𝄞𝄞𝄞𝄞", "𝄞𝄞𝄞𝄞𝄞𝄞𝄞𝄞𝄞𝄞"),
    ])
  func characters(given: String, cut: String) {
    #expect(Self.cut(given).text == cut)
    #expect(!Self.cut(given).isMasked)
  }

  @Test("card numbers are masked in the whole text before it is cut, so that no part of one is left")
  func masked() {
    #expect(Self.cut("no 4111111111111111").text == "no *******")
    #expect(Self.cut("no 4111111111111111").isMasked)
    #expect(Self.cut("no 4111111111111111", 100).text == "no 4111111111111111")
  }
}
