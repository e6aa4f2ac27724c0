import Testing

@Suite("What a refused value probably meant")
struct ValueHintTests {
  struct Hinted: CustomTestStringConvertible, Sendable {
    let field: String
    let value: String
    /// The end of the message, after what was expected; nil if it has no hint.
    let hint: String?
    var testDescription: String { "\(field): \(value)" }

    init(_ field: String, _ value: String, _ hint: String?) {
      self.field = field
      self.value = value
      self.hint = hint
    }
  }

  static let ofPayments = [
    Hinted("status", "COMPLETED", "did you mean STATUS_COMPLETED?"),
    Hinted("status", "Created", "did you mean STATUS_CREATED?"), Hinted("status", "PENDING", nil),
    Hinted("feePayer", "SENDER", "did you mean FEEPAYER_SENDER?"),
    Hinted("feePayer", "primaryReceiver", "did you mean FEEPAYER_PRIMARYRECEIVER?"),
    Hinted("feePayer", "EACH_RECEIVER", "did you mean FEEPAYER_EACHRECEIVER?"),
    Hinted("paymentType", "GOODS", "did you mean TYPE_GOODS?"),
    Hinted("paymentType", "HARD_GOODS", "did you mean TYPE_GOODS?"),
    Hinted("paymentType", "Hard Goods", "did you mean TYPE_GOODS?"),
    Hinted("paymentType", "PAYMENT_TYPE_HARD_GOODS", "did you mean TYPE_GOODS?"),
    Hinted("paymentType", "personal", "did you mean TYPE_PERSONAL?"),
    Hinted("paymentSubType", "AFFILIATE_PAYMENTS", "did you mean SUBTYPE_AFFILIATE_PAYMENTS?"),
    Hinted("paymentSubType", "b2b", "did you mean SUBTYPE_B2B?"),
    Hinted("amountErrorCode", "SERVER", "did you mean AMOUNT_ERROR_SERVER?"),
    Hinted("amountErrorCode", "CANCEL_TXN", "did you mean AMOUNT_CANCEL_TXN?"),
    Hinted("fundingSource", "FUNDING_BANK", "did you mean BANK?"),
    Hinted("fundingSource", "bank", "did you mean BANK?"),
    Hinted("paymentCurrency", "EUR ", "did you mean EUR?"), Hinted("paymentCurrency", "usd", "did you mean USD?"),
    Hinted("paymentCurrency", #"EUR\u00a0"#, "did you mean EUR?"), Hinted("paymentCurrency", "EURO", nil),
    Hinted("senderCountry", "de", "did you mean DE?"), Hinted("senderCountry", "UK", "did you mean GB?"),
    Hinted("senderCountry", "Germany", nil),
    Hinted("createdAt", "2026-02-30T08:00:00Z", "there is no 30 February 2026"),
    Hinted("createdAt", "2026-02-30", "there is no 30 February 2026"), Hinted("createdAt", "yesterday", nil),
    Hinted("sender", "+1 402 935 2050", #"did you mean "+14029352050"?"#),
    Hinted("sender", "+1-402-935.2050", #"did you mean "+14029352050"?"#),
    Hinted("sender", #"+1\u00a0402\u00a0935\u00a02050"#, #"did you mean "+14029352050"?"#),
    // Nothing is left out that might be a digit to dial, or one not to dial.
    Hinted("sender", "+49 (0)171 1234567", digits), Hinted("sender", "0049 171 1234567", digits),
    Hinted("sender", "(402) 935-2050", digits), Hinted("sender", "+0123456789", nil), Hinted("sender", "ann", nil),
    Hinted("sender", " ann@mail.example ", #"did you mean "ann@mail.example"?"#),
    Hinted("sender", #"ann@mail.e\u200bxample"#, #"did you mean "ann@mail.example"?"#),
    Hinted("sender", #"\ufeffann@mail.example\n"#, #"did you mean "ann@mail.example"?"#),
    Hinted("sender", "an n@mail.example", nil), Hinted("sender", "ann@mail", nil),
    Hinted("sender", "änn@mail.example", "character 1 is U+00E4"),
    Hinted("payKey", "Р-1", "character 1 is U+0420"), Hinted("payKey", #"P-1\u200b"#, "character 4 is U+200B"),
    Hinted("payKey", "P 1", nil), Hinted("subTotal", "−10.00", "character 1 is U+2212"),
    Hinted("subTotal", "10.0٠", "character 5 is U+0660"), Hinted("subTotal", "1,00", nil),
    Hinted("ipnUrl", "https://shop.example/ä", "character 22 is U+00E4"),
    Hinted("memo", String(repeating: "ä", count: 1001), nil),
    Hinted("sender", "ann@müller.example", "write the domain in ASCII: its xn-- form"),
    Hinted("sender", "ann@例え.jp", "write the domain in ASCII: its xn-- form"),
    // A card number is also masked in a hint.
    Hinted("sender", "+3782 8224 6310 005", #"did you mean "+***********0005"?"#),
  ]
  private static let digits = "write a phone number as + and digits alone, its country code first"

  @Test("in a payment", arguments: ofPayments)
  func payment(_ hinted: Hinted) throws {
    var fields = ["payKey": "P-1", "recipient": "shop@example.com", "subTotal": "10.00"]
    fields[hinted.field] = hinted.value
    let pairs = fields.sorted { $0.key < $1.key }.map { #""\#($0.key)":"\#($0.value)""# }
    try expect("{\(pairs.joined(separator: ","))}", hinted)
  }

  @Test(
    "in a preapproval",
    arguments: [
      Hinted("action", "confirm", "did you mean CONFIRM?"), Hinted("pinType", "required", "did you mean REQUIRED?"),
      Hinted("feesPayer", "FEEPAYER_SENDER", "did you mean SENDER?"),
      Hinted("dayOfWeek", "Monday", "did you mean MONDAY?"),
      Hinted("endingDate", "2027-02-29Z", "there is no 29 February 2027"),
    ])
  func preapproval(_ hinted: Hinted) throws {
    var fields = [
      "preapprovalKey": "A-1", "createdAt": "2026-11-20T08:00:00Z", "currencyCode": "USD",
      "startingDate": "2026-11-20Z", "endingDate": "2027-11-19Z", "maxTotalAmountOfAllPayments": "10",
    ]
    fields[hinted.field] = hinted.value
    let pairs = fields.sorted { $0.key < $1.key }.map { #""\#($0.key)":"\#($0.value)""# }
    try expect(#"{"type":"preapproval",\#(pairs.joined(separator: ","))}"#, hinted)
  }

  @Test("hints show no value of a card, except one of a closed list")
  func card() throws {
    let card = #"{"cardNumber":"4111111111111111","expirationDate":"2026-02-30","entry":"Keyed","cvv2":"123"}"#
    let messages = Assessed(#"{"payKey":"P-1","recipient":"shop@example.com","subTotal":"10.00","card":\#(card)}"#)
      .findings.map(\.message)
    #expect(
      messages == [
        "entry is not valid; expected SWIPED or KEYED; did you mean KEYED?",
        "expirationDate is not valid; expected a month like 11/26, 1126, 11/2026 or 112026",
      ])
  }

  private func expect(_ line: String, _ hinted: Hinted) throws {
    let found = try #require(Assessed(line, strictTexts: true).findings.first { $0.field == "/\(hinted.field)" })
    let parts = found.message.split(separator: "; ").map { String($0) }
    #expect(parts.count > 1 && parts[1].hasPrefix("expected "), "\(found)")
    #expect(parts.dropFirst(2).joined(separator: "; ") == hinted.hint ?? "", "\(found)")
  }
}
