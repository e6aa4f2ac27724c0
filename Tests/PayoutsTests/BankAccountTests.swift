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
      ("DE00370400440532013000", "IBAN_CHECKSUM"), ("DE893704004405320130000", "IBAN_LENGTH"),
      ("GB291WBK60161331926819", "IBAN_FORM"), ("GB29NWBKX0161331926819", "IBAN_FORM"),
      // The remainder is 1 with the check digits 02 and 99, 97 and 00, 98 and 01: only one of each two is valid.
      ("DE02370400440532013014", nil), ("DE99370400440532013014", "IBAN_CHECKSUM"),
      ("DE97370400440532013050", nil), ("DE00370400440532013050", "IBAN_CHECKSUM"),
      ("DE98370400440532013032", nil), ("DE01370400440532013032", "IBAN_CHECKSUM"),
    ] as [(String, String?)])
  func iban(text: String, code: String?) {
    let fault = BankAccount.fault(iban: text.utf8Span.span)
    #expect(fault?.rawValue == code)
  }

  // Of those with nine digits, all but 011000016 add up.
  @Test(
    "a routing number has nine digits that add up, the first two of a district",
    arguments: [
      ("011000015", true), ("121000248", true), ("211000019", true), ("323000017", true), ("611000017", true),
      ("721000017", true), ("000000000", false), ("131000018", false), ("201000016", false), ("331000012", false),
      ("601000014", false), ("731000010", false), ("011000016", false), ("01100001", false), ("0110000150", false),
      ("01100001X", false),
    ])
  func routing(text: String, isValid: Bool) {
    #expect(BankAccount.isRouting(text.utf8Span.span) == isValid)
  }

  @Test(
    "an account number has 1 to 17 characters, not zeros and hyphens alone",
    arguments: [
      ("1", true), ("a-Z", true), ("12345678901234567", true), ("0-1", true), ("", false),
      ("123456789012345678", false), ("0", false), ("-", false), ("00-00", false), ("1 2", false), ("@", false),
      ("[", false),
    ])
  func accountNumber(text: String, isValid: Bool) {
    #expect(BankAccount.isAccountNumber(text.utf8Span.span) == isValid)
  }

  @Test(
    "the last four characters are shown of eight or more",
    arguments: [("12345678", "5678"), ("1234567", ""), ("1234", ""), ("DE89370400440532013000", "3000")])
  func ending(text: String, shown: String) {
    #expect([UInt8](BankAccount.ending(text.utf8Span.span)) == Array(shown.utf8))
  }
}
