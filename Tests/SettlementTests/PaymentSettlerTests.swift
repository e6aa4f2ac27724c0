import Settlement
import Testing

/// One payment in memory, through the interface for other packages.
struct PaymentSettlerTests {
  private func settled(_ payment: String) throws -> PaymentResult? {
    var settler = try PaymentSettler()
    return settler.settle(payment)
  }

  @Test("A chained payment is settled to the postings of settlement.csv")
  func chained() throws {
    let result = try #require(
      try settled(
        """
        {"payKey":"AP-2","paymentCurrency":"EUR","feePayer":"FEEPAYER_PRIMARYRECEIVER","sender":"Bea@mail.example",
         "senderCountry":"DE","receiverPaymentDetails":[
         {"recipient":"market@shop.example","subtotal":"100.00","isPrimary":true,"country":"DE"},
         {"recipient":"lamps@shop.example","subtotal":"60.00","country":"FR"},
         {"recipient":"chairs@shop.example","subtotal":"30.00","country":"DE"}]}
        """))
    #expect(result.outcome == .settled && result.payKey == "AP-2" && result.currency?.code == "EUR")
    #expect(result.rejections.isEmpty)
    #expect(
      result.postings.map { "\($0.role.name) \($0.account) \($0.gross) \($0.passedOn) \($0.fee) \($0.net)" } == [
        "SENDER bea@mail.example -100.00 0.00 0.00 -100.00", "PRIMARY market@shop.example 100.00 90.00 4.55 5.45",
        "SECONDARY lamps@shop.example 60.00 0.00 0.00 60.00", "SECONDARY chairs@shop.example 30.00 0.00 0.00 30.00",
      ])
  }

  @Test(
    "What a single payment cannot be is rejected, with code and field",
    arguments: [
      (#"{"payKey":"A","recipient":"a@b.example","subTotal":"1.234"}"#, ["AMOUNT_PRECISION /subTotal"]),
      ("no JSON", ["MALFORMED_JSON "]), ("", ["MALFORMED_JSON "]), (#"{"\#n":1}"#, ["MALFORMED_JSON "]),
      ("{\"\\\\\":\n\"\\\"\n\"}", ["MALFORMED_JSON "]),
      ("\u{7B}\"a\":\"" + String(repeating: "x", count: 1 << 20) + "\"}", ["RECORD_TOO_LONG "]),
      (
        #"{"payKey":"A","sender":"c@d.example","createdAt":"2026-11-20T22:00:00Z","preapprovalKey":"P","#
          + #""recipient":"a@b.example","subTotal":"1.00"}"#, ["PREAPPROVAL_UNKNOWN /preapprovalKey"]
      ),
      (#"{"type":"refund","refundKey":"R","payKey":"A"}"#, ["PAYMENT_NOT_SETTLED /payKey"]),
    ])
  func rejected(payment: String, expected: [String]) throws {
    let result = try #require(try settled(payment))
    #expect(result.outcome == .rejected && result.postings.isEmpty)
    #expect(result.rejections.map { "\($0.code) \($0.field)" } == expected)
    #expect(result.rejections.allSatisfy { !$0.message.isEmpty && !$0.isNotice })
  }

  @Test("A header and a trailer are not payments; a pending payment has no postings; an unknown field is noticed")
  func others() throws {
    #expect(try settled(#"{"type":"header","batchId":"b"}"#) == nil)
    #expect(try settled(#"{"type":"trailer","recordCount":0}"#) == nil)
    let pending = try #require(
      try settled(#"{"payKey":"A","recipient":"a@b.example","subTotal":"1.00","status":"STATUS_CREATED","x":1}"#))
    #expect(pending.outcome == .pending && pending.postings.isEmpty)
    #expect(pending.notices.map { "\($0.code) \($0.field)" } == ["UNKNOWN_FIELD /x"])
  }

  @Test("A missing or invalid fee schedule is reported")
  func schedules() {
    var options = SettlementOptions()
    options.fees = "/nowhere/fees.json"
    #expect(throws: SettlementFailure.self) { _ = try PaymentSettler(options: options) }
    options.fees = #filePath
    let failure = #expect(throws: SettlementFailure.self) { _ = try PaymentSettler(options: options) }
    #expect(failure?.exitCode == 78)
  }
}
