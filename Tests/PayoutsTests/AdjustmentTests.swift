import Failures
import Foundation
import Records
import TestSupport
import Testing

@testable import BatchRun
@testable import LedgerRuns
@testable import Payouts

@Suite("Adjustments of a payout, and dry runs")
struct AdjustmentTests {
  private let workshop: PayoutWorkshop

  init() throws {
    workshop = try PayoutWorkshop()
    try workshop.write(
      PayoutWorkshop.payeesHeader + "\nanna@x.example,EUR,Anna,IBAN,DE89370400440532013000,,,,,,\n", to: "payees.csv")
    try workshop.settle(
      [
        PayoutWorkshop.payment("A", "anna@x.example", "EUR", 100),
        PayoutWorkshop.payment("B", "bert@x.example", "EUR", 50),
      ], night: 1)
  }

  private func pay(_ number: Int, _ lists: [String], output: Bool = true) throws -> String {
    let paths = lists.indices.map { "adjustments-\($0).csv" }
    for (path, rows) in zip(paths, lists) {
      try workshop.write("key,account,currency,amount,reason\n" + rows, to: path)
    }
    return try workshop.pay(number) { options in
      (options.date, options.executionDate) = ("2026-11-1\(number)", "2026-11-1\(number)")
      options.adjustments = paths.map(workshop.path)
      if !output { options.output = nil }
    }.description
  }

