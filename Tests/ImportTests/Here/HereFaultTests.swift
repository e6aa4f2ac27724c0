import Testing

/// Each row of `here.md`'s tables, with requests that violate it.
@Suite("What is wrong with PayPal Here requests")
struct HereFaultTests {
  static let fields: [(String, [String])] = [
    ("accepted=cash,card,,invoice,check,paypal,", []), ("accepted=", []), ("accepted=Cash", ["580022 accepted"]),
    ("accepted=cash, card", ["580022 accepted"]),
    ("returnUrl=my_app.x+y-z:", []), ("returnUrl=1app://x", ["580022 returnUrl"]), ("returnUrl=", ["580022 returnUrl"]),
    ("returnUrl=app", ["580022 returnUrl"]), ("as=B64", ["580022 as"]), ("as=", ["580022 as"]),
    ("step=", ["580022 step"]), ("step=pay", ["580022 step"]), ("+step=choosePayment", ["580001 step"]),
    ("payerPhone=(415) 555-1212", []), ("payerPhone=+49 30.123456", []),
    ("payerPhone=1155551212", ["580022 payerPhone"]),
    ("payerPhone=", ["580022 payerPhone"]), ("payerPhone=a@b.example", ["580022 payerPhone"]),
    ("invoice=NONE", ["580029 invoice"]), ("invoice=", ["580001 invoice"]), ("invoice=[]", ["580001 invoice"]),
    ("other=1 | +other=2", []),
  ]

  static let members: [(String, [String])] = [
    ("-invoice.merchantEmail", ["580029 invoice.merchantEmail"]),
    ("invoice.merchantEmail=\"cafe\"", ["589039 invoice.merchantEmail"]),
    ("invoice.merchantEmail=null", ["580022 invoice.merchantEmail"]),
    ("invoice.payerEmail=7", ["580022 invoice.payerEmail"]),
    ("invoice.payerEmail=\"a\"", ["589039 invoice.payerEmail"]),
    ("invoice.payerEmail=\"CAFE@shop.example\"", ["579033 invoice.payerEmail"]),
    ("-invoice.currencyCode", ["580029 invoice.currencyCode"]),
    ("invoice.currencyCode=\"usd\"", ["580027 invoice.currencyCode"]),
    ("invoice.currencyCode=1", ["580022 invoice.currencyCode"]),
    ("invoice.currencyCode=\"\"", ["580022 invoice.currencyCode"]),
    ("invoice.number=\"12345678\"", ["580022 invoice.number"]), ("invoice.number=7", ["580022 invoice.number"]),
    ("invoice.number=\"ééééééééééééééééééééééééé\"", []),
    ("invoice.number=\"abcdefghijklmnopqrstuvwxyz\"", ["580022 invoice.number"]),
    ("invoice.paymentTerms=\"\"", ["580022 invoice.paymentTerms"]),
    ("invoice.taxInclusive=\"true\"", []), ("invoice.taxInclusive=\"True\"", ["580022 invoice.taxInclusive"]),
    ("invoice.taxCalculatedAfterDiscount=1", ["580022 invoice.taxCalculatedAfterDiscount"]),
    ("invoice.discountPercent=101", ["580022 invoice.discountPercent"]),
    ("invoice.discountPercent=\"100.00\"", ["580022 invoice"]),
    ("invoice.discountAmount=\"1.001\"", ["580022 invoice.discountAmount"]), ("invoice.discountAmount=\"1.000\"", []),
    ("invoice.discountAmount=2.01", ["580022 invoice.discountAmount"]),
    ("invoice.discountPercent=1 | invoice.discountAmount=1", ["580022 invoice.discountAmount"]),
    ("invoice.discountPercent=1 | invoice.discountAmount=0", []),
    ("invoice.shippingAmount=-1", ["580022 invoice.shippingAmount"]), ("invoice.shippingAmount=-0", []),
    ("invoice.shippingTaxRate=\"x\"", ["580022 invoice.shippingTaxRate"]),
    ("invoice.customAmountValue=\"0.00\"", []), ("invoice.customAmountValue=1", ["580022 invoice.customAmountValue"]),
    ("invoice.gratuityAmount=\"\"", ["580022 invoice.gratuityAmount"]),
    ("invoice.itemList=[]", ["580022 invoice.itemList"]), ("invoice.itemList={}", ["580029 invoice.itemList.item"]),
    ("invoice.itemList={\"item\":[]}", ["580029 invoice.itemList.item"]),
    ("invoice.itemList={\"item\":[null]}", ["580022 invoice.itemList.item(0)"]),
    ("invoice.itemList={\"item\":{}}", ["580022 invoice.itemList.item"]),
    ("invoice.itemList={\"item\":1,\"item\":2}", ["580001 invoice"]),
    ("+invoice.currencyCode=\"USD\"", ["580001 invoice"]), ("invoice.own=1 | +invoice.own=2", []),
    ("-item.name", ["580029 [0].name"]), ("item.name=\"abcdefghijklmnopqrstuvwxyzabcde\"", ["580022 [0].name"]),
    ("item.description=1", ["580022 [0].description"]), ("item.taxName=\"\"", ["580022 [0].taxName"]),
    ("item.unitPrice=0.0001 | item.quantity=10000", []), ("item.unitPrice=-1", ["580022 [0].unitPrice"]),
    ("item.unitPrice=0", ["580022 invoice"]), ("item.quantity=0", ["580022 [0].quantity"]),
    ("-item.quantity", ["580029 [0].quantity"]), ("item.taxRate=100.1", ["580022 [0].taxRate"]),
    ("item.discountAmount=2.01", ["580022 [0].discountAmount"]), ("item.discountAmount=2", ["580022 invoice"]),
    ("item.discountPercent=1 | item.discountAmount=1", ["580022 [0].discountAmount"]),
    ("item.quantity=1e61", []), ("item.quantity=1e62", ["580022 invoice"]),
    ("+item.name=\"x\"", ["580001 invoice"]),
    (
      "invoice.currencyCode=\"x\" | item.unitPrice=1.001 | invoice.shippingAmount=1.001",
      ["580027 invoice.currencyCode"]
    ),
  ]

