import Import
import Testing

@Suite("Payments of PayPal Here requests")
struct HerePaymentTests {
  @Test(
    "have their amounts",
    arguments: [
      // The tax of each line is rounded separately: 0.0425 twice.
      ("item.unitPrice=0.5 | item.taxRate=8.5", "0.50 0.04 0.00 0.50"),
      ("item.unitPrice=1.005", "1.01 0.00 0.00 1.01"),
      ("item.unitPrice=0.75 | item.quantity=3 | item.discountPercent=10 | item.taxRate=8", "2.02 0.18 0.00 2.02"),
      ("invoice.discountPercent=10 | item.taxRate=10", "1.78 0.20 0.00 1.78"),
      ("invoice.discountPercent=10 | item.taxRate=10 | invoice.taxCalculatedAfterDiscount=true", "1.80 0.18 0.00 1.80"),
      ("invoice.discountPercent=10 | item.taxRate=10 | invoice.taxInclusive=true", "1.80 0.00 0.00 1.80"),
      ("invoice.shippingAmount=4 | invoice.shippingTaxRate=8.5", "2.00 0.34 4.00 2.00"),
      ("invoice.shippingAmount=4 | invoice.shippingTaxRate=8.5 | invoice.taxInclusive=\"true\"", "2.00 0.00 4.00 2.00"),
      ("invoice.currencyCode=\"HUF\" | item.unitPrice=2.5 | item.taxRate=50", "3 2 0 3"),
      ("response.Type=PAYPAL | response.Tip=5", "7.00 0.00 0.00 2.00 5.00"),
      ("response.Type=PAYPAL | response.Tip=5 | item.unitPrice=0", "5.00 0.00 0.00 0.00 5.00"),
      (
        #"invoice.itemList={"item":[{"name":"a","unitPrice":1,"quantity":1},{"name":"a","unitPrice":"1.0","quantity":1,"taxRate":0},"#
          + #"{"name":"b","unitPrice":1,"quantity":1},{"name":"c","unitPrice":1,"quantity":1}]} | invoice.discountAmount=1"#,
        "2.00 0.00 0.00 0.66 0.67 0.67"
      ),
    ])
  func amounts(changes: String, amounts: String) throws {
    let imported = HereExample(changes).imported
    let record = try #require(imported.records.first, "\(imported.told)")
    let found = record.matches(of: /"(?:subtotal|totalTax|totalShipping|totalPrice)":"([0-9.]+)"/).map { String($0.1) }
    #expect(found.joined(separator: " ") == amounts)
  }

  @Test(
    "have the values that the app called back",
    arguments: [
      ("", "CREATED"), ("Swipe", "COMPLETED CARD SWIPED"), ("CHIP", "COMPLETED CARD SWIPED"),
      ("EMV_SWIPE", "COMPLETED CARD SWIPED"), ("ChipCard", "COMPLETED CARD SWIPED"), ("KEY", "COMPLETED CARD KEYED"),
      ("SCAN", "COMPLETED CARD KEYED"), ("CARD", "COMPLETED CARD"), ("CreditCard", "COMPLETED CARD"),
      ("DEBITCARD", "COMPLETED CARD"), ("PayPal", "COMPLETED"), ("Invoice", "CREATED"), ("GIFT", "OTHER"),
      ("\u{212A}EY", "OTHER"), ("Unknown", ""), ("CANCEL", ""), ("Cash", ""), ("check", ""),
    ])
  func types(type: String, expected: String) {
    let imported = HereExample(type.isEmpty ? "" : "response.Type=\(type)").imported
    let words = /"(?:status|fundingSource|entry)":"(?:STATUS_)?([A-Z]+)"/
    let found = imported.records.map { $0.matches(of: words).map { String($0.1) }.joined(separator: " ") }
    #expect(found == (expected.isEmpty ? [] : [expected]) && imported.faults == [])
    #expect(imported.notes.contains("response.Type") == (expected == "OTHER" || expected.isEmpty))
  }

