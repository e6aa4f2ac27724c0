import ExactArithmetic
import Failures
import Foundation
import LedgerRuns
import Money
import Testing
import TestSupport

@testable import Ledger
@testable import Payouts

@Suite("Adopted payouts book each return and each adjustment once")
struct AdoptedChangesTests {
  let workshop: PayoutWorkshop
  /// A place where no command looks for payouts.
  let lost = "away/deeper/still/payout-2"

  init() throws {
    workshop = try PayoutWorkshop()
    try workshop.write(
      PayoutWorkshop.payeesHeader + "\nanna@x.example,EUR,Anna,IBAN,DE89370400440532013000,,,,,,\n"
        + "bert@x.example,EUR,Bert,IBAN,DE02120300000000202051,,,,,,\n", to: "payees.csv")
    try settle(1)
    #expect(try pay(1).description == "made 1, exit 0")
    try put("ledger", to: "older")
  }

  private func settle(_ night: Int, adopt: Bool = false) throws {
    try workshop.settle(
      [PayoutWorkshop.payment("A\(night)", "anna@x.example", "EUR", 100 * night)], night: night, adopt: adopt)
  }

  private func pay(
    _ number: Int, returned: String? = nil, adjustments: String? = nil
  ) throws -> PayoutResult {
    if let returned { try workshop.write("reference,reason\n" + returned, to: "returned-\(number).csv") }
    if let adjustments {
      try workshop.write("key,account,currency,amount,reason\n" + adjustments, to: "adjustments-\(number).csv")
    }
    return try workshop.pay(number) { options in
      (options.date, options.executionDate) = ("2026-11-0\(number)", "2026-11-0\(number)")
      options.returned = returned == nil ? [] : [workshop.path("returned-\(number).csv")]
      options.adjustments = adjustments == nil ? [] : [workshop.path("adjustments-\(number).csv")]
    }
  }

  private func put(_ name: String, to other: String) throws {
    try workshop.folder.write(workshop.folder.bytes(of: name), to: other)
  }

  /// Puts the older copy back, with night 2.
  private func restore() throws {
    try put("older", to: "ledger")
    _ = try adoptLedger()
    try settle(2, adopt: true)
  }

  private func adoptLedger(_ payments: (payout: Int, rows: String)? = nil) throws -> LedgerAdoption.Outcome {
    var options = LedgerAdoption.Options(ledger: workshop.path("ledger"))
    if let payments {
      try workshop.write("key,account,currency,amount,reason\n" + payments.rows, to: "payments.csv")
      (options.payments, options.givenUp) = (workshop.path("payments.csv"), [payments.payout...payments.payout])
    }
    return try openingWhenFree(isBusy: { $0.exitCode == 75 }) { () throws(Failure) in
      try LedgerAdoption.adopt(options, note: { _ in })
    }
  }

  private func adoptPayout(_ number: Int) throws -> PayoutAdoption.Outcome {
    try openingWhenFree(isBusy: { $0.exitCode == 75 }) { () throws(Failure) in
      try PayoutAdoption.adopt(workshop.path("payout-\(number)"), ledger: workshop.path("ledger"), note: { _ in })
    }
  }

