import Testing

/// One request in the forms in which people write it: all of them are the same payment.
@Suite("Forms of a request")
struct FormsTests {
  private static let pairs = [
    "feesPayer=SENDER", "actionType=PAY", "currencyCode=USD", "senderEmail=s@b.example",
    "receiverList.receiver(0).email=a@b.example", "receiverList.receiver(0).amount=10.00", "memo=Many thanks",
  ]
  private static let query = pairs.joined(separator: "&")
  private static let address = "https://svcs.paypal.com/AdaptivePayments/Pay"
  private static let record =
    #""status":"STATUS_COMPLETED","paymentCurrency":"USD","feePayer":"FEEPAYER_SENDER","sender":"s@b.example","#
    + #""memo":"Many thanks","receiverPaymentDetails":[{"recipient":"a@b.example","subtotal":"10.00"}]}"#

  private static func joined(_ separator: String) -> String { pairs.joined(separator: separator) }

  static let nameValue: [String] = [
    query, "Pay?\(query)", "/AdaptivePayments/Pay?\(query)", "\(address)?\(query)",
    joined("\n&"), joined("&\n"), joined("&\\\n"),
    "  \(joined("     #what it is, see &c.\n &"))  # more", "# a comment\n\(query)\n# another",
    "POST /AdaptivePayments/Pay HTTP/1.1\nHost: svcs.paypal.com\nContent-Type: a/b; charset=utf-8\n\n\(query)",
    "Host: svcs.paypal.com\nX-PAYPAL-REQUEST-DATA-FORMAT: NV\n\n\(query)",
    "HTTP Headers\n----\n-H \"X: y\"   #A header\n\nEndpoint\n----\n\(address)\n\nInput\n-----\n\(query)",
  ]

  @Test("of name-value pairs", arguments: nameValue)
  func nameValuePairs(text: String) { expectRecord(Imported(nameValue: text), "\(text)") }

  private static let object =
    #"{"feesPayer":"SENDER","actionType":"PAY","currencyCode":"USD","senderEmail":"s@b.example","#
    + "\n\n"
    + #""receiverList":{"receiver":[{"email":"a@b.example","amount":"10.00"}]},"memo":"Many thanks"}"#

  static let json: [String] = [
    object, "[\(object)]", "/* c */ \(object) # x\n", "# a comment\n\(object)", "\(address)\n\(object)",
  ]

  @Test("of JSON", arguments: json)
  func objects(text: String) { expectRecord(Imported(json: text), "\(text)") }

  private func expectRecord(_ imported: Imported, _ text: Comment) {
    #expect(imported.requests == 1 && imported.payments == 1, "\(text) \(imported.told)")
    #expect(imported.records.first?.hasSuffix("," + Self.record) == true, "\(text) \(imported.records)")
  }

  @Test(
    "in quotes and in shell commands are faults",
    arguments: [
      "\"\(query)\"", "'\(query)';", "-d \"\(query)\"", "--data='\(query)'",
      "-d\(query.replacing(" ", with: "+"))",
      "curl \(address)?\(query)", "curl -d '\(query)' \(address)", "curl \(address) -d '\(query)'",
      "curl '\(address)?\(query)'",
      "\(address) -d '\(query)'", "$ curl \(address) \\\n  -s \\\n  -d \"\(query)\" \\\n  -k\n",
      "curl -s\n-H \"X: y\"\n\(address) -d\n\"\(joined("\n&"))\"", "\"\(joined("\n"))\"",
    ])
  func quoted(text: String) {
    let line = text.prefix { $0 != "=" }.count { $0 == "\n" } + 1
    let imported = Imported(nameValue: text + "\n\n" + Self.query)
    #expect(imported.faults == ["\(line) 580001 "], "\(imported.told)")
    #expect(imported.payments == 1)
  }

  @Test(
    "with something left out are reported",
    arguments: [
      ("\(query)&lunch", ["lunch"]), ("\(query)\nlunch", ["lunch"]), ("\(query) #1", ["memo"]),
      ("\n\nSome words\n\(query)", [""]), ("GET /Pay?\(query) HTTP/1.1\n\n\(query)", [""]),
      ("curl https://x.example/\n\(query)", [""]), ("-H \"X: y\"\n\(query)", [""]), ("\(query)&&", []),
    ])
  func notes(text: String, expected: [String]) {
    let imported = Imported(nameValue: text)
    #expect(imported.notes == expected, "\(imported.told)")
    #expect(imported.payments == 1)
  }

  @Test func aRequestInQuotesEndsThoseAroundIt() {
    let imported = Imported(nameValue: "\(Self.query)\n-d \"lunch=1\"\n\(Self.query)\n'\(Self.query)'\n\(Self.query)")
    #expect(imported.faults == ["2 580001 ", "4 580001 "], "\(imported.told)")
    #expect(imported.payments == 3)
  }

  @Test func aFindingHasItsFieldsLine() {
    let text = """
      {
      "actionType":"PAY", "x\\"y:":[1, null,
      "currencyCode"],
      "currencyCode":"XXX",
      "receiverList":{"receiver":[
      {"amount":"x",
      "email":"a"}]},
      "memo":true}
      """
    #expect(
      Imported(json: text).told.map { String($0.prefix { $0 != ":" }) } == [
        "2 note x\"y", "3 note x\"y", "4 580027 currencyCode", "6 580022 receiverList.receiver(0).amount",
        "7 589039 receiverList.receiver(0).email",
      ])
  }
}
