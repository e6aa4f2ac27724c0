import Testing

@testable import Payouts

@Suite("Files for the bank: how much one takes, and what is in which part of it")
struct BankFilesTests {
  private static let ach = #"""
    {"USD":{"ACH":{"name":"Pay Inc","company":"1123456789","odfi":"021000021","destination":"021000021",
            "destinationName":"First Bank","origin":"123456789"}}}
    """#

  @Test("a NACHA file takes its largest sum, to the cent; what is more goes into the next one")
  func largestSum() throws {
    let workshop = try PayoutWorkshop()
    // A hundred of the largest payments leave room for 99 cents.
    let cents = Array(repeating: 9_999_999_999, count: 100) + [99, 1]
    let accounts = cents.indices.map { "shop\(1000 + $0)@x.example" }
    try workshop.write(
      ([PayoutWorkshop.payeesHeader]
        + accounts.map { "\($0),USD,Shop,ACH,,,121000248,123456789012,CHECKING,PERSON," }).joined(separator: "\n"),
      to: "payees.csv")
    try workshop.write(Self.ach, to: "debtor.json")
    try workshop.settle(
      zip(accounts, cents).map { PayoutWorkshop.payment($0.replacing("@x.example", with: ""), $0, "USD", $1) }, night: 1
    )
    let result = try workshop.pay(1) { $0.debtor = workshop.path("debtor.json") }
    guard case .made(let figures) = result else {
      Issue.record("\(result.description)")
      return
    }
    #expect(figures.files.map { "\($0.instructions) \($0.amount)" } == ["101 9999999999.99", "1 0.01"])
    try BankFileReader.compare(workshop, "payout-1")
  }

  @Test(
    "first a PPD batch with the payments to persons, then a CCD batch with those to companies; nines fill ten lines",
    arguments: [
      ("P", ["PPD 1"], 10), ("C", ["CCD 1"], 10), ("CP", ["PPD 2", "CCD 1"], 10), ("PCCP", ["PPD 14", "CCD 23"], 10),
      ("PPPPPP", ["PPD 123456"], 10), ("PPPPPPP", ["PPD 1234567"], 20),
    ])
  func batches(holders: String, expected: [String], lines: Int) throws {
    let payees = holders.enumerated().map { place, holder in
      "shop\(place)@x.example,USD,Shop,ACH,,,121000248,123456789012,CHECKING,\(holder == "P" ? "PERSON" : "COMPANY"),"
    }
    let text = try bankFile("nacha-USD-0001.ach", paying: payees, "USD", by: Self.ach)
    let rows = text.split(separator: "\n").map(Array.init)
    #expect(rows.count == lines)
    var batches: [String] = []
    for row in rows {
      if row[0] == "5" { batches.append("\(String(row[50..<53])) ") }
      if row[0] == "6" { batches[batches.count - 1] += String(row[42..<54]).filter(\.isNumber) }
    }
    #expect(batches == expected)
  }

  @Test(
    "block S of a pain.001 file has the payments in EUR between SEPA countries, block T the others",
    arguments: [
      ("EUR", "DE89370400440532013000", ["S P1-1", "T P1-2"]), ("EUR", "AE070331234567890123456", ["T P1-1 P1-2"]),
      ("GBP", "DE89370400440532013000", ["T P1-1 P1-2"]),
    ])
  func blocks(currency: String, debtor: String, expected: [String]) throws {
    let payees = [
      "shop1@x.example,\(currency),Shop,IBAN,GB29NWBK60161331926819,NWBKGB2L,,,,,",
      "shop2@x.example,\(currency),Shop,IBAN,BR1800360305000010009795493C1,ABCDBRSP,,,,,",
    ]
    let text = try bankFile(
      "pain001-\(currency)-0001.xml", paying: payees, currency,
      by: #"{"\#(currency)":{"IBAN":{"name":"Pay GmbH","iban":"\#(debtor)","bic":"COBADEFFXXX"}}}"#)
    let blocks = text.split(separator: "<PmtInf>").dropFirst().map { block in
      let name = block.firstMatch(of: /-(.)<\/PmtInfId>/)!.1
      return "\(name) " + block.matches(of: /<InstrId>([^<]*)</).map { String($0.1) }.joined(separator: " ")
    }
    #expect(blocks == expected)
  }

  /// The file for the bank of a first payout, in which each payee gets 1.00.
  private func bankFile(
    _ name: String, paying payees: [String], _ currency: String, by debtor: String
  ) throws -> String {
    let workshop = try PayoutWorkshop()
    try workshop.write(([PayoutWorkshop.payeesHeader] + payees).joined(separator: "\n"), to: "payees.csv")
    try workshop.write(debtor, to: "debtor.json")
    let accounts = payees.map { String($0.prefix { $0 != "," }) }
    try workshop.settle(
      accounts.enumerated().map { PayoutWorkshop.payment("K\($0)", $1, currency, 100) }, night: 1)
    let result = try workshop.pay(1) { $0.debtor = workshop.path("debtor.json") }
    #expect(result.description == "made 1, exit 0")
    return try workshop.text("payout-1/\(name)")
  }
}
