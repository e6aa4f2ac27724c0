import Money
import Testing

@testable import BatchRun
@testable import Payouts

@Suite("Files that a payout reads")
struct InputFileTests {
  let workshop: PayoutWorkshop

  init() throws { workshop = try PayoutWorkshop() }

  private func faults<File: RecordFile>(_ type: File.Type, _ bytes: [UInt8]) throws -> [String] {
    try workshop.folder.write(bytes, to: "file.csv")
    return File.read(workshop.path("file.csv")).content.faults.map { fault in
      "\(fault.line): \(fault.code.rawValue)" + (fault.column.map { " at \(File.columns[$0])" } ?? "")
    }
  }

  private static let iban = "a@x.example,EUR,Anna,IBAN,DE89370400440532013000,,,,,,"
  private static let ach = "a@x.example,USD,Anna,ACH,,,011000015,1,CHECKING,PERSON,"

  @Test(
    "each row's errors",
    arguments: [
      (iban, []), (ach, []), ("", []), (" \t\r", []), (String(repeating: " ", count: 5_000), []),
      ("\"a@x.example\",EUR,\"Anna, \"\"A\"\"\",IBAN,de89 3704 0044 0532 0130 00,,,,,,no\r", []),
      ("A@X.example,EUR,Anna,IBAN,DE89370400440532013000, deutdeff ,,,,,yes", []),
      ("a@x.example,USD,Anna,ACH,  , ,011000015,a-Z1,SAVINGS,COMPANY,", []),
      (String(repeating: "x", count: 4_097), ["2: RECORD_TOO_LONG"]),
      (String(repeating: "x", count: 4_096), ["2: FIELD_COUNT"]),
      (String(repeating: "x", count: 4_096) + "\r", ["2: FIELD_COUNT"]),
      (String(repeating: "x", count: 3_000_000), ["2: RECORD_TOO_LONG"]),
      (iban + ",", ["2: FIELD_COUNT"]), ("a\"b", ["2: MALFORMED_CSV"]), ("\"a\"b", ["2: MALFORMED_CSV"]),
      ("\"a", ["2: MALFORMED_CSV"]),
      (
        ",,,,,,,,,,",
        [
          "2: MISSING_FIELD at account", "2: MISSING_FIELD at currency", "2: MISSING_FIELD at name",
          "2: MISSING_FIELD at method",
        ]
      ),
      ("a@x.example,EUR,Anna,IBAN,DE89370400440532013000\r,,,,,,", ["2: IBAN_FORM at iban"]),
      ("a@x.example,EUR,Anna,IBAN,AE070331234567890123456,,,,,,", ["2: MISSING_FIELD at bic"]),
      ("a@x.example,GBP,Anna,IBAN,DE89370400440532013000,,,,,,", ["2: MISSING_FIELD at bic"]),
      (
        "a@x.example,GBP,Anna,IBAN,DE88370400440532013000,,,,,,",
        ["2: IBAN_CHECKSUM at iban", "2: MISSING_FIELD at bic"]
      ),
      ("a@x.example,EUR,Anna,IBAN,AE080331234567890123456,,,,,,", ["2: IBAN_CHECKSUM at iban"]),
      ("a@x.example,XXX,Anna,ACH,,,011000015,1,CHECKING,PERSON,", ["2: CURRENCY_NOT_SUPPORTED at currency"]),
      (
        "a@x.example,EUR,Anna,ACH,X,,1,,CHECKING,,maybe",
        [
          "2: METHOD_CURRENCY at method", "2: FIELD_NOT_ALLOWED at iban", "2: INVALID_ROUTING at routing",
          "2: MISSING_FIELD at account_number", "2: MISSING_FIELD at holder", "2: INVALID_VALUE at hold",
        ]
      ),
      ("a@x.example,EUR,Anna,iban,X,X,X,X,X,X,", ["2: INVALID_VALUE at method"]),
      ("a@x.example,EUR,  ,IBAN,DE89370400440532013000,,,,,,", ["2: MISSING_FIELD at name"]),
      ("a@x.example,EUR, - ,IBAN,DE89370400440532013000,,,,,,", ["2: NAME_CHARACTERS at name"]),
      ("a@x.example,EUR,\u{A0},IBAN,DE89370400440532013000,,,,,,", ["2: NAME_CHARACTERS at name"]),
      ("a@x.example,EUR,A\u{1F600},IBAN,DE89370400440532013000,,,,,,", ["2: NAME_CHARACTERS at name"]),
      ("a@x.example,EUR,\(String(repeating: "ß", count: 35))  ,IBAN,DE89370400440532013000,,,,,,", []),
      (
        "a@x.example,EUR,\(String(repeating: "ß", count: 35)) A,IBAN,DE89370400440532013000,,,,,,",
        ["2: NAME_TOO_LONG at name"]
      ),
    ] as [(String, [String])])
  func payees(row: String, expected: [String]) throws {
    #expect(try faults(PayeeFile.self, Array("\(PayoutWorkshop.payeesHeader)\n\(row)\n".utf8)) == expected)
  }

