import Failures
import Foundation
import Ledger
import LedgerRuns
import Testing
import TestSupport

@testable import Payouts

@Suite("A ledger that lacks payouts makes none until each is entered or given up")
struct RecoveryTests {
  let workshop: PayoutWorkshop

  init() throws {
    workshop = try PayoutWorkshop()
    try workshop.write(
      PayoutWorkshop.payeesHeader + "\nanna@x.example,EUR,Anna,IBAN,DE89370400440532013000,,,,,,\n"
        + "bert@x.example,EUR,Bert,IBAN,DE89370400440532013000,,,,,,\n", to: "payees.csv")
    try settle(1)
    #expect(try workshop.pay(1).description == "made 1, exit 0")
  }

  private func settle(_ night: Int, ledger: String = "ledger", adopt: Bool = false) throws {
    try workshop.settle(
      [
        PayoutWorkshop.payment("A\(night)", "anna@x.example", "EUR", 100 * night),
        PayoutWorkshop.payment("B\(night)", "bert@x.example", "EUR", 10 * night),
      ], night: night, ledger: ledger, adopt: adopt)
  }

  private func pay(
    _ number: Int, ledger: String = "ledger", since: Int? = nil, returned lists: [String] = []
  ) throws -> PayoutResult {
    for (place, rows) in lists.enumerated() {
      try workshop.write("reference,reason\n" + rows, to: "returned-\(place).csv")
    }
    return try workshop.pay(number, ledger: ledger) { options in
      (options.date, options.executionDate) = ("2026-12-0\(number)", "2026-12-0\(number)")
      options.since = since
      options.returned = lists.indices.map { workshop.path("returned-\($0).csv") }
    }
  }

  private func adoptLedger(
    _ name: String = "ledger", lastPayout: Int? = nil, givenUp: [ClosedRange<Int>] = [], payments: String? = nil
  ) throws -> LedgerAdoption.Outcome {
    var options = LedgerAdoption.Options(ledger: workshop.path(name))
    (options.lastPayout, options.givenUp) = (lastPayout, givenUp)
    if let payments {
      try workshop.write("key,account,currency,amount,reason\n" + payments, to: "payments.csv")
      options.payments = workshop.path("payments.csv")
    }
    return try openingWhenFree(isBusy: { $0.exitCode == 75 }) { () throws(Failure) in
      try LedgerAdoption.adopt(options, note: { _ in })
    }
  }

  private func adoptPayout(_ number: Int, ledger: String = "ledger") throws -> PayoutAdoption.Outcome {
    try openingWhenFree(isBusy: { $0.exitCode == 75 }) { () throws(Failure) in
      try PayoutAdoption.adopt(workshop.path("payout-\(number)"), ledger: workshop.path(ledger), note: { _ in })
    }
  }

  private func copy(_ name: String, to other: String) throws {
    try workshop.folder.write(workshop.folder.bytes(of: name), to: other)
  }

