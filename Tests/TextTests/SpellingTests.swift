import Testing
import Text

@Suite("The known word that a misspelt one means")
struct SpellingTests {
  static let words: [(word: String, meant: String?)] = [
    ("paymentCurrency", "paymentCurrency"), ("PAYMENTCURRENCY", "paymentCurrency"),
    ("paymentCurency", "paymentCurrency"),
    ("paymentCurrecny", "paymentCurrency"), ("paymentCurr", nil), ("paymentCurrencies", nil), ("nane", "name"),
    ("nam", nil), ("names", "name"), ("nnnames", nil), ("", nil), ("memory", nil),
    ("\u{E9}memo", nil), (String(repeating: "x", count: 1 << 20), nil),
  ]

  @Test("at most two edits, and one per four bytes; letter case is ignored", arguments: words)
  func nearest(word: String, meant: String?) {
    let known: [StaticString] = ["memo", "name", "paymentCurrency"]
    let found = Spelling.nearest(Array(word.utf8), among: known)
    #expect(found?.description == meant)
  }

  static let values: [(word: String, meant: String?)] = [
    ("COMPLETED", "STATUS_COMPLETED"), ("completed", "STATUS_COMPLETED"), ("Status Completed", "STATUS_COMPLETED"),
    ("STATUS_COMPLETED\u{A0}", "STATUS_COMPLETED"), ("statusCompleted", "STATUS_COMPLETED"),
    ("PAYMENT_STATUS_COMPLETED", "STATUS_COMPLETED"), ("COMPLETE", "STATUS_COMPLETED"), ("required", "REQUIRED"),
    ("not-required", "NOT_REQUIRED"), ("CREATED_", "STATUS_CREATED"), ("CREATE", "STATUS_CREATED"), ("STATUS", nil),
    ("PAID", nil), ("", nil), ("\u{A0}", nil), (String(repeating: "COMPLETED_", count: 1 << 16), nil),
  ]

  @Test("in a closed list also by a value's last words; only letters and digits are compared", arguments: values)
  func value(word: String, meant: String?) {
    let known: [StaticString] = ["STATUS_COMPLETED", "STATUS_CREATED", "NOT_REQUIRED", "REQUIRED"]
    #expect(Spelling.value(meantBy: Array(word.utf8), among: known)?.description == meant)
  }

  @Test("the nearest of several; the first of equally near ones")
  func several() {
    let known: [StaticString] = ["itemCost", "itemCount", "itemCounts"]
    for (word, meant) in [("itemCount", "itemCount"), ("itemCouns", "itemCount"), ("itemCoust", "itemCost")] {
      let found = Spelling.nearest(Array(word.utf8), among: known)
      #expect(found?.description == meant)
    }
  }
}
