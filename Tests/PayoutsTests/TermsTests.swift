import ExactArithmetic
import Failures
import Foundation
import Testing

@testable import Ledger
@testable import Payouts

@Suite("Payouts by terms")
struct TermsTests {
  private let workshop: PayoutWorkshop

  /// A reserve and a delay; anna's nights and bert's are of the same days.
  init() throws {
    workshop = try PayoutWorkshop()
    try workshop.write(
      """
      \(PayoutWorkshop.payeesHeader)
      anna@x.example,EUR,Anna,IBAN,FR1420041010050500013M02606,,,,,,
      bert@x.example,EUR,Bert,IBAN,DE89370400440532013000,,,,,,

      """, to: "payees.csv")
    try workshop.write(
      """
      \(TermsFile.columns.joined(separator: ","))
      *,EUR,2000-01-01,2,,,1.00
      Anna@x.example,EUR,2000-01-01,,10,5,
      anna@x.example,EUR,2026-11-22,0,50.5,5,0

      """, to: "terms.csv")
  }

  private func settle(_ night: Int, on day: String, anna: Int, bert: Int, adopt: Bool = false) throws {
    try settle(
      night, on: day,
      [
        PayoutWorkshop.payment("A\(night)", "anna@x.example", "EUR", anna),
        PayoutWorkshop.payment("B\(night)", "bert@x.example", "EUR", bert),
      ], total: anna + bert, adopt: adopt)
  }

  private func settle(
    _ night: Int, on day: String, _ records: [String], total: Int = 0, adopt: Bool = false
  ) throws {
    let header = #"{"type":"header","batchId":"night-\#(night)","createdAt":"\#(day)T20:00:00Z"}"#
    let totals = #"{"EUR":"\#(PayoutWorkshop.decimal(total))"}"#
    let trailer = #"{"type":"trailer","recordCount":\#(records.count),"totals":\#(totals)}"#
    try workshop.settle([header] + records + [trailer], night: night, adopt: adopt)
  }

  private func pay(
    _ number: Int, on day: String, terms: Bool = true, change: (inout Payout.Options) -> Void = { _ in }
  ) throws(Failure) -> String {
    try workshop.pay(number) { options in
      (options.date, options.executionDate) = (day, day)
      options.terms = terms ? workshop.path("terms.csv") : nil
      change(&options)
    }.description
  }

  private func paidAndCarried(_ number: Int) throws -> [String] {
    try workshop.rows("payout-\(number)/payouts.csv").map { "\($0[1].prefix(4)) paid \($0[3])" }
      + workshop.rows("payout-\(number)/carried.csv").map {
        "\($0[0].prefix(4)) \($0[3]) \($0[2]) = \($0[5...].joined(separator: " + "))"
      }
  }

  private func verify(_ number: Int, inputs: Bool) throws -> [String] {
    let files =
      inputs
      ? PayoutVerification.Inputs(
        payees: workshop.path("payees.csv"), returned: [], adjustments: [], terms: workshop.path("terms.csv"),
        debtor: nil)
      : nil
    return try PayoutVerification.verify(
      workshop.path("payout-\(number)"), ledger: workshop.path("ledger"), inputs: files
    ).verdict.findings.map(\.text)
  }

  private func makeThree() throws {
    try settle(1, on: "2026-11-20", anna: 100_05, bert: 50_00)
    #expect(try pay(1, on: "2026-11-20") == "made 1, exit 0")
    try settle(2, on: "2026-11-22", anna: 10_00, bert: 3_00)
    #expect(try pay(2, on: "2026-11-22") == "made 2, exit 0")
    #expect(try pay(3, on: "2026-11-25") == "made 3, exit 0")
  }

