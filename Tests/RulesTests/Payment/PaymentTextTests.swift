import Testing

@Suite("Texts of payments") struct PaymentTextTests {
  @Test(
    "a text may have as many characters as its table says, of any length in bytes",
    arguments: [("memo", 1000), ("customId", 255), ("description", 255), ("merchantName", 255)], ["m", "é", "𝄞"])
  func longest(field: (name: String, count: Int), character: String) {
    func assessed(_ count: Int, strictTexts: Bool?) -> Assessed {
      let text = String(repeating: character, count: count)
      return Assessed(
        #"{"payKey":"P","recipient":"a@b.example","subTotal":"1","\#(field.name)":"\#(text)"}"#,
        strictTexts: strictTexts)
    }
    for strict in [true, false, nil] {
      #expect(assessed(field.count, strictTexts: strict).errors == [])
      #expect(assessed(field.count, strictTexts: strict).notices.isEmpty)
    }
    // Versions before the option refused such texts.
    for strict in [true, nil] {
      #expect(assessed(field.count + 1, strictTexts: strict).errors == ["INVALID_VALUE /\(field.name)"])
    }
    let noted = assessed(field.count + 1, strictTexts: false)
    #expect(noted.errors == [] && noted.notices.map(\.code) == ["TEXT_TOO_LONG"])
  }
}