  @Test(
    "take their values from the places in the return URL",
    arguments: [
      ("app:?Type={Type}&Tip={Tip}", "Type=CARD&Tip=1", "3.00"),
      ("app:?t={Type}&x%20y={Tip}", "t=CARD&x%20y=1", "3.00"),
      ("app:?Tip={Type}&Type={Tip}", "Tip=CARD&Type=1", "3.00"), ("app:?Tip={Type}", "Tip=CARD", "2.00"),
      ("app:?t={Tip}&u={Tip}", "Type=CARD&t=1&u=5", "3.00"), ("app:?t={Tip}x", "Type=CARD&Tip=1", "3.00"),
      ("app:?t={Type}&t={InvoiceId}", "t=CARD", "2.00"), ("app:/{result}?a?{result}t={Tip}", "Type=CARD&t=1", "3.00"),
      ("app:#?t={Tip}", "Type=CARD&Tip=1&t=5", "3.00"), ("app:?t={Type}&Tip={Tip}#", "t=CARD&&Tip=", "2.00"),
    ])
  func names(returnURL: String, query: String, subtotal: String) {
    let line = HereExample("returnUrl=" + returnURL).line + "\tapp:?Tip=9?" + query + "#?Tip=8"
    let imported = Imported(Array(line.utf8), .here)
    #expect(imported.records.first?.contains(#""subtotal":"\#(subtotal)""#) == true, "\(imported.told)")
  }

  @Test("have their keys, texts and senders")
  func record() throws {
    let changes =
      #"invoice.number="n\u00091" | payerPhone=415 555 1212 | response.Type=KEY | response.InvoiceId=a"b\"#
      + #" | item.name="\u00e9\u007f" | item.unitPrice=20e-1"#
    let line = HereExample(changes).line
    let imported = Imported(Array((line + "\n" + HereExample("").line).utf8), .here)
    let expected = #"""
      {"payKey":"here-7c057162388bdfed12411430b61c376e","status":"STATUS_COMPLETED","paymentCurrency":"USD",
      "sender":"+14155551212","fundingSource":"CARD","card":{"entry":"KEYED"},"receiverPaymentDetails":[
      {"recipient":"cafe@shop.example","subtotal":"2.00","invoiceData":{"totalTax":"0.00","totalShipping":"0.00",
      "invoiceItems":[{"name":"é\#u{7F}","itemPrice":"20e-1","itemCount":"1","totalPrice":"2.00"}]},
      "description":"a\"b\\","customId":"n\u00091"}]}
      """#
    #expect(imported.records.first == expected.replacing("\n", with: ""))
    // SHA-256 of the record with an empty pay key, computed by another program.
    #expect(imported.records.last?.contains("\"payKey\":\"here-e1c745ff096c58575db31e0c18d75e2c-1\"") == true)
    #expect(imported.lines.last == #"{"type":"trailer","recordCount":2,"totals":{"USD":"4.00"}}"#)
  }

  @Test("without a number are counted among equal ones over all files, and keep their keys when a log grows")
  func equal() {
    let (mug, pen) = (HereExample("").line, HereExample("item.name=\"Pen\"").line)
    let wrong = HereExample("item.quantity=0").line
    func keys(_ files: String...) -> [String] {
      var batch = RequestImport(.here)
      for file in files { #expect(batch.read(Array(file.utf8)) { _ in }) }
      var written: [UInt8] = []
      batch.writeBatch { written.append($0) }
      let keys = String(decoding: written, as: UTF8.self).matches(of: /"payKey":"([^"]*)"/).map { String($0.1) }
      #expect(batch.withoutNumber == keys.count { $0.hasSuffix("-1") || $0.hasSuffix("-2") })
      return keys
    }
    let night = keys("\(mug)\n\(pen)")
    #expect(keys("\(wrong)\n\(mug)\n\n\(pen)\r\n\(mug)") == night + [night[0].dropLast() + "2"])
    #expect(keys(mug, pen, mug) == night + [night[0].dropLast() + "2"])
    #expect(keys(HereExample("response.Type=KEY | response.InvoiceId=I-2").line) != keys(mug))
    #expect(keys(HereExample("invoice.number=\"7\"").line).allSatisfy { $0.wholeMatch(of: /here-[0-9a-f]{32}/) != nil })
  }

  @Test("of a signed-in merchant need not name the merchant")
  func merchant() {
    func imported(_ changes: String) -> Imported {
      Imported(Array(HereExample(changes).line.utf8), .here, merchant: "Cafe@Shop.example")
    }
    #expect(imported("-invoice.merchantEmail").records.first?.contains(#""recipient":"cafe@shop.example""#) == true)
    #expect(imported("").payments == 1)
    #expect(imported("invoice.merchantEmail=\"bar@shop.example\"").faults == ["1 580022 invoice.merchantEmail"])
  }
}
