import Testing

@testable import Payouts

@Suite("Bank accounts")
struct BankAccountTests {
  @Test(
    "an IBAN is checked for form, country, length, structure and check digits, in this order",
    arguments: [
      ("DE89370400440532013000", nil), ("GB29NWBK60161331926819", nil), ("NO9386011117947", nil),
      ("DE8937040044053201300-", "IBAN_FORM"), ("D189370400440532013000", "IBAN_FORM"), ("DE89", "IBAN_FORM"),
      ("US64SVBKUS6S3300958879", "IBAN_COUNTRY"), ("DE8937040044053201300", "IBAN_LENGTH"),
      ("DE8937040044053201300X", "IBAN_FORM"), ("DE88370400440532013000", "IBAN_CHECKSUM"),
      ("DE00370400440532013000", "IBAN_CHECKSUM"),
    ] as [(String, String?)])
  func iban(text: String, code: String?) {
    let fault = BankAccount.fault(iban: text.utf8Span.span)
    #expect(fault?.rawValue == code)
  }
}
