import Failures
import Foundation
import Ledger
import Testing
import TestSupport

@testable import BatchRun
@testable import Bookkeeping
@testable import LedgerRuns
@testable import LedgerRuns
@testable import LedgerRuns
@testable import Payouts

@Suite("What a payout checks, and in which order")
struct PayoutOrderTests {
  let workshop: PayoutWorkshop

  init() throws {
    workshop = try PayoutWorkshop()
    try workshop.write(
      PayoutWorkshop.payeesHeader + "\nanna@x.example,EUR,Anna,IBAN,DE89370400440532013000,,,,,,\n", to: "payees.csv")
    for night in 1...2 {
      try workshop.settle([PayoutWorkshop.payment("K\(night)", "anna@x.example", "EUR", 100)], night: night)
    }
  }

  private func exitCode(_ change: (inout Payout.Options) -> Void) -> Int32 {
    do throws(Failure) {
      return try workshop.pay(9) { options in
        options.since = 1
        change(&options)
      }.exitCode
    } catch { return error.exitCode }
  }

  @Test("the first payout of several runs needs --since")
  func needsSince() throws {
    #expect(exitCode { $0.since = nil } == 64)
    #expect(exitCode { ($0.since, $0.untilRun) = (nil, 1) } == 0)
  }

  @Test("the first check that fails counts, and nothing is left")
  func order() throws {
    let before = try workshop.folder.names()
    let faults: [(Int32, (inout Payout.Options) -> Void)] = [
      (66, { $0.ledger += "-none" }), (64, { $0.untilRun = 3 }), (64, { $0.untilRun = 0 }), (64, { $0.since = 4 }),
      (73, { $0.output = $0.payees }), (73, { $0.output! += "/in/none" }),
      (66, { $0.returned = [$0.payees + "-none"] }),
      (66, { $0.payees = "/" }), (78, { $0.returned = [$0.payees] }), (78, { $0.debtor = $0.payees }),
    ]
    for first in faults.indices {
      #expect(exitCode { faults[first].1(&$0) } == faults[first].0, "\(first)")
      // An earlier check counts, whatever fails later.
      for second in faults.indices where second > first && faults[second].0 != faults[first].0 && first < 7 {
        let code = exitCode { options in
          faults[second].1(&options)
          faults[first].1(&options)
        }
        #expect(code == faults[first].0, "\(first) \(second)")
      }
    }
    #expect(try workshop.folder.names() == before)
  }

  @Test("more NACHA files than a day can have: the message says what to do")
  func tooManyFiles() throws {
    let accounts = (10...46).map { "user\($0)@x.example" }
    let rows = accounts.map { "\($0),USD,Anna,ACH,,,011000015,123456789,CHECKING,PERSON," }
    try workshop.write(([PayoutWorkshop.payeesHeader] + rows).joined(separator: "\n"), to: "payees.csv")
    try workshop.settle(accounts.map { PayoutWorkshop.payment("N-\($0.prefix(6))", $0, "USD", 100) }, night: 3)
    let debtor = #"""
      {"USD":{"ACH":{"name":"Pay Inc","company":"1123456789","odfi":"021000021","destination":"021000021",
                     "destinationName":"First Bank","origin":"123456789","maximum":MOST}}}
      """#
    try workshop.write(debtor.replacing("MOST", with: "1"), to: "debtor.json")
    func paying(_ options: inout Payout.Options) {
      (options.debtor, options.since) = (workshop.path("debtor.json"), 1)
    }
    let failure = #expect(throws: Failure.self) { try workshop.pay(1, change: paying) }
    #expect(failure?.exitCode == 78)
    #expect(
      failure?.message == "TOO_MANY_ACH_FILES: 2026-11-24 would have more than 36 NACHA files, the most that a day can "
        + "have. Nothing was made; give a later --date, or make fewer files with a larger maximum in the debtor's ACH terms"
    )
    try workshop.write(debtor.replacing("MOST", with: "2"), to: "debtor.json")
    #expect(try workshop.pay(1, change: paying).description == "made 1, exit 1")
  }

  @Test("runs before --since never count, and neither do debts of that time")
  func since() throws {
    #expect(try workshop.pay(1) { $0.since = 2 }.description == "made 1, exit 0")
    let rows = try workshop.rows("payout-1/payouts.csv")
    #expect(rows == [["P1-1", "anna@x.example", "EUR", "1.00", "IBAN", "3000", ""]], "\(rows)")
    #expect(try workshop.pay(1) { $0.since = 2 }.description == "already made 1")
    #expect(exitCode { ($0.date, $0.executionDate, $0.since) = ("2026-11-26", "2026-11-26", 2) } == 64)
    try workshop.settle([PayoutWorkshop.refund("R", of: "K1")], night: 3)
    #expect(try workshop.pay(2).description == "made 2, exit 0")
    #expect(try workshop.rows("payout-2/carried.csv") == [["anna@x.example", "EUR", "-1.00", "OWES", "3"]])
  }

  @Test("a ledger made again without a lock file makes no payout before the operator has said which was the last")
  func adopted() throws {
    for night in 1...2 {
      let records = [PayoutWorkshop.payment("K\(night)", "anna@x.example", "EUR", 100)]
      try workshop.settle(records, night: night, ledger: "again", adopt: true)
    }
    func pay(_ since: Int?) -> Int32 {
      do throws(Failure) {
        return try workshop.pay(1, ledger: "again") { $0.since = since }.exitCode
      } catch { return error.exitCode }
    }
    #expect(pay(1) == 74)
    var word = LedgerAdoption.Options(ledger: workshop.path("again"))
    word.lastPayout = 0
    _ = try LedgerAdoption.adopt(word, note: { _ in })
    #expect(pay(nil) == 64)
    #expect(pay(1) == 0)
  }

  @Test("a directory that does not fit is not adopted", arguments: ["changed", "another ledger", "not a payout"])
  func unfit(how: String) throws {
    #expect(try workshop.pay(1) { $0.untilRun = 1 }.description == "made 1, exit 0")
    var (ledger, directory) = ("ledger", "payout-1")
    switch how {
    case "changed": try workshop.write("x", to: "payout-1/carried.csv")
    case "another ledger":
      ledger = "other"
      try workshop.settle([PayoutWorkshop.payment("Z", "anna@x.example", "EUR", 99)], night: 7, ledger: ledger)
    case "not a payout": directory = "night-1"
    default: break
    }
    #expect {
      _ = try openingWhenFree(isBusy: { $0.exitCode == 75 }) { () throws(Failure) in
        try PayoutAdoption.adopt(workshop.path(directory), ledger: workshop.path(ledger), note: { _ in })
      }
    } throws: { ($0 as? Failure)?.exitCode == 74 }
    #expect(try LedgerHistory(ledger: workshop.path(ledger)).payouts.count == (ledger == "ledger" ? 1 : 0))
  }
}