  private func move(_ name: String, to other: String) throws {
    let parent = URL(fileURLWithPath: workshop.path(other)).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: workshop.path(name), toPath: workshop.path(other))
  }

  private func verify(_ numbers: Int..., sourceLocation: SourceLocation = #_sourceLocation) throws {
    let ledger = workshop.path("ledger")
    for number in numbers {
      let verdict = try PayoutVerification.verify(workshop.path("payout-\(number)"), ledger: ledger)
      #expect(verdict.findings.map(\.text) == [], "payout \(number)", sourceLocation: sourceLocation)
    }
    #expect(try LedgerUpkeep.verify(ledger).findings == [], sourceLocation: sourceLocation)
  }

  @Test(
    "what an earlier payout has booked is left out, with the same reason or another",
    arguments: ["AC04", "AC06"])
  func twice(reason: String) throws {
    try settle(2)
    let bonus = "bonus-1,bert@x.example,EUR,5.00,BONUS\n"
    #expect(try pay(2, returned: "P1-1,AC04\n", adjustments: bonus).description == "made 2, exit 1")
    // Its directory is lost, and it was sent.
    try move("payout-2", to: lost)
    try restore()
    _ = try adoptLedger((2, "sent-1,bert@x.example,EUR,-5.00,SENT\n"))
    #expect(try pay(3, returned: "P1-1,\(reason)\n", adjustments: bonus).description == "made 3, exit 1")
    // The older copy once more, and the directory is found.
    try move(lost, to: "payout-2")
    try restore()
    #expect(try adoptPayout(2).leftOut == [])
    let outcome = try adoptPayout(3)
    #expect(
      outcome.leftOut == ["the return of P1-1 (payout 2 has it)", "the adjustment bonus-1 (payout 2 has it)"])
    #expect(outcome.warnings.first?.contains("left out, because it is booked already: the return of P1-1") == true)
    #expect(outcome.bookedRun == nil && outcome.renamed == [] && outcome.owing == [])
    try verify(2, 3)
    #expect(try pay(4, returned: "P1-1,AC04\n", adjustments: bonus).description == "made 4, exit 1")
    #expect(try workshop.rows("payout-4/returned.csv") == [] && workshop.rows("payout-4/adjusted.csv") == [])
    #expect(
      try workshop.rows("payout-4/carried.csv") == [["anna@x.example", "EUR", "3.00", "RETURNED", "2"]])
  }

  @Test("a key that is booked with another row is changed; later lists may have either key")
  func renamed() throws {
    #expect(try pay(2, adjustments: "k,anna@x.example,EUR,1.00,BONUS\n").description == "made 2, exit 0")
    try move("payout-2", to: lost)
    try put("older", to: "ledger")
    _ = try adoptLedger()
    _ = try adoptLedger((2, "sent-1,anna@x.example,EUR,-1.00,SENT\n"))
    let row = "k,bert@x.example,EUR,2.00,BONUS\n"
    #expect(try pay(3, adjustments: row).description == "made 3, exit 0")
    try move(lost, to: "payout-2")
    try put("older", to: "ledger")
    _ = try adoptLedger()
    _ = try adoptPayout(2)
    let outcome = try adoptPayout(3)
    #expect(outcome.renamed == ["k as k.P3"] && outcome.leftOut == [] && outcome.bookedRun == nil)
    #expect(outcome.warnings.count == 1)
    try verify(2, 3)
    let found = try LedgerReading(path: workshop.path("ledger")).adjustment("k.P3")
    #expect(found?.adjustment.change.note == AdjustmentNote(key: "k.P3", reason: "BONUS", listedKey: "k"))
    for (key, amount, result) in [
      ("k", "2", "made 4, exit 0"), ("k.P3", "2.00", "made 5, exit 0"), ("k", "3", "2: ALREADY_ADJUSTED at key"),
      ("k.P3", "3", "2: ALREADY_ADJUSTED at key"),
    ] {
      let number = Int(result.dropFirst(5).prefix(1)) ?? 6
      let again = "\(key),bert@x.example,EUR,\(amount),BONUS\n"
      #expect(try pay(number, adjustments: again).description == result, "\(again)")
      if number < 6 { #expect(try workshop.rows("payout-\(number)/adjusted.csv") == []) }
    }
    // A row that is missing in the directory is a finding, renamed or not.
    try workshop.write("key,account,currency,amount,reason\n", to: "payout-3/adjusted.csv")
    let verdict = try PayoutVerification.verify(workshop.path("payout-3"), ledger: workshop.path("ledger"))
    #expect(verdict.findings.contains { $0.text.contains("expected k") }, "\(verdict.findings.map(\.text))")
  }

  @Test("a changed key is free in the ledger and in the payout's other rows")
  func keys() throws {
    func row(_ key: String, _ cents: Int) -> Change<AdjustmentNote> {
      let amount = ExactDecimal(cents, exponent: -2)
      return Change(
        AdjustmentNote(key: key, reason: "R"),
        AccountAmount(account: Array("a@x.example".utf8), currency: Currency(code: "EUR")!, amount: amount)
      )
    }
    var booked: [String: BookedChange<AdjustmentNote>] = [:]
    for (key, cents) in [("a", 1), ("b", 1), ("c", 1), ("c.P7", 9)] {
      booked[key] = BookedChange(row(key, cents), payout: 2)
    }
    let changes = AdoptedChanges(
      of: 7, [], booked: [:], [row("a", 1), row("b", 2), row("b.P7", 3), row("c", 2), row("d", 4)], booked: booked)
    #expect(changes.leftOut == ["the adjustment a (payout 2 has it)"])
    #expect(changes.renamed == ["b as b.P7.P7", "c as c.P7.P7"])
    #expect(changes.adjustments.map(\.note.key) == ["b.P7", "d", "b.P7.P7", "c.P7.P7"])
    for change in changes.adjustments { #expect(try AdjustmentNote(change.note.bytes[...]) == change.note) }
    #expect(changes.adjustments.map(\.note.listedKey) == [nil, nil, "b", "c"])
  }
}