  private func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: workshop.path(name)) }

  private func move(_ name: String, to other: String) throws {
    let parent = URL(fileURLWithPath: workshop.path(other)).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: workshop.path(name), toPath: workshop.path(other))
  }

  private func message(_ outcome: LedgerAdoption.Outcome) -> String {
    if case .counts(let message) = outcome { message } else { "faulty" }
  }

  /// An older copy, which lacks payouts 2 and 3, and the directory of payout 3 is lost.
  private func restore() throws {
    try copy("ledger", to: "older")
    try settle(2)
    #expect(try pay(2).description == "made 2, exit 0")
    try settle(3)
    #expect(try pay(3).description == "made 3, exit 0")
    // No one looks so deep.
    try move("payout-3", to: "deep/down/lost")
    try copy("older", to: "ledger")
  }

  @Test("the messages lead from an older copy to a ledger in which everything is paid once")
  func older() throws {
    try restore()
    let ledger = workshop.path("ledger")
    let adopted = message(try adoptLedger())
    #expect(adopted.contains("it lacks runs 2 to 3."), "\(adopted)")
    #expect(
      adopted.contains(
        """
        lacks payout 2 (\(workshop.path("payout-2"))) and payout 3 (no directory found). Enter them in this order:
          settle payout adopt \(workshop.path("payout-2")) --ledger \(ledger)
          settle ledger adopt \(ledger) --give-up 3        (if it was never sent; with --payments FILE if it was)
        """), "\(adopted)")
    for night in 2...3 { try settle(night, adopt: true) }
    #expect(try pay(4).description == "lacking 2")
    #expect(try adoptPayout(2).bookedRun == nil)
    #expect(try adoptPayout(2).wasEntered)
    #expect(try pay(4).description == "lacking 1")
    let payments = "p1,anna@x.example,EUR,-3.00,PAID\np2,bert@x.example,EUR,-0.30,PAID\n"
    for _ in 0..<2 { _ = try adoptLedger(givenUp: [3...3], payments: payments) }
    #expect(try pay(4).description == "made 4, exit 0")
    #expect(try workshop.rows("payout-4/payouts.csv") == [])
    #expect(
      try workshop.text("payout-4/payouts.json").contains(
        #""opening":"0.00","settled":"3.30","returned":"0.00","adjusted":"-3.30","paid":"0.00","closing":"0.00""#))
    let history = try LedgerHistory(ledger: ledger)
    #expect(history.payouts.map(\.number) == [1, 2, 4] && history.givenUp.map(\.number) == [3])
    #expect(try LedgerUpkeep.verify(ledger).findings == [])
    #expect(try PayoutVerification.verify(workshop.path("payout-4"), ledger: ledger).count == 0)
    try move("deep/down/lost", to: "payout-3")
    #expect { try adoptPayout(3) } throws: { error in
      let failure = error as? Failure
      return failure?.exitCode == 74 && failure?.message.contains("the number of payout 3 is given up") == true
    }
  }

  @Test(
    "what is said must fit what is known",
    arguments: [("below", 64), ("directory", 74), ("entered", 64), ("other", 64)])
  func word(what: String, exitCode: Int32) throws {
    try restore()
    func adopt() throws {
      switch what {
      case "below": _ = try adoptLedger(lastPayout: 2)
      case "directory": _ = try adoptLedger(givenUp: [2...2])
      case "entered": _ = try adoptLedger(givenUp: [1...1])
      default:
        _ = try adoptLedger(givenUp: [3...3], payments: "p1,anna@x.example,EUR,-3.00,PAID\n")
        _ = try adoptLedger(givenUp: [3...3], payments: "p1,anna@x.example,EUR,-2.00,PAID\n")
      }
    }
    if what == "other" { _ = try adoptLedger() }
    #expect { try adopt() } throws: { ($0 as? Failure)?.exitCode == exitCode }
  }

  @Test(
    "payments of a lost payout are below zero, and each has a key of its own",
    arguments: [
      ("p,anna@x.example,EUR,3.00,PAID", "INVALID_AMOUNT"), ("p,anna@x.example,EUR,-3.001,PAID", "INVALID_AMOUNT"),
      ("p,anna@x.example,EUR,0,PAID", "INVALID_AMOUNT"), ("p,anna,EUR,-3.00,PAID", "INVALID_ACCOUNT"),
      ("p,anna@x.example,XXX,-3.00,PAID", "CURRENCY_NOT_SUPPORTED"),
      (",anna@x.example,EUR,-3.00,PAID", "MISSING_FIELD"),
      ("p p,anna@x.example,EUR,-3.00,PAID", "INVALID_VALUE"), ("p,anna@x.example,EUR,-3.00,", "MISSING_FIELD"),
      ("p,anna@x.example,EUR,-3.00,PAID\np,bert@x.example,EUR,-3.00,PAID", "DUPLICATE_ADJUSTMENT"),
      ("p,anna@x.example,EUR,-3.00", "FIELD_COUNT"),
    ])
  func faults(rows: String, code: String) throws {
    try restore()
    guard case .faulty(let faults) = try adoptLedger(givenUp: [3...3], payments: rows) else {
      Issue.record("no fault")
      return
    }
    #expect(faults.listed.map(\.code) == [code])
    #expect(throws: Failure.self) { try pay(4) }
  }

  @Test("payments of a lost payout that cross zero are named when they are entered, not again by the next payout")
  func crossing() throws {
    try restore()
    _ = try adoptLedger()
    for night in 2...3 { try settle(night, adopt: true) }
    _ = try adoptPayout(2)
    _ = try adoptLedger(givenUp: [3...3], payments: "p1,anna@x.example,EUR,-4.00,PAID\n")
    guard case .made(let figures) = try pay(4) else {
      Issue.record("no payout")
      return
    }
    #expect(figures.totals[0].accountsOwing == 1 && !figures.warnings.contains { $0.contains("cross zero") })
  }

  @Test("a directory that has changed is not entered, nor another one with the number of a payout that the ledger has")
  func otherDirectory() throws {
    func refusal(_ directory: String, ledger: String) -> String? {
      let failure = #expect(throws: Failure.self) {
        try PayoutAdoption.adopt(workshop.path(directory), ledger: workshop.path(ledger), note: { _ in })
      }
      return failure?.message
    }
    try workshop.settle(
      [PayoutWorkshop.payment("Z", "anna@x.example", "EUR", 5)], night: 8, output: "night-8", ledger: "shop")
    _ = try adoptLedger("shop", lastPayout: 0)
    #expect(try workshop.pay(1, output: "other", ledger: "shop").description == "made 1, exit 0")
    #expect(refusal("other", ledger: "ledger")?.contains("the ledger has another payout 1") == true)
    for name in ["ledger", "ledger-lock"] { try remove(name) }
    try settle(1, ledger: "again", adopt: true)
    let rows = try workshop.text("payout-1/payouts.csv")
    try workshop.write(rows.replacing(",3000,", with: ",3001,"), to: "payout-1/payouts.csv")
    #expect(refusal("payout-1", ledger: "again")?.contains("; nothing was entered. Put the directory back") == true)
    #expect(try LedgerHistory(ledger: workshop.path("again")).payouts.isEmpty)
  }

  @Test("a payout whose night is missing is entered after the last run, and names the accounts that are below zero")
  func outOfPlace() throws {
    try settle(2)
    #expect(try pay(2).description == "made 2, exit 0")
    for name in ["ledger", "ledger-lock"] { try remove(name) }
    try settle(1, ledger: "again", adopt: true)
    let failure = #expect(throws: Failure.self) { try adoptLedger("again") }
    #expect(failure?.exitCode == 64 && failure!.message.contains("--last-payout N"))
    #expect(try adoptPayout(1, ledger: "again").bookedRun == nil)
    let outcome = try adoptPayout(2, ledger: "again")
    #expect(outcome.bookedRun == 1 && outcome.owing == ["anna@x.example, EUR -2.00", "bert@x.example, EUR -0.20"])
    try settle(2, ledger: "again", adopt: true)
    _ = try adoptLedger("again", lastPayout: 2)
    #expect(try pay(3, ledger: "again").description == "made 3, exit 0")
    #expect(try workshop.rows("payout-3/payouts.csv") == [] && workshop.rows("payout-3/carried.csv") == [])
    #expect(try LedgerUpkeep.verify(workshop.path("again")).findings == [])
  }

  @Test("a payout that leaves something of a balance that it paid is entered after the last run")
  func otherBalances() throws {
    try settle(2)
    for name in ["ledger", "ledger-lock"] { try remove(name) }
    for night in [2, 1] { try settle(night, ledger: "again", adopt: true) }
    let outcome = try adoptPayout(1, ledger: "again")
    #expect(outcome.bookedRun == 2 && outcome.owing == [])
    try remove("payout-1")
    let failure = #expect(throws: Failure.self) {
      try workshop.pay(1, ledger: "again") { options in (options.untilRun, options.republishes) = (1, true) }
    }
    #expect(failure?.message.contains("its files cannot be made again. Nothing was published") == true)
  }

  @Test("payouts are entered in the order of their numbers, and only those of this ledger")
  func order() throws {
    try settle(2)
    #expect(try pay(2).description == "made 2, exit 0")
    try settle(9, ledger: "other")
    #expect { try adoptPayout(1, ledger: "other") } throws: { error in
      let failure = error as? Failure
      return failure?.exitCode == 74 && failure?.message.contains("this ledger's name is") == true
    }
    for name in ["ledger", "ledger-lock"] { try remove(name) }
    for night in 1...2 { try settle(night, ledger: "again", adopt: true) }
    #expect { try adoptPayout(2, ledger: "again") } throws: { error in
      let failure = error as? Failure
      return failure?.exitCode == 74 && failure?.message.contains("earlier ones come first") == true
    }
  }

  @Test("a ledger of another shop next to it asks once which payout was the last")
  func neighbours() throws {
    try workshop.settle([PayoutWorkshop.payment("Z", "anna@x.example", "EUR", 5)], night: 8, ledger: "shop")
    #expect(try pay(5, ledger: "shop").description == "lacking 0")
    _ = try adoptLedger("shop", lastPayout: 0)
    #expect(try pay(5, ledger: "shop").description == "made 1, exit 0")
    // The first shop's payouts go on.
    try settle(2)
    #expect(try pay(2).description == "made 2, exit 0")
  }

  @Test("returned payments of several lists are booked once; those that are booked already are skipped")
  func lists() throws {
    func returned(_ number: Int, _ lists: [String]) throws -> String {
      try pay(number, returned: lists).description
    }
    #expect(try returned(2, ["P1-1,AC04\nP1-1,AC04\n"]) == "3: DUPLICATE_REFERENCE at reference")
    #expect(try returned(2, ["P1-1,AC04\n", "P1-1,AC05\n"]) == "2: DUPLICATE_REFERENCE at reference")
    #expect(try returned(2, ["P1-1,AC04\n", "P1-2,AC04\nP1-1,AC04\n"]) == "made 2, exit 1")
    #expect(
      try workshop.rows("payout-2/returned.csv") == [
        ["P1-1", "AC04", "anna@x.example", "EUR", "1.00"], ["P1-2", "AC04", "bert@x.example", "EUR", "0.10"],
      ])
    let inputs = try workshop.text("payout-2/payouts.json")
    #expect(inputs.contains(#""returned":[{"bytes":"#), "\(inputs)")
    #expect(try returned(3, ["P1-1,AC05\n"]) == "2: ALREADY_RETURNED at reference")
    #expect(try returned(3, ["P1-1,AC04\n", "P1-2,AC04\n"]) == "made 3, exit 1")
    #expect(try workshop.rows("payout-3/returned.csv") == [])
    #expect(try PayoutVerification.verify(workshop.path("payout-2"), ledger: workshop.path("ledger")).count == 0)
  }

  @Test("a list that has grown books its new rows, with their own accounts and amounts")
  func grownList() throws {
    #expect(try pay(2, returned: ["P1-1,AC04\n"]).description == "made 2, exit 1")
    #expect(try pay(3, returned: ["P1-1,AC04\nP1-2,AC04\n"]).description == "made 3, exit 1")
    #expect(
      try workshop.rows("payout-3/returned.csv") == [["P1-2", "AC04", "bert@x.example", "EUR", "0.10"]])
  }

  @Test(
    "a payout that books a return with another amount than that of the payment is entered after the last run")
  func otherReturn() throws {
    try copy("ledger", to: "copy")
    _ = try adoptLedger("copy", lastPayout: 1)
    try settle(3, ledger: "copy")
    #expect(try pay(2, ledger: "copy").description == "made 2, exit 0")
    #expect(try pay(3, ledger: "copy", returned: ["P2-1,AC04\n"]).description == "made 3, exit 1")
    for number in 2...3 { try move("payout-\(number)", to: "deep/down/\(number)") }
    try settle(2)
    #expect(try pay(2).description == "made 2, exit 0")
    try move("deep/down/3", to: "payout-3")
    // Its own P2-1 is 3.00, this ledger's is 2.00.
    #expect(try adoptPayout(3).bookedRun == 2)
  }

  @Test("where a payment of a given-up payout went is not known, so the next one goes to no other bank account")
  func unknownBankAccount() throws {
    try restore()
    _ = try adoptLedger()
    for night in 2...3 { try settle(night, adopt: true) }
    _ = try adoptPayout(2)
    // Key and reason have as many bytes as what the ledger keeps of a bank account.
    let payments = "p-1,anna@x.example,EUR,-3.00,PAID\np-2,bert@x.example,EUR,-0.30,PAID\n"
    _ = try adoptLedger(givenUp: [3...3], payments: payments)
    try settle(4)
    #expect(try pay(4).description == "made 4, exit 0")
    #expect(try workshop.rows("payout-4/payouts.csv").map { $0[3] } == ["4.00", "0.40"])
    #expect(try workshop.text("payout-4/payouts.json").contains(#""changedAccounts":0,"#))
  }
}
