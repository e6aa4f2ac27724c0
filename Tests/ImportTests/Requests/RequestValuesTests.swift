import ExactArithmetic
import TestSupport
import Testing

@testable import Import

@Suite("Values of requests")
struct RequestValuesTests {
  @Test(
    "decimals",
    arguments: [
      ("1", "1"), ("1.00", "1.00"), ("+1.5", "1.5"), ("-1.5", "-1.5"), (".5", "0.5"), ("5.", "5"), ("007.10", "7.10"),
      ("0", "0"), ("000", "0"), ("-0.0", "-0.0"), ("1e2", "1e2"), ("1.5E-2", "1.5E-2"), ("1e+2", "1e+2"),
      ("9007199254740993.01", "9007199254740993.01"), ("", nil), (".", nil), ("+", nil), ("1e", nil), ("e1", nil),
      ("1,00", nil), ("1.0.0", nil), ("1 0", nil), ("0x1", nil), ("NaN", nil), ("INF", nil), ("１", nil), ("--1", nil),
    ] as [(String, String?)])
  func decimal(text: String, expected: String?) {
    #expect(RequestValues.decimal(text) == expected)
  }

  @Test(
    "phone numbers",
    arguments: [
      ("1", "4085551234", "+14085551234"), ("1", "(408) 555-1234", "+14085551234"),
      ("+49", "030 / 123.456", "+4930123456"),
      ("0049", "30123456", "+4930123456"), ("61", "0431 301 201", "+61431301201"), ("39", "06 1234567", "+39061234567"),
      ("1", "+44 20 7946 0000", "+442079460000"), ("1", "0", "+1"), ("1", "", nil), ("", "4085551234", nil),
      ("1", "555-CALL", nil), ("US", "4085551234", nil),
    ] as [(String, String, String?)])
  func phone(countryCode: String, number: String, expected: String?) {
    let phone = RequestValues.phone(countryCode: countryCode, number: number)
    #expect(phone?.account == expected)
  }

  @Test("amounts are carried over exactly, in every format")
  func exactness() throws {
    var random = SeededGenerator()
    for _ in 0..<150 {
      let whole = String(
        (0..<Int.random(in: 1...40, using: &random)).map { _ in "0123456789".randomElement(using: &random)! })
      let digits = whole.drop { $0 == "0" }
      let amount =
        (digits.isEmpty ? "1" : String(digits)) + [".01", ".5", ".90", "", ".00"].randomElement(using: &random)!
      let receiver = #"{"email":"a@b.example","amount":"#
      let json = #"{"actionType":"PAY","currencyCode":"USD","receiverList":{"receiver":[\#(receiver)"#
      for imported in [
        Imported(json: json + amount + "}]}}"), Imported(json: json + "\"\(amount)\"}]}}"),
        Imported(
          nameValue: "actionType=PAY&currencyCode=USD&receiverList.receiver(0).email=a@b.example"
            + "&receiverList.receiver(0).amount=\(amount)"),
      ] {
        #expect(
          imported.records.first?.contains(#""subtotal":"\#(amount)""#) == true,
          "\(imported.told) \(random.reproduction)")
        let total = try #require(ExactDecimal(amount)).exact(at: -2)
        #expect(
          imported.lines.last == #"{"type":"trailer","recordCount":1,"totals":{"USD":"\#(try #require(total))"}}"#,
          "\(random.reproduction)")
      }
    }
  }
}
