import Testing

@Suite("Texts of payments") struct PaymentTextTests {
  @Test(
    "a text may have as many characters as its table says, of any length in bytes",
    arguments: [("memo", 1000), ("customId", 255), ("description", 255), ("merchantName", 255)], ["m", "é", "𝄞"])
  func longest(field: (name: String, count: Int), character: String) {
    func errors(_ count: Int) -> [String] {
      let text = String(repeating: character, count: count)
      return Assessed(#"{"payKey":"P","recipient":"a@b.example","subTotal":"1","\#(field.name)":"\#(text)"}"#).errors
    }
    #expect(errors(field.count) == [])
    #expect(errors(field.count + 1) == ["INVALID_VALUE /\(field.name)"])
  }
}
