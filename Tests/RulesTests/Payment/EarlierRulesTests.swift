import Testing

@Suite("Nights of versions before --strict-texts are judged by their own rules")
struct EarlierRulesTests {
  private static func receivers(_ first: String, _ second: String = "", top: String = "") -> String {
    #"{"payKey":"P",\#(top)"receiverPaymentDetails":[{"recipient":"a@b.example","subtotal":"10"\#(first)},"#
      + #"{"recipient":"c@b.example","subtotal":"10"\#(second)}]}"#
  }

  @Test(
    "the same record then and now",
    arguments: [
      // Types at the top level were unknown fields, and other types could not differ.
      (receivers("", top: #""paymentType":"TYPE_PERSONAL","#), [], ["UNKNOWN_FIELD"], [], []),
      (receivers("", top: #""paymenttype":"x","#), [], ["UNKNOWN_FIELD"], ["UNKNOWN_FIELD /paymenttype"], []),
      (
        receivers(#","paymentType":"TYPE_GOODS""#), ["PAYMENT_TYPE_MIXED /receiverPaymentDetails"], [], [], []
      ),
      // Fields on the wrong level were ignored.
      (
        receivers(#","feePayer":"x","currency":"EUR""#), [], ["UNKNOWN_FIELD", "UNKNOWN_FIELD"],
        ["UNKNOWN_FIELD /receiverPaymentDetails/0/currency", "UNKNOWN_FIELD /receiverPaymentDetails/0/feePayer"], []
      ),
      (receivers("", top: #""country":"US","#), [], ["UNKNOWN_FIELD"], ["UNKNOWN_FIELD /country"], []),
      (
        #"{"type":"refund","refundKey":"R","payKey":"P","recipient":"a@b.example"}"#, [], ["UNKNOWN_FIELD"],
        ["UNKNOWN_FIELD /recipient"], []
      ),
      // Addresses were checked.
      (receivers("", top: #""ipnUrl":"x","#), ["INVALID_VALUE /ipnUrl"], [], [], ["URL_NOT_USED"]),
      (
        receivers("", top: #""shippingAddress":{"countrycode":"us"},"#),
        ["COUNTRY_NOT_SUPPORTED /shippingAddress/countrycode"], [], [], ["COUNTRY_NOT_USED"]
      ),
      (
        #"{"payKey":"P","recipient":"a@b.example","subTotal":"1","adjustedAmounts":{"payment_amount":"2"}}"#, [],
        ["AMOUNTS_ADJUSTED"], [], ["ADJUSTED_WITHOUT_ADDRESS", "AMOUNTS_ADJUSTED"]
      ),
    ] as [(String, [String], [String], [String], [String])])
  func thenAndNow(
    _ line: String, _ errors: [String], _ notices: [String], _ nowErrors: [String], _ nowNotices: [String]
  ) {
    let (then, now) = (Assessed(line, strictTexts: nil), Assessed(line))
    #expect(then.errors == errors && then.notices.map(\.code).sorted() == notices)
    #expect(now.errors == nowErrors && now.notices.map(\.code).sorted() == nowNotices)
  }

  @Test("a receiver takes the payment's type: personal payments have their own plan")
  func plans() {
    let line = Self.receivers("", #","paymentType":"TYPE_PERSONAL""#, top: #""paymentType":"TYPE_PERSONAL","#)
    let own = Self.receivers(#","paymentType":"TYPE_PERSONAL""#, #","paymentType":"TYPE_PERSONAL""#)
    #expect(Assessed(line).plans == Assessed(own).plans)
    #expect(Assessed(line).plans != Assessed(Self.receivers("")).plans)
    #expect(
      Assessed(Self.receivers("", top: #""paymentType":"TYPE_PERSONAL","#), strictTexts: nil).plans
        == Assessed(Self.receivers("")).plans)
  }
}