  @Test("a balance is paid as far as it is free; what is held is that of the days of the runs")
  func paysParts() throws {
    try makeThree()
    #expect(
      try paidAndCarried(1) == [
        "anna paid 90.05", "anna NOT_FREE 10.00 = 0.00 + 10.00 + 0.00", "bert NOT_FREE 50.00 = 50.00 + 0.00 + 0.00",
      ])
    #expect(
      try paidAndCarried(2) == [
        "anna paid 4.95", "bert paid 49.00", "anna NOT_FREE 15.05 = 0.00 + 15.05 + 0.00",
        "bert NOT_FREE 4.00 = 3.00 + 0.00 + 1.00",
      ])
    #expect(
      try paidAndCarried(3) == [
        "anna paid 10.00", "bert paid 3.00", "anna NOT_FREE 5.05 = 0.00 + 5.05 + 0.00",
        "bert NOT_FREE 1.00 = 0.00 + 0.00 + 1.00",
      ])
    // The second and third began with what the ledger kept; made again, all runs are read.
    for number in 1...3 { #expect(try verify(number, inputs: true) == []) }
    #expect(try LedgerCheck(ledger: workshop.path("ledger")).findings == [])
  }

  @Test(
    "what is held is remembered while there is no balance, and released on its days",
    arguments: [
      ("", "bert NOT_FREE 40.00 = 40.00 + 0.00 + 0.00"),
      ("bert@x.example,EUR,2000-01-01,2,,,\nbert@x.example,EUR,2026-11-23,,,,\n", "bert paid 40.00"),
    ])
  func remembered(own: String, expected: String) throws {
    // What is earned from 23 November on is free at once.
    try workshop.write(
      "\(TermsFile.columns.joined(separator: ","))\n*,EUR,2000-01-01,10,,,\n*,EUR,2026-11-23,,,,\n" + own,
      to: "terms.csv")
    try settle(1, on: "2026-11-20", anna: 1_00, bert: 50_00)
    #expect(try pay(1, on: "2026-11-20") == "made 1, exit 0")
    try settle(2, on: "2026-11-21", [PayoutWorkshop.refund("R", of: "B1")])
    for number in 2...3 { #expect(try pay(number, on: "2026-11-2\(number - 1)") == "made \(number), exit 0") }
    try settle(3, on: "2026-11-23", anna: 1_00, bert: 40_00)
    #expect(try pay(4, on: "2026-11-23") == "made 4, exit 0")
    let found = try paidAndCarried(4)
    #expect(found.contains(expected), "\(found)")
    #expect(try paidAndCarried(3) == ["anna NOT_FREE 1.00 = 1.00 + 0.00 + 0.00"])
    for number in 1...4 { #expect(try verify(number, inputs: true) == []) }
  }

  @Test("a ledger that is made again pays the same: adopted payments of a part fit, and nothing held is needed")
  func isMadeAgain() throws {
    try makeThree()
    func tried() throws -> String {
      var shown: [UInt8] = []
      var options = Payout.Options(
        ledger: workshop.path("ledger"), payees: workshop.path("payees.csv"), date: "2026-11-26",
        executionDate: "2026-11-26", output: nil)
      (options.isTrial, options.terms) = (true, workshop.path("terms.csv"))
      _ = try Payout.make(options, note: { _ in }, show: { bytes throws(Failure) in shown += bytes })
      return String(decoding: shown, as: UTF8.self)
    }
    let before = try tried()
    #expect(before.contains("anna@x.example,EUR,5.05,,,NOT_FREE,0.00,5.05,0.00\n"))
    try FileManager.default.removeItem(atPath: workshop.path("ledger"))
    try settle(1, on: "2026-11-20", anna: 100_05, bert: 50_00, adopt: true)
    try settle(2, on: "2026-11-22", anna: 10_00, bert: 3_00, adopt: true)
    for number in 1...3 {
      let outcome = try PayoutAdoption.adopt(
        workshop.path("payout-\(number)"), ledger: workshop.path("ledger"), note: { _ in })
      #expect(outcome.number == number && outcome.bookedRun == nil)
    }
    #expect(try tried() == before)
    for number in 1...3 { #expect(try verify(number, inputs: true) == []) }
  }

  @Test("a payment of a part that leaves another rest is entered after the last run")
  func leavesAnotherRest() throws {
    try settle(1, on: "2026-11-20", anna: 100_05, bert: 50_00)
    #expect(try pay(1, on: "2026-11-20") == "made 1, exit 0")
    try settle(2, on: "2026-11-22", anna: 200_00, bert: 3_00)
    for name in ["ledger", "ledger-lock"] { try FileManager.default.removeItem(atPath: workshop.path(name)) }
    try settle(2, on: "2026-11-22", anna: 200_00, bert: 3_00, adopt: true)
    try settle(1, on: "2026-11-20", anna: 100_05, bert: 50_00, adopt: true)
    let outcome = try PayoutAdoption.adopt(
      workshop.path("payout-1"), ledger: workshop.path("ledger"), note: { _ in })
    #expect(outcome.bookedRun == 2)
  }

  @Test(
    "a change of what is held is found",
    arguments: [
      ("carried.csv", "1,0.00,10.00,0.00", "1,0.00,9.00,0.00", "carried.csv:2: delayed"),
      ("carried.csv", "1,0.00,10.00,0.00", "1,0.00,-10.00,0.00", "carried.csv:2: reserved"),
      ("carried.csv", "10.00,NOT_FREE", "10.00,ON_HOLD", "carried.csv:2: the balance is paid, too"),
      ("carried.csv", "50.00,NOT_FREE,1,50.00", "50.00,ON_HOLD,1,50.01", "carried.csv:3: delayed"),
      ("carried.csv", ",delayed,reserved,kept", "", "carried.csv:1: the header"),
      ("payouts.csv", "90.05", "90.04", "carried.csv:2: balance"),
      ("payouts.json", #""reserved":"10.00""#, #""reserved":"11.00""#, "payouts.json: totals.EUR.reserved"),
    ])
  func changed(file: String, from: String, to: String, finding: String) throws {
    try settle(1, on: "2026-11-20", anna: 100_05, bert: 50_00)
    #expect(try pay(1, on: "2026-11-20") == "made 1, exit 0")
    let text = try workshop.text("payout-1/\(file)")
    #expect(text.contains(from))
    try workshop.write(text.replacing(from, with: to), to: "payout-1/\(file)")
    let found = try verify(1, inputs: false)
    #expect(found.contains { $0.hasPrefix(finding) }, "\(found)")
  }

  @Test("once a payout had terms, one without them is refused, but for one without payments")
  func needsTerms() throws {
    try settle(1, on: "2026-11-20", anna: 1_00, bert: 1_00)
    #expect(try pay(1, on: "2026-11-20") == "made 1, exit 0")
    let failure = #expect(throws: Failure.self) { try pay(2, on: "2026-11-23", terms: false) }
    #expect(failure?.exitCode == 64 && failure!.message.hasPrefix("payout 1 had terms, so this one needs --terms"))
    #expect(try pay(2, on: "2026-11-23", terms: false) { $0.hasNoPayments = true } == "made 2, exit 0")
    #expect(try workshop.rows("payout-2/carried.csv").map { $0[3] } == ["NOT_PAID", "NOT_PAID"])
    #expect(try verify(2, inputs: false) == [])
    #expect(try pay(3, on: "2026-11-23", terms: false) { $0.hasNoPayments = true } == "made before 2")
    #expect(throws: Failure.self) { try pay(3, on: "2026-11-23", terms: false) }
  }

  @Test(
    "what is held is limited by the balance, the reserve first",
    arguments: [
      ("100", [0, 0, 0], "0 0 0 100"), ("100", [10, 20, 30], "20 10 30 40"), ("25", [10, 20, 30], "20 5 0 0"),
      ("15", [10, 20, 30], "15 0 0 0"), ("0", [1, 1, 1], "0 0 0 0"), ("-5", [1, 1, 1], "0 0 0 0"),
      ("35", [10, 20, 30], "20 10 5 0"),
    ])
  func limits(balance: String, most: [Int], expected: String) {
    let most = most.map { ExactDecimal($0) }
    let held = HeldAmounts(of: ExactDecimal(balance)!, reserved: most[1], delayed: most[0], kept: most[2])
    #expect("\(held.reserved) \(held.delayed) \(held.kept) \(held.free)" == expected)
  }

  @Test(
    "each row's errors",
    arguments: [
      ("*,EUR,2000-01-01,365,100.00,365,1e2", []), ("a@x.example,JPY,2099-12-31,,,,", []),
      (
        ",eur,2025-02-30,366,100.01,07,0.001",
        [
          "MISSING_FIELD at account", "CURRENCY_NOT_SUPPORTED at currency", "INVALID_VALUE at from",
          "INVALID_VALUE at delay_days", "INVALID_VALUE at reserve_percent", "INVALID_VALUE at reserve_days",
        ]
      ),
      (
        "*,EUR,1999-12-31,1,5,,-1",
        ["INVALID_VALUE at from", "MISSING_FIELD at reserve_days", "INVALID_AMOUNT at minimum_balance"]
      ),
      (
        "**,EUR,2100-01-01,-1,,x,1.001",
        [
          "INVALID_ACCOUNT at account", "INVALID_VALUE at from", "INVALID_VALUE at delay_days",
          "MISSING_FIELD at reserve_percent", "INVALID_VALUE at reserve_days", "INVALID_AMOUNT at minimum_balance",
        ]
      ),
      ("*,EUR,,0,.5,5,", ["MISSING_FIELD at from", "INVALID_VALUE at reserve_percent"]),
      ("*,EUR,2025-01-01,0,5.,5,", ["INVALID_VALUE at reserve_percent"]),
      (
        "*,EUR,2025-01-01,0,00.5,5,\n*,EUR,2025-01-01,,,,",
        ["INVALID_VALUE at reserve_percent", "DUPLICATE_TERMS at from"]
      ),
    ])
  func faults(rows: String, expected: [String]) throws {
    try workshop.write("\(TermsFile.columns.joined(separator: ","))\n\(rows)\n", to: "file.csv")
    let faults = TermsFile.read(workshop.path("file.csv")).content.faults.listed
    #expect(faults.map { "\($0.code.rawValue) at \(TermsFile.columns[$0.column!])" } == expected)
  }
}
