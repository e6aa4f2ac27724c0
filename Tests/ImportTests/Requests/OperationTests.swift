import Testing

@Suite("Requests of other operations than Pay")
struct OperationTests {
  private static let pairs =
    "actionType=PAY&currencyCode=USD&receiverList.receiver(0).email=a@b.example&receiverList.receiver(0).amount=1.00"
  private static let address = "https://svcs.paypal.com/AdaptivePayments/"
  private static let time = "2026-11-20T18:00:00Z"
  private static let terms = "endingDate=2027-11-21&currencyCode=USD&maxTotalAmountOfAllPayments=90"

  @Test(
    "are recognized by their address, and make no payment",
    arguments: [
      "\(address)OP?\(pairs)", "\(address)OP\n\(pairs)",
      "POST /AdaptivePayments/OP HTTP/1.1\nHost: svcs.paypal.com\n\n\(pairs)",
    ])
  func addresses(text: String) {
    #expect(Imported(nameValue: text.replacing("OP", with: "Pay")).payments == 1)
    for operation in ["PreapprovalDetails", "PaymentDetails"] {
      let imported = Imported(nameValue: text.replacing("OP", with: operation))
      #expect(imported.requests == 1 && imported.payments == 0)
      #expect(imported.faults == ["\(text.contains("\n") ? text.contains("POST") ? 4 : 2 : 1) 580001 "])
      #expect(imported.told.contains { $0.contains("calls \(operation); expected Pay, Refund, ") })
    }
    let refund = Imported(nameValue: text.replacing("OP", with: "Refund").replacing("actionType", with: "payKey"))
    #expect(refund.records.first?.contains(#""type":"refund""#) == true)
  }

  @Test("a Pay request after one of another operation is read")
  func next() {
    let imported = Imported(nameValue: "\(Self.address)PaymentDetails?payKey=AP-1\n\(Self.address)Pay?\(Self.pairs)")
    #expect(imported.requests == 2 && imported.payments == 1)
  }

  @Test("a Pay request with a pay key makes no payment")
  func payKeys() {
    let imported = Imported(nameValue: "\(Self.pairs)&payKey=AP-1")
    #expect(imported.faults == ["1 580022 payKey"] && imported.records.isEmpty)
  }