  static let responses: [(String, [String])] = [
    ("response.Tip=1", ["580029 response.Type"]), ("response.Type=", ["580029 response.Type"]),
    ("response.Type=swipe | response.Tip=1.5", []),
    ("response.Type=SWIPE | response.Tip=1.005", ["580022 response.Tip"]),
    ("response.Type=SWIPE | response.Tip=-1 | response.GrandTotal=9", ["580022 response.Tip"]),
    ("response.Type=SWIPE | response.Email=ann", ["589039 response.Email"]),
    ("response.Type=SWIPE | response.Email=Cafe@shop.example", ["579033 response.Email"]),
    ("response.Type=SWIPE | response.Email=ann@mail.example | invoice.payerEmail=\"cafe@shop.example\"", []),
    ("response.Type=SWIPE | response.Number=7", []),
    ("response.Type=SWIPE | response.Number=7 | invoice.number=\"8\"", ["580022 response.Number"]),
    ("response.Type=SWIPE | response.GrandTotal=2", []),
    ("response.Type=SWIPE | response.GrandTotal=2.01", ["580022 response.GrandTotal"]),
    ("response.Type=SWIPE | response.GrandTotal=x | -item.name", ["580029 [0].name", "580022 response.GrandTotal"]),
    ("response.Type=SWIPE | response.GrandTotal=9 | -item.name", ["580029 [0].name"]),
    ("response.Type=SWIPE | +response.Type=SWIPE", ["580001 response"]),
    ("response.Type=Cash | -item.name | step=x", []), ("response.Type=Cash | +item.name=1", ["580001 invoice"]),
    (
      "response.Type=SWIPE | step=x | invoice.number=1 | item.name=1 | response.Email=x",
      ["580022 step", "580022 invoice.number", "580022 [0].name", "589039 response.Email"]
    ),
    ("as=x | response.Tip=x", ["580022 as", "580029 response.Type", "580022 response.Tip"]),
  ]

  @Test("are reported with PayPal's error id and field, in order", arguments: fields + members + responses)
  func told(changes: String, faults: [String]) {
    let imported = HereExample(changes).imported
    let expected = faults.map { "1 " + $0.replacing("[0]", with: "invoice.itemList.item(0)") }
    #expect(imported.faults == expected, "\(imported.told)")
    #expect(imported.payments == (faults.isEmpty && !changes.contains("Cash") ? 1 : 0))
  }

