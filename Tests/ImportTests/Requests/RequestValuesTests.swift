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
      ("1", "4085551234", "+14085551234"), ("1", "408-555-1234", "+14085551234"), ("1", "408.555.1234", "+14085551234"),
      ("+1", "408 555 1234", "+14085551234"), ("49", "30 123-456", "+4930123456"),
      ("61", "431 301 201", "+61431301201"),
      ("49", "+49 171 2345678", "+491712345678"), ("1", "+1-408-555.1234", "+14085551234"),
      // In some countries a 0 follows the code.
      ("39", "+39 06 1234567", "+39061234567"), ("7", "912 345 67 89", "+79123456789"),
      ("7", "+7 812 345 67 89", "+78123456789"), ("49", "812345678", "+49812345678"),
      ("44", "20 7946 0958", "+442079460958"), ("36", "+36201234567", "+36201234567"),
      ("998", "90 123 45 67", "+998901234567"), ("1", "+14085551234567", "+14085551234567"),

      ("49", "+49 (0)171 2345678", nil), ("49", "(0171) 2345678", nil), ("49", "0171 2345678", nil),
      ("49", "0049 171 2345678", nil), ("49", "+0049 171 2345678", nil), ("49", "49 171 2345678", nil),
      ("49", "0 49 171 2345678", nil), ("44", "+44 (0)20 7946 0958", nil), ("44", "020 7946 0958", nil),
      ("44", "(0)20 7946 0958", nil), ("1", "1-408-555-1212", nil), ("1", "1 (408) 555-1212", nil),
      ("1", "(408) 555-1212", nil), ("1", "011 44 20 7946 0958", nil), ("91", "919876543210", nil),
      ("91", "+919876543210 ext 5", nil), ("7", "8 912 345 67 89", nil), ("7", "8(912)3456789", nil),
      ("7", "7 912 345 67 89", nil), ("7", "79123456789", nil), ("36", "06 20 123 4567", nil),
      ("36", "36 20 123 4567", nil), ("39", "06 1234567", nil), ("49", "030 / 123456", nil), ("49", "171/2345678", nil),
      ("1", "+442079460958", nil), ("4", "+", nil), ("1", "+", nil), ("1", "-", nil), ("123", ".", nil),
      ("1", "408", nil),
      ("1", "++14085551234", nil), ("1", "4085551234+", nil), ("1", "408555123456789", nil), ("1", "555-CALL", nil),
      ("1", "408\u{A0}5551234", nil), ("1", "408\t5551234", nil), ("1", "\u{FF14}085551234", nil),
      ("1", "4085551234\u{301}", nil), ("1", "a@b.example", nil), ("1", "#31#4085551234", nil),
      ("1", "*4085551234", nil),
    ] as [(String, String, String?)])
  func phone(countryCode: String, number: String, expected: String?) throws {
    #expect(RequestValues.phone(try #require(RequestValues.countryCode(countryCode)), number) == expected)
  }

  @Test("country codes", arguments: ["", "0", "01", "0049", "00", "++1", "+ 1", "1234", "US", "4 9", "-1", "\u{FF11}"])
  func countryCode(text: String) {
    #expect(RequestValues.countryCode(text) == nil)
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
