import Import
import Testing

@Suite("Requests of other operations are no payments")
struct OtherOperationTests {
  private static let pairs =
    "actionType=PAY&currencyCode=USD&receiverList.receiver(0).email=a@b.example&receiverList.receiver(0).amount=1.00"
  private static let address = "https://svcs.paypal.com/AdaptivePayments/"

  @Test(
    "by their address",
    arguments: [
      "curl \(address)OP -d '\(pairs)'", "curl -d '\(pairs)' \(address)OP", "curl '\(address)OP?\(pairs)'",
      "\(address)OP?\(pairs)", "\(address)OP\n\(pairs)",
      "POST /AdaptivePayments/OP HTTP/1.1\nHost: svcs.paypal.com\n\n\(pairs)",
    ])
  func addresses(text: String) {
    #expect(Imported(nameValue: text.replacing("OP", with: "Pay")).payments == 1)
    for operation in ["Refund", "Preapproval", "PaymentDetails"] {
      let imported = Imported(nameValue: text.replacing("OP", with: operation))
      #expect(imported.requests == 1 && imported.payments == 0)
      #expect(imported.told.contains { $0.contains("calls \(operation); expected Pay") })
    }
  }

  @Test("a Pay request behind one of another operation is read")
  func next() {
    let imported = Imported(nameValue: "\(Self.address)Refund?payKey=AP-1\n\(Self.address)Pay?\(Self.pairs)")
    #expect(imported.requests == 2 && imported.payments == 1)
  }

  @Test("by their pay key")
  func payKeys() {
    let imported = Imported(nameValue: "\(Self.pairs)&payKey=AP-1")
    #expect(imported.faults == ["1 580022 payKey"] && imported.records.isEmpty)
  }
}
