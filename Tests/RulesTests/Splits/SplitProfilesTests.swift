import Rules
import Testing

@Suite("Profiles of receivers") struct SplitProfilesTests {
  static func profiles(_ json: String) throws -> SplitProfiles { try SplitProfiles(json: Array(json.utf8)) }

  static let market = """
    {"market":{"receiverPaymentDetails":[{"recipient":"market@shop.example","isPrimary":true,"keep":{"percent":"10"}},\
    {"recipient":"seller@shop.example","split":{"share":"1"}}]},
    "flat":{"paymentCurrency":"EUR","receiverPaymentDetails":[{"recipient":"post@shop.example","subtotal":"0.50"},\
    {"recipient":"shop@shop.example","split":{"share":"1"}}]},"nothing":{"receiverPaymentDetails":[\
    {"recipient":"a@shop.example","split":{"share":"1","min":0}}],"paymentCurrency":null}}
    """

  @Test("a payment that names a profile is settled as if it listed its receivers", arguments: [false, true])
  func settles(again: Bool) throws {
    let profiles = try Self.profiles(Self.market)
    let named = Assessed(
      Array(#" {"receiverPaymentDetails":null,"payKey":"P","splitTotal":"19.99","splitProfile":"m\u0061rket"} "#.utf8),
      rules: SettlementRules(profiles: profiles), again: again)
    let listed = Assessed(
      Array(
        """
        {"payKey":"P","splitTotal":"19.99","receiverPaymentDetails":[{"recipient":"market@shop.example",\
        "isPrimary":true,"keep":{"percent":"10"}},{"recipient":"seller@shop.example","split":{"share":"1"}}]}
        """.utf8))
    #expect(named.errors == [] && named.outcome == .settled)
    #expect(named.parties == listed.parties && named.parties.map(\.gross) == ["19.99", "17.99"])
    #expect(named.control == "USD 19.99" && named.noticed == ["SPLIT_ROUNDED /splitProfile"])
  }

  @Test(
    "its errors are reported at its name, each code once",
    arguments: [
      (#""splitProfile":"none","splitTotal":"1""#, ["INVALID_VALUE /splitProfile"], "USD 1.00"),
      (#""splitProfile":"flat","splitTotal":"1""#, ["INVALID_VALUE /splitProfile"], "USD 1.00"),
      (
        #""splitProfile":"flat","splitTotal":"1","paymentCurrency":"XXX""#, ["CURRENCY_NOT_SUPPORTED /paymentCurrency"],
        ""
      ),
      (#""splitProfile":7,"splitTotal":"1""#, ["WRONG_TYPE /splitProfile"], "USD 1.00"),
      (#""splitProfile":"market""#, ["MISSING_FIELD /splitTotal"], ""),
      (
        #""splitProfile":"flat","splitTotal":"0.49","paymentCurrency":"EUR""#, ["SPLIT_EXCEEDS_TOTAL /splitProfile"],
        "EUR 0.49"
      ),
      (
        #""splitProfile":"market","splitTotal":"1","sender":"seller@shop.example""#,
        ["SENDER_IS_RECEIVER /splitProfile"],
        "USD 1.00"
      ),
      (#""splitProfile":"market","splitTotal":"1","recipient":"a@b.example""#, ["PAYMENT_SHAPE "], ""),
      (#""splitProfile":null,"splitTotal":"1""#, ["PAYMENT_SHAPE "], ""),
      (#""splitProfile":"market","splitProfile":"market","splitTotal":"1""#, ["DUPLICATE_FIELD "], ""),
    ])
  func errors(fields: String, errors: [String], control: String) throws {
    let assessed = Assessed(
      Array(#"{"payKey":"P",\#(fields)}"#.utf8), rules: SettlementRules(profiles: try Self.profiles(Self.market)))
    #expect(assessed.errors == errors && assessed.control == control)
  }

  @Test(
    "an invalid file",
    arguments: [
      ("[]", "is an array"), ("{", "not JSON"), (#"{"-a":{"receiverPaymentDetails":[]}}"#, "is not a name"),
      (#"{"a":{}}"#, "is missing"), (#"{"a":{"receiverPaymentDetails":[],"x":1}}"#, "unknown key"),
      (#"{"a":{"receiverPaymentDetails":[]}}"#, "RECEIVER_COUNT"),
      (#"{"a":{"receiverPaymentDetails":{}}}"#, "WRONG_TYPE"),
      (#"{"a":{"receiverPaymentDetails":[{"recipient":"a@b.example","split":{"share":1}}]},"a":1}"#, "is given twice"),
      (
        #"{"a":{"receiverPaymentDetails":[{"recipient":"a@b.example","split":{"share":1,"share":1}}]}}"#,
        "is given twice"
      ),
      (#"{"a":{"receiverPaymentDetails":[{"recipient":"a@b.example","split":{"share":1},"y":2}]}}"#, "unknown field"),
      (#"{"a":{"receiverPaymentDetails":[{"recipient":"a@b.example","split":{"share":1,"z":2}}]}}"#, "unknown field"),
      (
        #"{"a":{"receiverPaymentDetails":[{"recipient":"a@b.example","split":{"share":1},"invoiceData":{}}]}}"#,
        "has invoiceData in a receiver"
      ),
      (
        #"{"a":{"paymentCurrency":"USD","receiverPaymentDetails":[{"recipient":"a@b.example","subtotal":"1.00","#
          + #""invoiceData":{}},{"recipient":"b@b.example","split":{"share":1}}]}}"#, "has invoiceData in a receiver"
      ),
      (
        #"{"a":{"receiverPaymentDetails":[{"recipient":"a@b.example","split":{"share":1,"max":"1"}}]}}"#,
        "paymentCurrency"
      ),
      (#"{"a":{"receiverPaymentDetails":[{"recipient":"a@b.example"}]}}"#, "MISSING_FIELD"),
      (
        #"{"a":{"paymentCurrency":"XXX","receiverPaymentDetails":[{"recipient":"a@b.example","split":{"share":1}}]}}"#,
        "CURRENCY_NOT_SUPPORTED"
      ),
    ])
  func refuses(json: String, words: String) {
    let error = #expect(throws: FeeScheduleError.self) { try Self.profiles(json) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }
}
