import Testing
import Text

@Suite("The known word that was meant")
struct SpellingTests {
  static let words: [(word: String, meant: String?)] = [
    ("paymentCurrency", "paymentCurrency"), ("PAYMENTCURRENCY", "paymentCurrency"),
    ("paymentCurency", "paymentCurrency"),
    ("paymentCurrecny", "paymentCurrency"), ("paymentCurr", nil), ("paymentCurrencies", nil), ("nane", "name"),
    ("nam", nil), ("names", "name"), ("nnnames", nil), ("", nil), ("memory", nil),
    ("\u{E9}memo", nil), (String(repeating: "x", count: 1 << 20), nil),
  ]

  @Test("within two edits, and one for every four bytes; letter case aside", arguments: words)
  func nearest(word: String, meant: String?) {
    let known: [StaticString] = ["memo", "name", "paymentCurrency"]
    let found = Array(word.utf8).withUnsafeBufferPointer { Spelling.nearest($0, among: known) }
    #expect(found?.description == meant)
  }

  @Test("of several the nearest, of equally near ones the first")
  func several() {
    let known: [StaticString] = ["itemCost", "itemCount", "itemCounts"]
    for (word, meant) in [("itemCount", "itemCount"), ("itemCouns", "itemCount"), ("itemCoust", "itemCost")] {
      let found = Array(word.utf8).withUnsafeBufferPointer { Spelling.nearest($0, among: known) }
      #expect(found?.description == meant)
    }
  }
}