  @Test(
    "become refunds and records of agreements",
    arguments: [
      ("Refund?payKey=AP-1", #""type":"refund","refundKey":"KEY","payKey":"AP-1","createdAt":"TIME""#),
      (
        "Refund?trackingId=order-17&currencyCode=USD",
        #""type":"refund","refundKey":"KEY","payKey":"order-17","createdAt":"TIME","currencyCode":"USD""#
      ),
      (
        "Refund?payKey=AP-1&trackingId=t&currencyCode=EUR&[0].email=a@b.example&[0].amount=.5&[1].amount=2&"
          + "[1].phone.countryCode=1&[1].phone.phoneNumber=4085551234",
        #""type":"refund","refundKey":"KEY","payKey":"AP-1","createdAt":"TIME","currencyCode":"EUR","receivers":["#
          + #"{"recipient":"a@b.example","amount":"0.5"},{"recipient":"+14085551234","amount":"2"}]"#
      ),
      (
        "Preapproval?startingDate=2026-11-20&endingDate=2027-11-20T00:00:00.000-07:00&currencyCode=USD&"
          + "maxTotalAmountOfAllPayments=%2B0100.50&requestEnvelope.errorLanguage=en_US",
        #""type":"preapproval","preapprovalKey":"KEY","action":"CREATE","createdAt":"TIME","currencyCode":"USD","#
          + #""endingDate":"2027-11-20T00:00:00.000-07:00","maxTotalAmountOfAllPayments":"100.50","#
          + #""startingDate":"2026-11-20Z""#
      ),
      (
        "Preapproval?startingDate=2026-11-20Z&endingDate=2026-12-31T23:59:59&currencyCode=EUR&feesPayer=SENDER&"
          + "maxTotalAmountOfAllPayments=90&maxAmountPerPayment=.5&maxNumberOfPayments=012&dateOfMonth=0&"
          + "maxNumberOfPaymentsPerPeriod=%201&paymentPeriod=MONTHLY&dayOfWeek=FRIDAY&pinType=REQUIRED&memo=Music&"
          + "senderEmail=Ann@Mail.example&ipnNotificationUrl=https://shop.example/ipn&displayMaxTotalAmount=TRUE",
        #""type":"preapproval","preapprovalKey":"KEY","action":"CREATE","createdAt":"TIME","#
          + #""senderEmail":"Ann@Mail.example","ipnUrl":"https://shop.example/ipn","currencyCode":"EUR","#
          + #""dateOfMonth":0,"dayOfWeek":"FRIDAY","endingDate":"2026-12-31T23:59:59Z","feesPayer":"SENDER","#
          + #""maxAmountPerPayment":"0.5","maxNumberOfPayments":12,"maxNumberOfPaymentsPerPeriod":1,"#
          + #""maxTotalAmountOfAllPayments":"90","paymentPeriod":"MONTHLY","pinType":"REQUIRED","#
          + #""startingDate":"2026-11-20Z""#
      ),
      (
        "ConfirmPreapproval?preapprovalKey=PA-1&pin=1234",
        #""type":"preapproval","preapprovalKey":"PA-1","action":"CONFIRM","createdAt":"TIME""#
      ),
      (
        "CancelPreapproval?preapprovalKey=PA-1",
        #""type":"preapproval","preapprovalKey":"PA-1","action":"CANCEL","createdAt":"TIME""#
      ),
    ])
  func records(request: String, record: String) throws {
    let imported = Imported(nameValue: Self.spelled(request), createdAt: Self.time)
    #expect(imported.faults == [])
    let expected = "{" + record.replacing("TIME", with: Self.time) + "}"
    let made = try #require(imported.records.first)
    #expect(made.replacing(/request-[0-9a-f]{32}-1/, with: "KEY") == expected)
    #expect(!imported.told.joined().contains("1234"))
    #expect(imported.lines.first?.hasSuffix(#","createdAt":"\#(Self.time)"}"#) == true)
    let refunds = request.contains("AP-1&trackingId") ? #","refundTotals":{"EUR":"2.50"}"# : ""
    #expect(imported.lines.last == #"{"type":"trailer","recordCount":1,"totals":{}\#(refunds)}"#)
  }

  @Test(
    "are reported if they are wrong",
    arguments: [
      ("Refund?transactionId=1", ["1 580029 payKey"]),
      ("Refund?payKey=-", ["1 580022 payKey"]),
      ("Refund?payKey=AP-1&[0].email=a@b.example&[0].amount=1", ["1 580029 currencyCode"]),
      (
        "Refund?payKey=AP-1&currencyCode=JPY&[0].email=a&[0].amount=1.5", ["1 589039 [0].email", "1 580022 [0].amount"]
      ),
      ("Refund?payKey=AP-1&currencyCode=JPY&[0].amount=1", ["1 580029 [0].email"]),
      (
        "Preapproval?returnUrl=https://shop.example/",
        ["currencyCode", "endingDate", "maxTotalAmountOfAllPayments", "startingDate"].map { "1 580029 \($0)" }
      ),
      ("Preapproval?\(terms)&startingDate=2026-11-19Z", ["1 580022 startingDate", "1 579038 endingDate"]),
      ("Preapproval?\(terms)&startingDate=20.11.2026", ["1 580022 startingDate"]),
      ("Preapproval?\(terms)&startingDate=2027-11-22Z", ["1 580022 endingDate"]),
      ("Preapproval?\(terms)&startingDate=2026-11-20Z", ["1 579038 endingDate"]),
      ("Preapproval?\(terms)&startingDate=2026-11-21Z&maxAmountPerPayment=91", ["1 580022 maxAmountPerPayment"]),
      (
        "Preapproval?\(terms)&startingDate=2026-11-21Z&maxAmountPerPayment=x&maxNumberOfPayments=1.5&dateOfMonth=32&"
          + "maxNumberOfPaymentsPerPeriod=0&paymentPeriod=HOURLY&dayOfWeek=FUNDAY&pinType=NO&feesPayer=ANN&"
          + "senderEmail=ann&ipnNotificationUrl=ftp://x",
        [
          "dateOfMonth", "dayOfWeek", "feesPayer", "maxAmountPerPayment", "maxNumberOfPayments",
          "maxNumberOfPaymentsPerPeriod", "paymentPeriod", "pinType",
        ].map { "1 580022 \($0)" } + ["1 589039 senderEmail"]
      ),
      ("ConfirmPreapproval?pin=1234", ["1 580029 preapprovalKey"]),
      ("CancelPreapproval?preapprovalKey=%20x y", ["1 580022 preapprovalKey"]),
    ])
  func faults(request: String, faults: [String]) {
    let imported = Imported(nameValue: Self.spelled(request), createdAt: Self.time)
    #expect(imported.faults.sorted() == faults.map { Self.spelled($0, "") }.sorted(), "\(imported.told)")
    #expect(imported.records.isEmpty)
  }

  @Test("a Refund in JSON follows its address")
  func json() {
    let body = #"{"payKey":"AP-1","requestEnvelope":{"errorLanguage":"en_US"}}"#
    #expect(Imported(json: "\(Self.address)Refund\n\(body)").records.first?.contains("refundKey") == true)
    #expect(Imported(json: body).faults.contains("1 580022 payKey"))
  }

  @Test("a Preapproval reports what is not carried over, and needs a time")
  func agreements() throws {
    let fields =
      #""startingDate":"2026-11-20T18:00:00Z","endingDate":"2027-11-20","currencyCode":"USD","memo":"Music","#
      + #""maxTotalAmountOfAllPayments":90.0,"maxNumberOfPayments":3,"displayMaxTotalAmount":true,"#
      + #""returnUrl":"https://shop.example/","cancelUrl":"https://shop.example/","#
      + #""clientDetails":{"ipAddress":"127.0.0.1"},"requestEnvelope":{"errorLanguage":"en_US"}"#
    let request = Array("\(Self.address)Preapproval\n{\(fields)}".utf8)
    let imported = Imported(request, .json, createdAt: Self.time)
    #expect(
      imported.notes == [
        "preapprovalKey", "endingDate", "memo", "displayMaxTotalAmount", "returnUrl", "cancelUrl",
        "clientDetails.ipAddress", "requestEnvelope.errorLanguage",
      ])
    #expect(!imported.told.joined().contains("no such field of a"))
    let key = try #require(imported.records.first?.firstMatch(of: /"preapprovalKey":"(request-[0-9a-f]{32}-1)"/)?.1)
    #expect(imported.told.first?.contains("is \(key), derived from the request") == true)
    #expect(imported.records.first?.contains(#""maxNumberOfPayments":3,"maxTotalAmountOfAllPayments":"90.0""#) == true)
    #expect(Imported(request, .json).faults == ["2 580029 startingDate"])
  }

  @Test("a payment under a preapproval needs a time")
  func preapproved() {
    let request = Self.pairs + "&preapprovalKey=PA-1&senderEmail=ann@mail.example&pin=1234"
    #expect(Imported(nameValue: request).faults == ["1 580029 preapprovalKey"])
    let imported = Imported(nameValue: request, createdAt: Self.time)
    #expect(imported.records.first?.contains(#""createdAt":"\#(Self.time)""#) == true)
    #expect(imported.records.first?.contains(#""preapprovalKey":"PA-1""#) == true)
    #expect(!(imported.told + imported.lines).joined().contains("1234"))
    #expect(
      Imported(nameValue: Self.pairs + "&preapprovalKey=PA-1", createdAt: Self.time).faults
        == ["1 579010 senderEmail"])
  }

  private static func spelled(_ text: String, _ address: String = address) -> String {
    address + text.replacing(/\[([0-9])\]/) { "receiverList.receiver(\($0.1))" }
  }
}
