import Failures
import FileSystem
import Foundation
import Ledger
import Testing
import TestSupport

@testable import BatchRun
@testable import Bookkeeping
@testable import LedgerRuns
@testable import Publication
@testable import LedgerRuns
@testable import Publication
@testable import LedgerRuns
@testable import Payouts
@testable import Publication

@Suite("Interrupted payouts")
struct InterruptedPayoutTests {
  enum Stop: CaseIterable {
    case begun, halfWritten, complete, linked, entered, published, unlinked
  }

  let workshop: PayoutWorkshop

  init() throws {
    workshop = try PayoutWorkshop()
    try workshop.write(
      PayoutWorkshop.payeesHeader + "\nanna@x.example,EUR,Anna,IBAN,DE89370400440532013000,,,,,,\n", to: "payees.csv")
    try workshop.write(
      #"{"EUR":{"IBAN":{"name":"Pay GmbH","iban":"DE89370400440532013000"}}}"#, to: "debtor.json")
    try workshop.settle([PayoutWorkshop.payment("K", "anna@x.example", "EUR", 100)], night: 1)
  }

  private var options: Payout.Options {
    var options = Payout.Options(
      ledger: workshop.path("ledger"), payees: workshop.path("payees.csv"), date: "2026-11-24",
      executionDate: "2026-11-25", output: workshop.path("payout-1"))
    options.debtor = workshop.path("debtor.json")
    return options
  }

  /// Does the steps of a payout up to a point.
  private func pay(upTo stop: Stop) throws {
    let ledger = try openingWhenFree(isBusy: { $0.exitCode == 75 }) { () throws(Failure) in
      try Payout.open(options.ledger, note: { _ in })
    }
    let files = PayoutFiles(payees: options.payees, returned: [], adjustments: [], debtor: options.debtor)
    let payout = Payout(options: options, ledger: ledger, files: files, note: { _ in }, show: { _ in })
    let place = try OutputPlace(path: options.output!)
    try ledger.begin(place, replaces: false)
    ledger.leavesAttempt = true
    if stop == .begun { return }
    let directory = try SettlementDirectory(path: options.output!, replaces: false, leastFiles: 4)
    if stop == .halfWritten {
      _ = try directory.makeFile("payouts.csv")
      return directory.leave()
    }
    let lists = try PayoutLists(beside: place)
    let subject = try payout.subject(
      1, files.identity(options, until: 1)!, firstRun: 1, ledgerID: ledger.ledger.name().digits, earlier: [])
    let (_, entry) = try payout.write(subject, in: directory, lists)
    if stop == .complete { return directory.leave() }
    try LedgerNote(place).make(of: ledger.path)
    if stop == .linked { return directory.leave() }
    _ = try lists.enter(entry, in: ledger.ledger)
    if stop == .entered { return directory.leave() }
    try directory.publish()
    if stop == .unlinked { LedgerNote(place).remove() }
  }

  private func again() throws -> String {
    try workshop.pay(1) { $0.debtor = options.debtor }.description
  }

  @Test(
    "the payout is in the ledger and its directory is complete, or neither; the next payout says which",
    arguments: Stop.allCases)
  func interrupted(stop: Stop) throws {
    try pay(upTo: stop)
    let isEntered = [.entered, .published, .unlinked].contains(stop)
    #expect(try again() == (isEntered ? "already made 1" : "made 1, exit 0"))
    #expect(
      try workshop.folder.names() == [
        "batch-1", "debtor.json", "ledger", "ledger-lock", "night-1", "payees.csv", "payout-1",
      ])
    #expect(try workshop.rows("payout-1/payouts.csv").count == 1)
    try BankFileReader.compare(workshop, "payout-1")
    #expect(try LedgerUpkeep.verify(workshop.path("ledger")).findings == [])
  }

  @Test("a run finds an interrupted payout, too, and a directory in the way withdraws it")
  func found() throws {
    try pay(upTo: .entered)
    try FileManager.default.createDirectory(atPath: options.output!, withIntermediateDirectories: false)
    try workshop.write("x", to: "payout-1/x")
    try workshop.settle([PayoutWorkshop.payment("L", "anna@x.example", "EUR", 50)], night: 2)
    #expect(try LedgerHistory(ledger: options.ledger).payouts.isEmpty)
    try FileManager.default.removeItem(atPath: options.output!)
    var first = options
    first.since = 1
    #expect(try Payout.make(first, note: { _ in }).description == "made 1, exit 0")
    #expect(try workshop.rows("payout-1/payouts.csv")[0][3] == "1.50")
  }

  @Test("one at a time: an active payout or run blocks others")
  func busy() throws {
    let held = try openingWhenFree(isBusy: { $0.exitCode == 75 }) { () throws(Failure) in
      try RunLedger(options.ledger)
    }
    #expect { _ = try Payout.make(options, note: { _ in }) } throws: { ($0 as? Failure)?.exitCode == 75 }
    withExtendedLifetime(held) {}
  }

  @Test("only the operator can read files with bank accounts")
  func modes() throws {
    _ = try again()
    func mode(_ name: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: workshop.path(name))[.posixPermissions] as? Int
    }
    #expect(try mode("payout-1") == 0o700)
    for name in try workshop.folder.names(in: "payout-1") { #expect(try mode("payout-1/\(name)") == 0o600, "\(name)") }
  }
}
