import Testing

/// Requests that PayPal would have refused: line, error id and field.
@Suite("What is wrong with requests")
struct FaultTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let change: String
    let faults: [String]
    var testDescription: String { change }

    /// - Parameter change: pairs that replace those with the same name, or `-name` to leave one out.
    init(_ change: String, _ faults: String...) {
      self.change = change
      self.faults = faults
    }
  }

  private static let chained = [
    "actionType=PAY", "currencyCode=USD", "senderEmail=ann@mail.example",
    "receiverList.receiver(0).email=p@mail.example",
    "receiverList.receiver(0).amount=100.00", "receiverList.receiver(0).primary=true",
    "receiverList.receiver(1).email=s@mail.example", "receiverList.receiver(1).amount=60.00",
    "requestEnvelope.errorLanguage=en_US",
  ]

  /// `[n]` stands for `receiverList.receiver(n)`.
  static let cases = [
    Case("memo=fine"),
    Case("-actionType", "1 580029 actionType"),
    Case("-currencyCode", "1 580029 currencyCode"),
    Case("actionType=pay", "1 580022 actionType"),
    Case("actionType=PAY_PRIMARY"),
    Case("actionType=PAY_PRIMARY&-[0].primary", "1 580023 actionType"),
    Case("currencyCode=usd", "1 580027 currencyCode"),
    Case("currencyCode=JPY&[0].amount=100.01", "1 580022 [0].amount"),
    Case("feesPayer=RECEIVER", "1 580022 feesPayer"),
    Case("feesPayer=SENDER", "1 580023 feesPayer"),
    Case("feesPayer=SECONDARYONLY&[2].email=t@mail.example&[2].amount=1", "1 580023 feesPayer"),
    Case("feesPayer=PRIMARYRECEIVER&-[0].primary", "1 580023 feesPayer"),
    Case("senderEmail=ann", "1 589039 senderEmail"),
    Case("senderEmail=P@mail.example", "1 579033 [0].email"),
    Case("-senderEmail&preapprovalKey=PA-1", "1 580029 preapprovalKey", "1 579010 senderEmail"),
    Case("sender.email=bea@mail.example", "1 580022 sender.email"),
    Case("sender.email=ANN@mail.example"),
    Case("-senderEmail&sender.phone.countryCode=1", "1 580029 sender.phone.phoneNumber"),
    Case("-senderEmail&sender.phone.countryCode=1&sender.phone.phoneNumber=call", "1 589039 sender.phone.phoneNumber"),
    Case("-senderEmail&sender.phone.countryCode=1&sender.phone.phoneNumber=408", "1 589039 sender.phone.phoneNumber"),
    Case(
      "-senderEmail&sender.phone.countryCode=0&sender.phone.phoneNumber=4085551234", "1 589039 sender.phone.countryCode"
    ),
    Case("-[1].email", "1 580029 [1].email"),
    Case("-[1].email&[1].accountId=ABC", "1 580029 [1].email"),
    Case("-[1].email&[1].phone.phoneNumber=4085551234", "1 580029 [1].phone.countryCode"),
    Case("[1].email=s at mail", "1 589039 [1].email"),
    Case("[1].email=P@MAIL.example", "1 579040 [1].email"),
    Case("[1].amount=100.01", "1 579017 receiverList"),
    Case("[1].amount=100.00"),
    Case("-[1].amount", "1 580029 [1].amount"),
    Case("[1].amount=0", "1 580022 [1].amount"),
    Case("[1].amount=-1", "1 580022 [1].amount"),
    Case("[1].amount=1.001", "1 580022 [1].amount"),
    Case("[1].amount=1,00", "1 580022 [1].amount"),
    Case("[1].amount=$1", "1 580022 [1].amount"),
    Case("[0].amount=1e65", "1 580022 [0].amount"),
    Case("[1].primary=yes", "1 580022 [1].primary"),
    Case("[1].primary=true", "1 580022 receiverList"),
    Case("[1].paymentType=GIFT", "1 580022 [1].paymentType"),
    Case("[0].paymentType=GOODS"),
    Case("[0].paymentType=GOODS&[1].paymentType=SERVICE"),
    Case("[0].paymentType=GOODS&[1].paymentType=PERSONAL", "1 580023 [1].paymentType"),
    Case("[0].paymentType=DIGITALGOODS&[1].paymentType=GOODS", "1 580023 [1].paymentType"),
    Case("[0].paymentType=DIGITALGOODS", "1 580023 [1].paymentType"),
    Case("-[0].primary&[0].isPrimary=true", "1 580022 [0].isPrimary"),
    Case("[0].isPrimary=true"),
    Case("-[0].primary&[0].prymary=true", "1 580022 [0].prymary"),
    Case("[1].paymenttype=GOODS", "1 580022 [1].paymenttype"),
    Case("[1].sub_total=60.00"),
    Case("feePayer=EACHRECEIVER", "1 580022 feePayer"),
    Case("tracking_id=T-1", "1 580022 tracking_id"),
    Case("trackingId=T-1&trackingld=T-2"),
    Case("-senderEmail&sender=ann@mail.example", "1 580022 sender"),
    Case("-senderEmail&sender.emial=ann@mail.example", "1 580022 sender.emial"),
    Case("-currencyCode&currency=USD", "1 580029 currencyCode", "1 580022 currency"),
    Case("recieverList.receiver(2).amount=1", "1 580022 recieverList.receiver(2).amount"),
    Case("receiverList.reciever(2).amount=1", "1 580022 receiverList.reciever(2).amount"),
    Case("trackingId=4111 1111 1111 1111", "1 580022 trackingId"),
    Case("trackingId=4111-1111-1111-1111", "1 580022 trackingId"),
    Case("trackingId=order-3782-822463-10005", "1 580022 trackingId"),
    Case("trackingId=4111111111111111"),
    Case("trackingId=4111-1111-1111-1112"),
    Case("reverseAllParallelPaymentsOnError=maybe", "1 580022 reverseAllParallelPaymentsOnError"),
    Case("reverseAllParallelPaymentsOnError=TRUE"),
    Case("ipnNotificationUrl=ftp://x"), Case("ipnNotificationUrl=http://"),
    Case("ipnNotificationUrl=HTTP://your_url"),
    Case("-[1].email&[1].phone=%2B14085551234", "1 580029 [1].email"),
    Case("[1].receiver(0).email=t@mail.example", "1 580022 [1].receiver(0).email"),
    Case("[0].paymentType=SERVICE"),
    Case("[0].paymentType=PERSONAL&[1].paymentType=PERSONAL", "1 580023 [0].paymentType"),
    Case("-[1].email&-[1].amount", "1 579007 receiverList"),
    Case("[3].email=t@mail.example&[3].amount=1", "1 580001 [2]"),
    Case("[1000].email=t@mail.example", "1 580001 [1000].email"),
    Case("[1].email=%zz", "1 580001 [1].email"),
    Case("[1].email=%ff", "1 580001 [1].email"),
    Case("[1].email=a@b.example&&", "1 580001 [1].email"),
    Case("[1].primary[1]=false&[1].primary=true", "1 580001 [1].primary"),
    Case("trackingId=" + String(repeating: "t", count: 128), "1 580022 trackingId"),
    Case("memo=" + String(repeating: "%C3%A4", count: 1000)),
    Case("memo=" + String(repeating: "m", count: 1001)),
    Case("ipnNotificationUrl=http://a/" + String(repeating: "i", count: 1024)),
    Case("[1].invoiceId=" + String(repeating: "i", count: 256)),
    Case("[1].email=" + String(repeating: "e", count: 120) + "@b.example", "1 580022 [1].email"),
    Case(
      "actionType=x&currencyCode=y&feesPayer=z&[1].amount=w",
      "1 580022 actionType", "1 580022 feesPayer", "1 580022 [1].amount", "1 580027 currencyCode"),
  ]

  @Test("is reported with line, PayPal's error id and field, and the request is left out", arguments: cases)
  func told(example: Case) {
    let good = Self.chained.joined(separator: "&")
    let imported = Imported(nameValue: "\n" + Self.changed(example.change) + "\n\n" + good + "\n")
    #expect(imported.faults == example.faults.map { "2" + Self.spelled($0).dropFirst() }, "\(imported.told)")
    #expect(imported.requests == 2)
    #expect(imported.payments == (example.faults.isEmpty ? 2 : 1))
    #expect(imported.records.count == imported.payments)
    #expect(imported.lines.last?.hasPrefix(#"{"type":"trailer","recordCount":\#(imported.payments),"#) == true)
  }

  @Test("texts and addresses that no amount depends on are carried over whole, with a note as the batch has a notice")
  func texts() {
    let (memo, id) = (String(repeating: "m", count: 1001), String(repeating: "i", count: 256))
    let request = Self.changed("memo=\(memo)&[1].invoiceId=\(id)&ipnNotificationUrl=ftp://x")
    let imported = Imported(nameValue: request + "\n")
    #expect(imported.payments == 1 && imported.faults == [])
    for text in [memo, id, "ftp://x"] { #expect(imported.lines.joined().contains("\"\(text)\"")) }
    for code in ["TEXT_TOO_LONG: memo has", "TEXT_TOO_LONG: customId has", "URL_NOT_USED: "] {
      #expect(imported.told.contains { $0.contains(code) }, "\(imported.told)")
    }
  }

  /// The request with a change.
  private static func changed(_ change: String) -> String {
    var pairs = chained
    for part in change.split(separator: "&", omittingEmptySubsequences: false).map(spelled) {
      let name = part.drop { $0 == "-" }.prefix { $0 != "=" }
      // An empty pair means that the next one is added to the existing ones.
      if !part.isEmpty, !change.contains("&&") { pairs.removeAll { $0.hasPrefix(name + "=") } }
      if !part.hasPrefix("-") { pairs.append(part) }
    }
    return pairs.joined(separator: "&")
  }

  private static func spelled(_ text: some StringProtocol) -> String {
    String(text).replacing(/\[([0-9]+)\](?=$|\.)/) { "receiverList.receiver(\($0.1))" }
  }

  @Test(
    "phones that could be someone else's are faults wherever they are, with advice",
    arguments: [
      ("49", "%2B49%20(0)171%202345678"), ("49", "0049%20171%202345678"), ("44", "%2B44%20(0)20%207946%200958"),
      ("1", "1-408-555-1212"), ("91", "919876543210"), ("7", "8%20912%20345%2067%2089"), ("36", "06%2020%20123%204567"),
    ])
  func phones(countryCode: String, number: String) {
    func phone(_ party: String) -> String {
      "&\(party).phone.countryCode=\(countryCode)&\(party).phone.phoneNumber=\(number)"
    }
    let (receiver, address) = ("receiverList.receiver(0)", "https://svcs.paypal.com/AdaptivePayments/")
    let payment = "actionType=PAY&currencyCode=EUR&\(receiver).amount=10.00"
    for (text, field) in [
      (payment + phone(receiver), receiver), (payment + "&\(receiver).email=a@b.example" + phone("sender"), "sender"),
      ("\(address)Refund?payKey=AP-1&currencyCode=EUR&\(receiver).amount=10.00" + phone(receiver), receiver),
    ] {
      let imported = Imported(nameValue: text)
      #expect(imported.faults == ["1 589039 \(field).phone.phoneNumber"], "\(imported.told)")
      #expect(
        imported.told.contains {
          $0.contains("; write the number with +, as it is dialed from abroad: +\(countryCode) ")
        })
      #expect(imported.records == [])
    }
  }

  @Test(
    "an unencoded plus sign is pointed out",
    arguments: [
      ("[1].email=ann+shop@x.example", true), ("[1].email=ann%20shop@x.example", false),
      ("[1].email=+4930123456", true), ("senderEmail=ann+shop@x.example", true), ("currencyCode=U+SD", true),
      ("[1].amount=1+000.00", true), ("[1].amount=1,00", false), ("feesPayer=EACH+RECEIVER", true),
      ("-[1].email&[1].phone.countryCode=49&[1].phone.phoneNumber=+49+171+2345678", true),
      ("-[1].email&[1].phone.countryCode=1&[1].phone.phoneNumber=+442079460958", true),
      ("-[1].email&[1].phone.countryCode=49&[1].phone.phoneNumber=0171+2345678", true),
      ("-[1].email&[1].phone.countryCode=49&[1].phone.phoneNumber=0171%202345678", false),
      ("-senderEmail&sender.phone.countryCode=49&sender.phone.phoneNumber=+49301234567", true),
    ])
  func plus(change: String, isPointedOut: Bool) {
    let imported = Imported(nameValue: Self.changed(change))
    #expect(imported.faults.count == 1 && imported.records == [], "\(imported.told)")
    let hint = "; an unencoded + is a space, write %2B"
    #expect(imported.told.contains { $0.hasSuffix(hint) } == isPointedOut, "\(imported.told)")
    let encoded = Imported(nameValue: Self.changed(change).replacing("+", with: "%2B"))
    #expect(!encoded.told.contains { $0.contains(hint) }, "\(encoded.told)")
  }

  @Test func anUnencodedPlusSignOfATimeZoneIsPointedOut() {
    let imported = Imported(
      nameValue: "https://svcs.paypal.com/AdaptivePayments/Preapproval?currencyCode=EUR&maxTotalAmountOfAllPayments=9"
        + "&startingDate=2026-11-20T00:00:00+01:00&endingDate=2026-12-20T00:00:00%2B01:00",
      createdAt: "2026-11-20T00:00:00Z")
    #expect(imported.faults == ["1 580022 startingDate"], "\(imported.told)")
    #expect(imported.told.contains { $0.hasSuffix("; an unencoded + is a space, write %2B") }, "\(imported.told)")
  }

  @Test func spacesOfAPhoneNumberAreReadInEveryEncoding() {
    for number in ["171+234+5678", "171%20234%205678", "171 234 5678", "171-234.5678", "%2B49+171+2345678"] {
      let text = Self.changed("-[1].email&[1].phone.countryCode=%2B49&[1].phone.phoneNumber=\(number)")
      #expect(Imported(nameValue: text).records.first?.contains(#""+491712345678""#) == true, "\(number)")
    }
  }

  @Test func aTrackingIdTwiceIsAPaymentTwice() {
    let request =
      "actionType=PAY&currencyCode=USD&receiverList.receiver(0).email=a@b.example"
      + "&receiverList.receiver(0).amount=1&trackingId="
    let imported = Imported(nameValue: "\(request)T-1\n\(request)T-2\n\(request)T-1\n\(request)t 3\n\(request)t+3\n")
    #expect(imported.faults == ["3 579042 trackingId", "5 579042 trackingId"])
    #expect(imported.payments == 3)
  }

  @Test func valuesAreShownWithoutControlCharactersAndCardNumbers() {
    let imported = Imported(
      json:
        #"{"actionType":"\u001b[31mPAY","currencyCode":"4111 1111 1111 1111","4111111111111111":1,"feesPayer":"\u0034111111111111111"}"#
    )
    let told = imported.told.joined(separator: "\n")
    #expect(told.contains(#"is "\u001b[31mPAY""#))
    #expect(!told.contains("\u{1B}"))
    #expect(!told.contains("4111 1111 1111 1111") && !told.contains("4111111111111111"), "\(told)")
  }
}
