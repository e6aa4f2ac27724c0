import Import
import Testing

/// One request as people write it down: however it stands there, it is the same payment.
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
    query, "\"\(query)\"", "'\(query)';", "Pay?\(query)", "/AdaptivePayments/Pay?\(query)", "\(address)?\(query)",
    "-d \"\(query)\"", "-d '\(query)'", "--data \"\(query)\"", "--data '\(query)'", "--data-raw '\(query)'",
    "--data-binary '\(query)'", "-d\(query.replacing(" ", with: "+"))", "-sd '\(query)'", "--data='\(query)'",
    "-H 'X: y' -d '\(query)'", "-H \"X: y\"\n\(address) -d\n\"\(query)\"",
    "curl \(address) -d '\(query)'", "curl -d '\(query)' \(address)", "curl -s -X POST --data \"\(query)\" \(address)",
    "curl --data '\(query)' -H 'X-PAYPAL-APPLICATION-ID: A' \(address)", "curl '\(address)?\(query)'",
    "curl \(address) \\\n  -s \\\n  -H \"X: y\" \\\n  -d \"\(query)\"\n",
    "curl \(address)\\\n -d \\\n '\(query)' -k \\\n",
    "/usr/bin/curl \(address) -d \"\(query)\"", "$ curl -d \"\(query)\" \(address) > answer.txt # and see",
    "sudo curl -d '\(query)' \(address)", "curl -d '\(query)' \(address) || exit 1",
    "curl -H 'X: $USER' -d '\(query)' \(address)", "\(address) -d '\(query)'",
    "curl \(address) -d '\(joined("' -d '"))'",
    "curl \(address) -d \"\(joined("\n&"))\"", "-d \"\(joined("\n&"))\"", "-d \"\(joined("\\\n&"))\"",
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
    object, "[\(object)]", "/* c */ \(object) # x\n", "# a comment\n\(object)", "-d '\(object)'",
    "curl -d '\(object)' \(address)", "curl \(address) \\\n  -s \\\n  --data-raw '\(object)'",
    "curl -d \"\(object.replacing("\"", with: "\\\""))\" \(address)",
    "/usr/bin/curl \(address) -d '\(object)'|jq .payKey",
  ]

  @Test("of JSON", arguments: json)
  func objects(text: String) { expectRecord(Imported(json: text), "\(text)") }

  private func expectRecord(_ imported: Imported, _ text: Comment) {
    #expect(imported.requests == 1 && imported.payments == 1, "\(text) \(imported.told)")
    #expect(imported.records.first?.hasSuffix("," + Self.record) == true, "\(text) \(imported.records)")
  }

  @Test(
    "that cannot be read are faults",
    arguments: [
      ("curl -d @body.txt \(address)", "1 580001 "), ("curl -F 'a=1' \(address)", "1 580001 "),
      ("curl -d 'memo=Bob's \(query)' \(address)", "1 580001 "),
      ("curl -d \"senderEmail=s@x.example\" \\\n\(query.replacing(" ", with: "+"))", "2 580001 "),
      ("curl -H 'X: y -d \"\(query)\" \(address)", "1 580001 "),
      // Nothing that a shell would change becomes a payment.
      ("RESULT=$(curl -s \(address) -d \"\(query)\"\\\n&memo=x)", "1 580001 "),
      ("K=`curl -s \\\n\(address) -d '\(query)'|jq .payKey`", "1 580001 "),
      ("if curl \(address) \\\n -d '\(query)'; then", "1 580001 "),
      ("curl -d \"\(query)&memo=$MEMO\" \(address)", "1 580001 "),
      ("curl -d \"\(query)&memo=`date`\" \(address)", "1 580001 "),
      ("curl -d \"\(query)\"$REST \(address)", "1 580001 "), ("curl -d $'\(query)' \(address)", "1 580001 "),
      ("curl -d '\(query)\n\n\(query)", "1 580001 "), ("curl \(address)?$QUERY", "1 580001 "),
      ("curl --data-urlencode '\(query)' \(address)", "1 580001 "),
      ("curl -d '\(query)&memo=Bob's and Ann's' \(address)", "1 580001 "),
      ("curl \(address) -d 'memo=Bob's\n&\(query)'", "1 580001 "), ("\"\(query)&memo=\"a\n&feesPayer=x\"", "1 580001 "),
      ("curl -d '\(query)' \(address) 2>/dev/null", "1 580001 "),
      ("curl \(address) -d", "1 580001 "), ("'\(query)", "1 580001 "), ("'\(query)' and more", "1 580001 "),
    ])
  func faults(text: String, expected: String) {
    let imported = Imported(nameValue: text)
    #expect(imported.faults == [expected], "\(imported.told)")
    #expect(imported.payments == 0)
  }

  @Test(
    "of which something is left out are told",
    arguments: [
      ("\(query)&lunch", ["lunch"]), ("\(query)\nlunch", ["lunch"]), ("\(query) #1", ["memo"]),
      ("\n\nSome words\n\(query)", [""]), ("GET /Pay?\(query) HTTP/1.1\n\n\(query)", [""]),
      ("curl https://x.example/\n\(query)", [""]), ("\(query)&&", []),
    ])
  func notes(text: String, expected: [String]) {
    let imported = Imported(nameValue: text)
    #expect(imported.notes == expected, "\(imported.told)")
    #expect(imported.payments == 1)
  }

  @Test func commandsOfAFileAreRequestsEach() {
    let command = "curl -d '\(Self.query)' \(Self.address)"
    #expect(Imported(nameValue: command + "\n" + command + "; " + command).payments == 3)
    #expect(Imported(nameValue: Self.query + "\n" + command + "\n" + Self.query).payments == 3)
    let json = "curl -d '\(Self.object)' \(Self.address)"
    #expect(Imported(json: json + " && " + json + "\n" + Self.object).payments == 3)
  }

  @Test func aCommandThatIsNotUnderstoodEndsWhereTheNextBegins() {
    let command = "curl -d '\(Self.query)' \(Self.address)"
    let imported = Imported(nameValue: "\(command)\ncurl -H 'X: y -d \"\n\(Self.query)\n\(command)")
    #expect(imported.faults == ["2 580001 "], "\(imported.told)")
    #expect(imported.payments == 2)
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
