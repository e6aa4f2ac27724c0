import Money
import Testing
import TestSupport

@testable import BatchRun
@testable import Payouts

@Suite("Files that a payout reads")
struct InputFileTests {
  let workshop: PayoutWorkshop

  init() throws { workshop = try PayoutWorkshop() }

  private func faults<File: RecordFile>(_ type: File.Type, _ bytes: [UInt8]) throws -> [String] {
    try workshop.folder.write(bytes, to: "file.csv")
    return File.read(workshop.path("file.csv")).content.faults.listed.map { fault in
      "\(fault.line): \(fault.code.rawValue)"
        + (fault.column.map { " at \(File.allColumns[$0])" } ?? "")
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

  /// The message of a file's first fault.
  private func message<File: RecordFile>(_ type: File.Type, _ bytes: [UInt8]) throws -> String? {
    try workshop.folder.write(bytes, to: "file.csv")
    return File.read(workshop.path("file.csv")).reportedFaults?.listed.first?.message
  }

  @Test(
    "a message names the values of a column, and the place of a character, but never a value",
    arguments: [
      (
        iban + "Yes",
        "expected yes, no, nothing, or retry, a space and the reference of the last return of the bank account"
      ),
      ("a@x.example,EUR,Anna,iban,DE89370400440532013000,,,,,,", "expected IBAN or ACH"),
      (ach.replacing("CHECKING", with: "Checking"), "expected CHECKING or SAVINGS"),
      (ach.replacing("PERSON", with: "x"), "expected PERSON or COMPANY"),
      (
        iban.replacing("Anna", with: "Anna\u{200B}"),
        "banks do not take U+200B, the 5th character; remove or replace it"
      ),
      (iban.replacing("Anna", with: "\u{1F600}"), "banks do not take U+1F600, the 1st character; remove or replace it"),
      (
        iban.replacing("Anna", with: "\u{E4}\u{9}"), "banks do not take U+0009, the 2nd character; remove or replace it"
      ),
      (
        iban.replacing("Anna", with: "Anna Mueller\u{5B57}"),
        "banks do not take U+5B57, the 13th character; remove or replace it"
      ),
      (iban.replacing("Anna", with: "-"), "expected a letter or digit"),
      (iban + ",", "expected 11 fields, found 12"),
    ])
  func messages(row: String, expected: String) throws {
    #expect(try message(PayeeFile.self, Array("\(PayoutWorkshop.payeesHeader)\n\(row)\n".utf8)) == expected)
  }

  private static let longHeader = PayoutWorkshop.payeesHeader + ",street,building,postcode,town,country\n"

  @Test(
    "addresses, and payees on hold without a bank account",
    arguments: [
      (iban + ",,,,,", []), (iban + ", , , , , ", []), (iban + ",Main St,1,1000,Bern,ch", []),
      (iban + ",,,,Pristina,XK", []), (iban, ["2: FIELD_COUNT"]),
      (iban + ",S,,,,", ["2: MISSING_FIELD at town", "2: MISSING_FIELD at country"]),
      (iban + ",,,,Bern,", ["2: MISSING_FIELD at country"]), (iban + ",,,,Bern,CHE", ["2: INVALID_COUNTRY at country"]),
      (iban + ",,,,Bern, CH", ["2: INVALID_COUNTRY at country"]),
      (iban + ",,,,Bern,ZZ", ["2: INVALID_COUNTRY at country"]),
      (
        iban + ",東京,-,\(String(repeating: "1", count: 17)),\(String(repeating: "x", count: 36)),CH",
        [
          "2: ADDRESS_CHARACTERS at street", "2: ADDRESS_CHARACTERS at building", "2: ADDRESS_TOO_LONG at postcode",
          "2: ADDRESS_TOO_LONG at town",
        ]
      ),
      (iban + ",\(String(repeating: "ß", count: 35)),\(String(repeating: "1", count: 16)),,Bern,CH", []),
      ("a@x.example,EUR,,,,,,,,,yes,,,,,", []), ("a@x.example,EUR,  ,, , ,,,,,yes,,,,Bern,CH", []),
      ("a@x.example,EUR,Anna,,,,,,,,yes,,,,,", []),
      ("a@x.example,EUR,,,,,1,,,,yes,,,,,", ["2: MISSING_FIELD at name", "2: MISSING_FIELD at method"]),
      ("a@x.example,EUR,,IBAN,,,,,,,yes,,,,,", ["2: MISSING_FIELD at name", "2: MISSING_FIELD at iban"]),
      ("a@x.example,EUR,,,,,,,,,no,,,,,", ["2: MISSING_FIELD at name", "2: MISSING_FIELD at method"]),
      ("a@x.example,EUR,,,,,,,,,retry P1-2,,,,,", ["2: MISSING_FIELD at name", "2: MISSING_FIELD at method"]),
      (iban + "retry P1-2,,,,,", []), (iban + "retry,,,,,", ["2: INVALID_VALUE at hold"]),
      (iban + "retry P1-02,,,,,", ["2: INVALID_VALUE at hold"]),
      (iban + "retry  P1-2,,,,,", ["2: INVALID_VALUE at hold"]),
      (
        "a@x.example,EUR,Anna,SEPA,,,,,,,,,,,Bern,",
        ["2: INVALID_VALUE at method", "2: MISSING_FIELD at country"]
      ),
    ] as [(String, [String])])
  func addresses(row: String, expected: [String]) throws {
    #expect(try faults(PayeeFile.self, Array((Self.longHeader + row + "\n").utf8)) == expected)
  }

  @Test(
    "each adjustment's errors",
    arguments: [
      ("K,A@x.example,EUR,-1,r", []), ("K,a@x.example,EUR,0.50,r", []), ("K,a@x.example,JPY,1e2,r", []),
      ("K,a@x.example,EUR,0.00,r", ["2: INVALID_AMOUNT at amount"]),
      ("K,a@x.example,EUR,-0,r", ["2: INVALID_AMOUNT at amount"]),
      ("K,a@x.example,EUR,--1,r", ["2: INVALID_AMOUNT at amount"]),
      ("K,a@x.example,EUR,+1,r", ["2: INVALID_AMOUNT at amount"]),
      ("K,a@x.example,JPY,1.5,r", ["2: INVALID_AMOUNT at amount"]),
      ("K,a@x.example,xxx,0,r", ["2: CURRENCY_NOT_SUPPORTED at currency", "2: INVALID_AMOUNT at amount"]),
      ("K,a@x.example,xxx,1.005,r", ["2: CURRENCY_NOT_SUPPORTED at currency"]),
      (
        ",,,,",
        [
          "2: MISSING_FIELD at key", "2: MISSING_FIELD at account", "2: MISSING_FIELD at currency",
          "2: MISSING_FIELD at amount", "2: MISSING_FIELD at reason",
        ]
      ),
      (
        "a b,nobody,EUR,1,\(String(repeating: "r", count: 36))",
        ["2: INVALID_VALUE at key", "2: INVALID_ACCOUNT at account", "2: INVALID_VALUE at reason"]
      ),
    ] as [(String, [String])])
  func adjustments(row: String, expected: [String]) throws {
    let header = AdjustmentFile.columns.joined(separator: ",")
    #expect(try faults(AdjustmentFile.self, Array("\(header)\n\(row)\n".utf8)) == expected)
  }

  @Test("random changes of a file are at most errors")
  func randomBytes() throws {
    var random = SeededGenerator()
    let rows = [Self.iban, Self.ach, Self.iban + "retry P1-2"].map { $0 + ",Main St,1,1000,Bern,CH" }
    let files = [
      (PayoutWorkshop.payeesHeader + "\n" + [Self.iban, Self.ach].joined(separator: "\n")),
      Self.longHeader + rows.joined(separator: "\n"),
      "key,account,currency,amount,reason\nK,a@x.example,EUR,-1.5,r\n",
    ]
    for _ in 0..<400 {
      var bytes = Array(files.randomElement(using: &random)!.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(Array(",\n\"- \u{E4}P1".utf8).randomElement(using: &random)!, at: place)
        }
      }
      // No byte ends the process, and each fault has a column of its file.
      for faults in [try faults(PayeeFile.self, bytes), try faults(AdjustmentFile.self, bytes)] {
        #expect(Set(faults).count == faults.count, "\(random.reproduction)")
      }
    }
  }

  @Test("the message about a reason says which are valid")
  func reason() throws {
    let text = "reference,reason\nP1-1,R03 No account\n"
    #expect(try message(ReturnedFile.self, Array(text.utf8)) == "expected 1 to 35 of A-Z a-z 0-9 . _ -")
  }

  @Test(
    "another first record is described, without anything that may be a bank account",
    arguments: [
      (PayoutWorkshop.payeesHeader.replacing(",", with: ";"), "the fields are separated by semicolons, not commas"),
      (#""Account";"Currency";"Name""#, "the fields are separated by semicolons, not commas"),
      (PayoutWorkshop.payeesHeader.replacing(",", with: "\t"), "the fields are separated by tabs, not commas"),
      (
        "account,currency,name,method,IBAN,bic,routing,account_number,account_type,holder",
        #"the first record lacks iban, hold and has "IBAN" besides"#
      ),
      (
        "account,a,b,c,d,e,f,currency,name,method,iban,bic,routing,account_number,account_type,holder,hold",
        #"the first record has "a", "b", "c", "d", "e" and 1 others besides"#
      ),
      (
        "currency,account,name,method,iban,bic,routing,account_number,account_type,holder,hold",
        "the first record has its columns in another order, or twice"
      ),
      ("holder,name,DE89370400440532013000", "a column with digits besides"),
      (iban, "the first record must be the header"), ("x", "the first record must be the header"),
      (#"a "quote"#, "the first record must be the header"), ("", "the first record must be the header"),
    ])
  func otherHeader(first: String, expected: String) throws {
    let message = try #require(try message(PayeeFile.self, Array((first + "\n").utf8)))
    #expect(message.hasSuffix("; expected \(PayoutWorkshop.payeesHeader)"), "\(message)")
    #expect(message.contains(expected), "\(message)")
    #expect(!message.contains("DE89"))
  }

  @Test("the first thousand errors are listed in order, and all are counted by code")
  func manyFaults() throws {
    var random = SeededGenerator()
    // Repeated payees are found last, in the order of accounts.
    let rows = (0..<7_000).map { number in
      number % 3 == 0 ? "x" : "user\(Int.random(in: 0..<50, using: &random))@x.example," + Self.iban.dropFirst(12) + "?"
    }
    let text = ([PayoutWorkshop.payeesHeader] + rows).joined(separator: "\n")
    try workshop.folder.write(Array(text.utf8), to: "file.csv")
    let faults = try #require(PayeeFile.read(workshop.path("file.csv")).reportedFaults)
    let repeated = Dictionary(grouping: rows.filter { $0 != "x" }, by: { $0.prefix { $0 != "@" } }).count
    #expect(faults.counts.map(\.code) == ["INVALID_VALUE", "DUPLICATE_PAYEE", "FIELD_COUNT"])
    #expect(faults.counts.map(\.count) == [4_666, 4_666 - repeated, 2_334])
    #expect(faults.count == 11_666 - repeated)
    #expect(faults.listed.count == 1_000)
    var expected: [String] = []
    var seen: Set<Substring> = []
    for (place, row) in rows.enumerated() where expected.count < 1_000 {
      if row == "x" {
        expected.append("\(place + 2) FIELD_COUNT")
      } else {
        if !seen.insert(row.prefix { $0 != "@" }).inserted { expected.append("\(place + 2) DUPLICATE_PAYEE") }
        expected.append("\(place + 2) INVALID_VALUE")
      }
    }
    #expect(
      faults.listed.map { "\($0.line!) \($0.code)" } == Array(expected.prefix(1_000)), "\(random.reproduction)")
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
        let found = payees.find(account.utf8Span.span, Currency(code: "EUR")!)
        #expect((found != nil) == accounts.contains(account), "\(account)")
        if let found { #expect(payees.with(.account, of: found) { [UInt8]($0) } == Array(account.utf8)) }
      }
    }
  }

  /// A debtor with further terms.
  private static func payer(_ terms: String) -> String {
    #"{"EUR":{"IBAN":{"name":"x","iban":"DE89370400440532013000","# + terms + "}}}"
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
      (Self.payer(#""town":"Köln","country":"de""#), nil),
      (Self.payer(#""street":"x""#), "/EUR/IBAN/town"), (Self.payer(#""town":"Köln""#), "/EUR/IBAN/country"),
      (Self.payer(#""town":"","country":"DE""#), "/EUR/IBAN/town"),
      (Self.payer(#""town":"Köln","country":"DEU""#), "/EUR/IBAN/country"),
      (Self.payer(#""town":"Köln","country":"ZZ""#), "/EUR/IBAN/country"),
      (Self.payer(#""building":"12345678901234567","town":"Köln","country":"DE""#), "/EUR/IBAN/building"),
      (#"{"USD":{"ACH":{"street":"x"}}}"#, "/USD/ACH/street"),
      (#"{"USD":{"ACH":{"name":"seventeen letters"}}}"#, "/USD/ACH/name"),
      (#"{"USD":{"ACH":{"name":"x","origin":"000000000"}}}"#, "/USD/ACH/origin"),
    ] as [(String, String?)])
  func debtor(text: String, pointer: String?) {
    let fault = DebtorFile(Array(text.utf8), shown: "debtor.json").fault
    #expect(fault.map { $0.field ?? "" } == pointer)
    #expect(fault?.message.contains("DE89") != true)
  }

  @Test(
    "what is wrong with a text of the debtor",
    arguments: [
      ("\u{FEFF}{}", "begins with a byte order mark; save it as UTF-8 without one"),
      (
        #"{"EUR":{"IBAN":{"name":"Pay\u200b"}}}"#, "banks do not take U+200B, the 4th character; remove or replace it"
      ),
      (
        #"{"USD":{"ACH":{"name":"seventeen letters"}}}"#,
        "expected at most 16 characters that banks take, with a letter or digit; found 17"
      ),
    ])
  func debtorMessages(text: String, message: String) {
    #expect(DebtorFile(Array(text.utf8), shown: "debtor.json").fault?.message == message)
  }
}
