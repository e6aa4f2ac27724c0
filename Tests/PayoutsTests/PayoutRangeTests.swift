import Failures
import Testing

@testable import Payouts

@Suite("Which runs the next payout may take")
struct PayoutRangeTests {
  private let workshop: PayoutWorkshop

  init() throws {
    workshop = try PayoutWorkshop()
    try workshop.write(
      PayoutWorkshop.payeesHeader + "\nanna@x.example,EUR,Anna,IBAN,DE89370400440532013000,,,,,,\n", to: "payees.csv")
    for night in 1...3 {
      try workshop.settle([PayoutWorkshop.payment("K\(night)", "anna@x.example", "EUR", 100)], night: night)
    }
  }

  private func pay(_ number: Int, until: Int? = nil, since: Int? = nil) throws(Failure) -> PayoutResult {
    try workshop.pay(number) { options in
      (options.date, options.executionDate) = ("2026-11-1\(number)", "2026-11-1\(number)")
      (options.untilRun, options.since) = (until, since)
    }
  }

  @Test("--since is a run with balances, or the one after --until", arguments: [0, 1, 3, 4])
  func since(run: Int) throws {
    if 1...3 ~= run {
      #expect(try pay(1, until: 2, since: run).description == "made 1, exit 0")
      #expect(try workshop.rows("payout-1/payouts.csv").map { $0[3] } == (run == 1 ? ["2.00"] : []))
    } else {
      let failure = #expect(throws: Failure.self) { try pay(1, until: 2, since: run) }
      #expect(failure?.message == "--since takes a run from 1, the first with balances, to 3, not \(run)")
    }
  }

  @Test("--until is not before the last payout's")
  func until() throws {
    #expect(try pay(1, until: 2, since: 1).description == "made 1, exit 0")
    let failure = #expect(throws: Failure.self) { try pay(2, until: 1) }
    #expect(failure?.message == "--until takes a run of the ledger, 2 to 3, not 1")
    #expect(try pay(2, until: 2).description == "made 2, exit 0")
    #expect(try pay(3, until: 3).description == "made 3, exit 0")
  }
}