  @Test("they change balances before payments, by key, and are booked once")
  func booked() throws {
    let first = "b,anna@x.example,EUR,-0.25,fee\na,Anna@x.example,EUR,1e0,bonus\n"
    #expect(try pay(1, [first, "c,bert@x.example,EUR,-0.50,by-hand\n"]) == "made 1, exit 0")
    #expect(
      try workshop.rows("payout-1/adjusted.csv") == [
        ["a", "anna@x.example", "EUR", "1.00", "bonus"], ["b", "anna@x.example", "EUR", "-0.25", "fee"],
        ["c", "bert@x.example", "EUR", "-0.50", "by-hand"],
      ])
    #expect(try workshop.rows("payout-1/payouts.csv").map { $0[3] } == ["1.75"])
    #expect(try workshop.rows("payout-1/carried.csv") == [])
    // The same lists again, grown by one row: the rest is skipped.
    #expect(try pay(2, [first + "d,anna@x.example,EUR,0.01,late\n", first]) == "made 2, exit 0")
    #expect(try workshop.rows("payout-2/adjusted.csv").map { $0[0] } == ["d"])
    #expect(try LedgerUpkeep.verify(workshop.path("ledger")).findings == [])
    for number in 1...2 {
      let verdict = try PayoutVerification.verify(
        workshop.path("payout-\(number)"), ledger: workshop.path("ledger"))
      #expect(verdict.findings.map(\.text) == [])
    }
  }

  @Test(
    "a key is used once, and a misspelt account is an error",
    arguments: [
      (["a,anna@x.example,EUR,2,r\n"], "2: ALREADY_ADJUSTED at key"),
      (["a,anna@x.example,EUR,1,other\n"], "2: ALREADY_ADJUSTED at key"),
      (["a,bert@x.example,EUR,1,r\n"], "2: ALREADY_ADJUSTED at key"),
      (["b,anna@x.example,EUR,1,r\nb,anna@x.example,EUR,1,r\n"], "3: DUPLICATE_ADJUSTMENT at key"),
      (["b,anna@x.example,EUR,1,r\n", "b,anna@x.example,EUR,2,r\n"], "2: DUPLICATE_ADJUSTMENT at key"),
      (["b,ana@x.example,EUR,1,r\n"], "2: UNKNOWN_ACCOUNT at account"),
      (["b,anna@x.example,USD,1,r\n"], "2: UNKNOWN_ACCOUNT at account"),
      (
        ["b,ana@x.example,EUR,1,r\nc,ana@x.example,EUR,1,r\n"],
        "2: UNKNOWN_ACCOUNT at account; 3: UNKNOWN_ACCOUNT at account"
      ),
      (["b,ana@x.example,EUR,0,r\n"], "2: UNKNOWN_ACCOUNT at account; 2: INVALID_AMOUNT at amount"),
      (["b,bert@x.example,EUR,1,r\n"], "made 2, exit 1"), (["b,anna@x.example,EUR,1,r\n"], "made 2, exit 0"),
    ] as [([String], String)])
  func refused(lists: [String], expected: String) throws {
    #expect(try pay(1, ["a,anna@x.example,EUR,1.00,r\nB,bert@x.example,EUR,-0.5,r\n"]) == "made 1, exit 0")
    #expect(try pay(2, lists) == expected)
  }

  @Test("a dry run decides the same, and leaves nothing")
  func dryRun() throws {
    let list = "x,anna@x.example,EUR,-0.25,fee\n"
    _ = try pay(1, [list], output: false)
    let before = try workshop.folder.names()
    #expect(try pay(1, [list], output: false) == "tried 1, exit 1")
    #expect(try workshop.folder.names() == before)
    var shown = ""
    var options = Payout.Options(
      ledger: workshop.path("ledger"), payees: workshop.path("payees.csv"), date: "2026-11-11",
      executionDate: "2026-11-11", output: nil)
    (options.adjustments, options.isTrial) = ([workshop.path("adjustments-0.csv")], true)
    let show = { (bytes: [UInt8]) throws(Failure) in shown += String(decoding: bytes, as: UTF8.self) }
    #expect(try Payout.make(options, note: { _ in }, show: show).description == "tried 1, exit 1")
    let header = "account,currency,balance,paid,method,reason\n"
    #expect(shown == header + "anna@x.example,EUR,0.75,0.75,IBAN,\nbert@x.example,EUR,0.50,,,NO_PAYEE\n")
    #expect(try pay(1, [list]) == "made 1, exit 1")
    shown = ""
    #expect(try Payout.make(options, note: { _ in }, show: show).description == "made before 1")
    #expect(shown == header)
  }

  @Test("a payout does not come before the last one")
  func date() throws {
    #expect(try pay(2, []) == "made 1, exit 1")
    let failure = #expect(throws: Failure.self) { try pay(1, ["x,anna@x.example,EUR,1,r\n"]) }
    #expect(failure?.exitCode == 64)
    #expect(failure?.message.contains("--date takes the day of payout 1, 2026-11-12, or a later one") == true)
  }

  @Test("a date too far ahead is refused, but a payout that is made already is repeated")
  func dateAhead() throws {
    let today = CalendarDay.today.number
    func pay(_ number: Int, _ daysAhead: Int) throws -> String {
      try workshop.pay(number) { options in
        options.date = CalendarDay(number: today + daysAhead).text
        options.executionDate = CalendarDay(number: today + 30).text
      }.description
    }
    let failure = #expect(throws: Failure.self) { try pay(1, 8) }
    #expect(failure?.exitCode == 64)
    #expect(failure?.message.contains("--date takes a day up to \(CalendarDay(number: today + 7).text)") == true)
    #expect(try pay(1, 7) == "made 1, exit 1")
    #expect(try pay(1, 7) == "already made 1")
    // Not before the last one.
    #expect(throws: Failure.self) { try pay(2, 6) }
  }

  @Test("an adjustment that crosses zero is booked with a warning")
  func crossing() throws {
    func warnings(_ result: PayoutResult) -> [String] {
      if case .made(let figures) = result { figures.warnings.filter { $0.contains("cross zero") } } else { [] }
    }
    try workshop.write(
      "key,account,currency,amount,reason\n"
        + "a,anna@x.example,EUR,-100,r\nb,anna@x.example,EUR,50,r\nc,anna@x.example,EUR,200,r\n", to: "crossing.csv")
    let result = try workshop.pay(1) { $0.adjustments = [workshop.path("crossing.csv")] }
    let expected =
      "adjustments that cross zero: 2: a, anna@x.example, EUR 1.00 to -99.00; c, anna@x.example, EUR -49.00 to 151.00. "
    #expect(warnings(result).map { $0.hasPrefix(expected) } == [true], "\(warnings(result))")
  }
}