  @Test(
    "the header, the byte order mark, and lines that are not text",
    arguments: [
      ([], ["1: PAYEES_HEADER"]), (Array("\n \n".utf8), ["2: PAYEES_HEADER"]),
      (Array("x\ny".utf8), ["1: PAYEES_HEADER"]),
      ([0xEF, 0xBB, 0xBF] + Array((PayoutWorkshop.payeesHeader + "\r\n" + iban).utf8), []),
      (Array(("\n" + PayoutWorkshop.payeesHeader).utf8), []),
      (Array((PayoutWorkshop.payeesHeader + "\n").utf8) + [0xFF, 0x0A], ["2: INVALID_UTF8"]),
      (Array((PayoutWorkshop.payeesHeader + "\n" + iban + "\n" + iban).utf8), ["3: DUPLICATE_PAYEE at account"]),
      (
        Array((PayoutWorkshop.payeesHeader + "\n" + ach + "\n" + iban + "\nA" + ach.dropFirst() + "x\n" + ach).utf8),
        ["4: DUPLICATE_PAYEE at account", "4: INVALID_VALUE at hold", "5: DUPLICATE_PAYEE at account"]
      ),
    ] as [([UInt8], [String])])
  func headers(bytes: [UInt8], expected: [String]) throws {
    #expect(try faults(PayeeFile.self, bytes) == expected)
  }

  @Test("payees are found in the order of accounts, whatever order the file has")
  func order() throws {
    let accounts = (0..<500).map { "user\($0 * 7919 % 500)@shop\($0 % 3).example" }
    for rows in [accounts, accounts.sorted()] {
      let text = ([PayoutWorkshop.payeesHeader] + rows.map { "\($0)," + Self.iban.dropFirst(12) }).joined(
        separator: "\n")
      #expect(try faults(PayeeFile.self, Array(text.utf8)) == [])
      let payees = PayeeFile.read(workshop.path("file.csv")).content.payees
      for account in (accounts + ["user1@shop.example", "z@z.example"]).sorted() {
        let found = Array(account.utf8).withUnsafeBufferPointer { payees.find($0, Currency(code: "EUR")!) }
        #expect((found != nil) == accounts.contains(account), "\(account)")
        if let found { #expect(payees.account(found).elementsEqual(account.utf8)) }
      }
    }
  }

  @Test(
    "what is wrong with a debtor file is reported with its pointer, only the first",
    arguments: [
      ("{}", nil), (#"{"EUR":{}}"#, nil), (#"{"EUR":{"IBAN":{"name":"Ä","iban":"de89 3704 0044 0532 0130 00"}}}"#, nil),
      ("[]", ""), ("{", ""), ("\u{FEFF}{}", ""), (#"{"eur":{}}"#, "/eur"), (#"{"EUR":null}"#, "/EUR"),
      (#"{"EUR":{},"EUR":{}}"#, "/EUR"), (#"{"EUR":{"ACH":{}}}"#, "/EUR/ACH"),
      (#"{"EUR":{"a/b~c":{}}}"#, "/EUR/a~1b~0c"),
      (#"{"EUR":{"IBAN":{}}}"#, "/EUR/IBAN/name"), (#"{"EUR":{"IBAN":{"iban":"X","name":"x"}}}"#, "/EUR/IBAN/iban"),
      (#"{"JPY":{"IBAN":{"name":"x","iban":"DE89370400440532013000"}}}"#, "/JPY/IBAN/bic"),
      (#"{"EUR":{"IBAN":{"name":"x","iban":"DE89370400440532013000","maximum":1e3}}}"#, "/EUR/IBAN/maximum"),
      (#"{"EUR":{"IBAN":{"name":"x","iban":"DE89370400440532013000","maximum":0}}}"#, "/EUR/IBAN/maximum"),
      (#"{"EUR":{"IBAN":{"name":"x","iban":"DE89370400440532013000","text":null}}}"#, "/EUR/IBAN/text"),
      (#"{"EUR":{"IBAN":{"name":"x","iban":"DE89370400440532013000","other":1}}}"#, "/EUR/IBAN/other"),
      (#"{"USD":{"ACH":{"name":"seventeen letters"}}}"#, "/USD/ACH/name"),
      (#"{"USD":{"ACH":{"name":"x","origin":"000000000"}}}"#, "/USD/ACH/origin"),
    ] as [(String, String?)])
  func debtor(text: String, pointer: String?) {
    let fault = DebtorFile(Array(text.utf8), shown: "debtor.json").fault
    #expect(fault.map { $0.field ?? "" } == pointer)
    #expect(fault?.message.contains("DE89") != true)
  }
}