  @Test(
    "show the value, and what it lacks",
    arguments: [
      ("invoice.payerEmail=\"+49 171-234.5678\"", "\"+49 171-234.5678\"; ", "without spaces, dots and hyphens"),
      ("invoice.payerEmail=\"ann@b\u{FC}cher.example\"", "\"ann@b\u{FC}cher.example\"; ", "with xn--"),
      ("response.Type=SWIPE | response.Email=ann@b\u{FC}cher.example", "\"ann@b\u{FC}cher.example\"; ", "with xn--"),
      ("invoice.payerEmail=\"b\u{FC}cher@x.example\"", "\"b\u{FC}cher@x.example\"; ", "like +14155551212"),
      ("invoice.payerEmail=\"+49 (0)171 2345678\"", "\"+49 (0)171 2345678\"; ", "like +14155551212"),
      ("invoice.payerEmail=\"4111 1111 1111 1111\"", "\"**** **** **** 1111\"; ", "like +14155551212"),
      ("invoice.currencyCode=\"usd\"", "\"usd\"; ", "settle knows"),
      ("step=pay\u{1B}", "\"pay\\u001b\"; ", "choosePayment"),
      ("invoice.discountPercent=100.5", "\"100.5\"; ", "at most 100"),
      ("item.unitPrice=\"1,00\"", "\"1,00\"; ", "12.50"),
      ("invoice.shippingAmount=-1", "\"-1\"; ", "zero or more"),
      ("invoice.shippingAmount=1.001", "\"1.001\"; ", "than USD has"),
      ("invoice.taxInclusive=\"True\"", "\"True\"; ", "true or false"),
      ("invoice.taxInclusive=[]", "is an array; ", "true or false"),
      ("response.Type=SWIPE | response.Number=7 | invoice.number=\"8\"", "\"7\"; ", "number, 8"),
    ])
  func values(changes: String, value: String, advice: String) {
    let told = HereExample(changes).imported.told
    #expect(told.count == 1 && told[0].contains(value) && told[0].hasSuffix(advice), "\(told)")
  }

  @Test(
    "in a line's structure: one error",
    arguments: [
      ("paypalhere://takePayment", "580001 "), ("paypalhere://takePayment/v3?x=1", "580001 "),
      ("paypalhere://takePayment#?invoice={}", "580001 "), ("x\ty\tz", "580001 "),
      ("PAYPALHERE://takepayment/V2?&&", "580029 invoice"), ("paypalhere://takePayment/?x=%zz", "580001 "),
      ("paypalhere://takePayment?%ff=1", "580001 "), ("paypalhere://takePayment?%73tep=%f", "580001 step"),
      ("paypalhere://takePayment?invoice={}#%zz\tapp:?a=%", "580001 response"),
      ("paypalhere://takePayment?as=b64&invoice=e30\t?Type=CHECK", ""),
    ])
  func structure(line: String, fault: String) {
    let imported = Imported(Array("\n# words\n \t\r\n\(line)\r\n".utf8), .here)
    #expect(imported.faults == (fault.isEmpty ? [] : ["4 " + fault]), "\(imported.told)")
    #expect(imported.requests == 1 && imported.payments == 0)
  }

  @Test(
    "Base64",
    arguments: [
      ("", ""), ("eyI_", "{\"?"), ("eyI/", "{\"?"), ("e30=", "{}"), ("e30", "{}"), ("e3\r\n0=", "{}"), ("e31=", nil),
      ("e30==", nil), ("e3=0", nil), ("e", nil), ("e30*", nil), ("e30=e30=", nil), ("AAAA====", nil), ("ew==", "{"),
      ("ew=", nil),
    ] as [(String, String?)])
  func base64(text: String, expected: String?) {
    let imported = Imported(Array("paypalhere://takePayment?as=b64&invoice=\(HereExample.encoded(text))".utf8), .here)
    #expect(imported.told.first?.contains("is not Base64") == (expected == nil), "\(imported.told)")
  }

  @Test("a number that a payment had")
  func numbers() {
    let lines = [
      "invoice.number=\"7\" | step=x", "invoice.number=\"7\"", "invoice.number=\"7\"", "invoice.number=\"8\"",
    ]
    let imported = Imported(Array(lines.map { HereExample($0).line }.joined(separator: "\n").utf8), .here)
    #expect(imported.faults == ["1 580022 step", "3 579042 invoice.number"])
    #expect(imported.payments == 2)
  }
}
