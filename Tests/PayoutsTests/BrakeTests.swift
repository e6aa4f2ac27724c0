import Failures
import Foundation
import FileSystem
import LedgerRuns
import TestSupport
import Testing

@testable import BatchRun
@testable import Ledger
@testable import Payouts

/// A bank account that a payment came back from is not paid again.
@Suite("The brake")
struct BrakeTests {
  private let workshop: PayoutWorkshop

  private static let (first, second) = ("DE89370400440532013000", "DE65300600100532013001")

  init() throws {
    workshop = try PayoutWorkshop()
    try workshop.write(
      #"{"EUR":{"IBAN":{"name":"Pay GmbH","iban":"DE89370400440532013000"}}}"#, to: "debtor.json")
    try settle(1)
    #expect(try pay(1, anna: Self.first, debtor: true) == "made 1, exit 0")
  }

  /// Anna and Bert earn 1.00 each.
  private func settle(_ night: Int, ledger: String = "ledger", adopt: Bool = false) throws {
    try workshop.settle(
      ["anna", "bert"].map { PayoutWorkshop.payment("\($0)-\(night)", "\($0)@x.example", "EUR", 100) }, night: night,
      ledger: ledger, adopt: adopt)
  }

  /// Makes a payout with bank accounts of Anna and Bert; without one there is no row.
  private func pay(
    _ number: Int, anna: String?, bert: String = "FR1420041010050500013M02606", hold: String = "",
    returned: [String] = [], reason: String = "AC04", ledger: String = "ledger", debtor: Bool = false,
    until: Int? = nil, republishes: Bool = false
  ) throws -> String {
    let rows = [
      anna.map { "anna@x.example,EUR,Anna,IBAN,\($0),,,,,,\(hold)" }, "bert@x.example,EUR,Bert,IBAN,\(bert),,,,,,",
    ]
    try workshop.write(
      ([PayoutWorkshop.payeesHeader] + rows.compactMap(\.self)).joined(separator: "\n"), to: "payees.csv")
    try workshop.write(
      "reference,reason\n" + returned.map { "\($0),\(reason)\n" }.joined(), to: "returned-\(number).csv")
    return try workshop.pay(number, ledger: ledger) { options in
      (options.date, options.executionDate) = ("2026-11-1\(number)", "2026-11-1\(number)")
      options.returned = [workshop.path("returned-\(number).csv")]
      (options.untilRun, options.republishes) = (until, republishes)
      if debtor { options.debtor = workshop.path("debtor.json") }
    }.description
  }

  /// The last return of the bank account of an account's last payment; nil if it is not refused.
  private func refused(_ account: String) throws -> String? {
    try LedgerReading(path: workshop.path("ledger")).books(of: Array("\(account)@x.example".utf8)).first?.refused?.text
  }

  /// What happened to each balance in a payout: the account and what was paid, or the reason.
  private func decisions(_ number: Int) throws -> [String] {
    try workshop.rows("payout-\(number)/payouts.csv").map { "\($0[1].prefix(4)) \($0[3])" }
      + workshop.rows("payout-\(number)/carried.csv").map { "\($0[0].prefix(4)) \($0[3])" }
  }

  @Test("a refused bank account is not paid, whatever was paid meanwhile; another one is, and the first stays refused")
  func sameAccount() throws {
    try settle(2)
    #expect(try pay(2, anna: Self.first) == "made 2, exit 0")
    try settle(3)
    #expect(try pay(3, anna: Self.first, returned: ["P1-1"]) == "made 3, exit 1")
    #expect(try decisions(3) == ["bert 1.00", "anna RETURNED"])
    try settle(4)
    #expect(try pay(4, anna: Self.first) == "made 4, exit 1")
    #expect(try decisions(4) == ["bert 1.00", "anna RETURNED"])
    #expect(try refused("anna") == "P1-1")
    try settle(5)
    #expect(try pay(5, anna: Self.second) == "made 5, exit 0")
    #expect(try decisions(5) == ["anna 4.00", "bert 1.00"])
    try settle(6)
    #expect(try pay(6, anna: Self.first) == "made 6, exit 1")
    #expect(try decisions(6) == ["bert 1.00", "anna RETURNED"])
    // The last payment went to the other one.
    #expect(try refused("anna") == nil)
  }

  @Test("without a payee's row it is NO_PAYEE, and on hold it is ON_HOLD")
  func order() throws {
    try settle(2)
    #expect(try pay(2, anna: nil, returned: ["P1-1"]) == "made 2, exit 1")
    #expect(try decisions(2) == ["bert 1.00", "anna NO_PAYEE"])
    #expect(try pay(3, anna: Self.first, hold: "yes") == "made 3, exit 0")
    #expect(try decisions(3) == ["anna ON_HOLD"])
    #expect(try pay(4, anna: Self.first) == "made 4, exit 1")
    #expect(try decisions(4) == ["anna RETURNED"])
  }

  @Test("retry pays again if it names the last return of the bank account", arguments: ["P1-1", "P1-2", "P2-1"])
  func retry(reference: String) throws {
    try settle(2)
    #expect(try pay(2, anna: Self.first) == "made 2, exit 0")
    try settle(3)
    let isLast = reference == "P2-1"
    #expect(
      try pay(3, anna: Self.first, hold: "retry \(reference)", returned: ["P1-1", "P2-1"])
        == (isLast ? "made 3, exit 0" : "made 3, exit 1"))
    #expect(try decisions(3) == (isLast ? ["anna 3.00", "bert 1.00"] : ["bert 1.00", "anna RETURNED"]))
    #expect(try refused("anna") == (isLast ? nil : "P2-1"))
    // A row that is forgotten does nothing after the next return.
    guard isLast else { return }
    #expect(try pay(4, anna: Self.first, hold: "retry P2-1", returned: ["P3-1"]) == "made 4, exit 1")
    #expect(try decisions(4) == ["anna RETURNED"])
  }

  @Test("a retry does nothing after the return of a payment that was made before it")
  func forgottenRetry() throws {
    try settle(2)
    #expect(try pay(2, anna: Self.first) == "made 2, exit 0")
    try settle(3)
    #expect(try pay(3, anna: Self.first, hold: "retry P2-1", returned: ["P2-1"]) == "made 3, exit 0")
    try settle(4)
    #expect(try pay(4, anna: Self.first, hold: "retry P2-1", returned: ["P1-1"]) == "made 4, exit 1")
    #expect(try pay(5, anna: Self.first, hold: "retry P1-1") == "made 5, exit 0")
  }

  @Test("a return refuses the bank account for every payee, until one of them is paid there")
  func sharedAccount() throws {
    try settle(2)
    #expect(try pay(2, anna: Self.first, bert: Self.first, returned: ["P1-1"]) == "made 2, exit 1")
    #expect(try decisions(2) == ["anna RETURNED", "bert RETURNED"])
    try settle(3)
    // Each row needs its own retry in this payout; the next one needs none.
    #expect(try pay(3, anna: Self.first, bert: Self.first, hold: "retry P1-1") == "made 3, exit 1")
    #expect(try decisions(3) == ["anna 3.00", "bert RETURNED"])
    #expect(try pay(4, anna: Self.first, bert: Self.first) == "made 4, exit 0")
    #expect(try decisions(4) == ["bert 2.00"])
  }

  @Test("NOT_SENT refuses nothing")
  func notSent() throws {
    try settle(2)
    #expect(try pay(2, anna: Self.first, returned: ["P1-1"], reason: "NOT_SENT") == "made 2, exit 0")
    #expect(try decisions(2) == ["anna 2.00", "bert 1.00"])
  }

  @Test("a payment to another bank account is counted, and payouts.json has the number")
  func changedAccounts() throws {
    try settle(2)
    #expect(try pay(2, anna: Self.second, bert: Self.first) == "made 2, exit 0")
    #expect(try workshop.text("payout-2/payouts.json").contains(#""changedAccounts":2,"reasons""#))
    try settle(3)
    #expect(try pay(3, anna: Self.second) == "made 3, exit 0")
    #expect(try workshop.text("payout-3/payouts.json").contains(#""changedAccounts":1,"reasons""#))
  }

  @Test("a payout that is made again, from the ledger or with its files, decides the same")
  func again() throws {
    try settle(2)
    #expect(try pay(2, anna: Self.first, returned: ["P1-1"]) == "made 2, exit 1")
    try settle(3)
    #expect(try pay(3, anna: Self.first, hold: "retry P1-1") == "made 3, exit 0")
    let files = try workshop.files("payout-2")
    for name in files.keys { try FileManager.default.removeItem(atPath: workshop.path("payout-2/\(name)")) }
    try FileManager.default.removeItem(atPath: workshop.path("payout-2"))
    #expect(
      try pay(2, anna: Self.first, returned: ["P1-1"], until: 2, republishes: true)
        == "already made 2, published")
    #expect(try workshop.files("payout-2") == files)
    let verdict = try PayoutVerification.verify(
      workshop.path("payout-2"), ledger: workshop.path("ledger"),
      inputs: PayoutVerification.Inputs(
        payees: workshop.path("payees.csv"), returned: [workshop.path("returned-2.csv")], adjustments: [], debtor: nil))
    #expect(verdict.findings.isEmpty)
  }

  @Test(
    "an unknown bank account refuses every one of its account and currency, until something is paid",
    arguments: [true, false])
  func unknownAccount(hasFiles: Bool) throws {
    try settle(2)
    #expect(try pay(2, anna: Self.first, debtor: hasFiles) == "made 2, exit 0")
    try makeAgain(payouts: 2)
    // The ledger has the bank accounts that the files for the bank name.
    try settle(3, ledger: "again")
    let isPaid = "made 3, exit \(hasFiles ? 0 : 1)"
    #expect(try pay(3, anna: Self.second, returned: ["P2-1"], ledger: "again") == isPaid)
    #expect(try decisions(3) == (hasFiles ? ["anna 2.00", "bert 1.00"] : ["bert 1.00", "anna RETURNED"]))
    guard !hasFiles else { return }
    #expect(try pay(4, anna: Self.second, ledger: "again") == "made 4, exit 1")
    #expect(try pay(5, anna: Self.second, hold: "retry P2-1", ledger: "again") == "made 5, exit 0")
    #expect(try decisions(5) == ["anna 2.00"])
  }

  @Test("a payment ends no refusal by a return that a later payout booked, to an unknown bank account either")
  func returnOfLaterPayout() throws {
    try settle(2)
    #expect(try pay(2, anna: Self.first, returned: ["P1-2"]) == "made 2, exit 1")
    #expect(try decisions(2) == ["anna 1.00", "bert RETURNED"])
    try settle(3)
    #expect(try pay(3, anna: Self.first, returned: ["P2-1"]) == "made 3, exit 1")
    #expect(try decisions(3) == ["anna RETURNED", "bert RETURNED"])
    // Where P2-1 went is not known, because payout 2 has no files for the bank. Nothing was paid to Bert since P1-2, so
    // the payments of payout 2 are read, too.
    try makeAgain(payouts: 3)
    try settle(4, ledger: "again")
    #expect(try pay(4, anna: Self.second, ledger: "again") == "made 4, exit 1")
    #expect(try decisions(4) == ["anna RETURNED", "bert RETURNED"])
  }

  @Test("refused bank accounts that the ledger keeps are checked against payments and returns")
  func keptOthers() throws {
    try settle(2)
    #expect(try pay(2, anna: Self.first, returned: ["P1-1"]) == "made 2, exit 1")
    #expect(try LedgerUpkeep.verify(workshop.path("ledger")).findings == [])
    do {
      let ledger = try openingWhenFree(isBusy: { $0.kind == .busy }) { () throws(Failure) in
        try Ledger(path: workshop.path("ledger"))
      }
      // Bert's bank account instead of Anna's.
      let (other, lookup) = (PaymentReference(payout: 1, number: 2), try ledger.payoutLookup())
      let change = Change(ReturnNote(reference: other, reason: "AC04"), try #require(try lookup.payment(other)))
      var refusals = Refusals()
      try refusals.add([BookedChange(change, payout: 2)], lookup)
      let entries = try AccountEntries(.refusals, beside: OutputPlace(path: workshop.path("list")))
      try refusals.write(to: entries)
      let list = AccountList(kind: .refusals, number: 2)
      try ledger.write { database in
        try list.remove(database)
        try entries.insert(database, as: list)
      }
    }
    let findings = try LedgerUpkeep.verify(workshop.path("ledger")).findings
    #expect(findings.count == 1 && findings[0].contains("the refused bank accounts after payout 2 are not"))
  }

  /// Makes the ledger again as `again`, each payout after its night.
  private func makeAgain(payouts: Int) throws {
    for night in 1...payouts {
      try settle(night, ledger: "again", adopt: true)
      _ = try openingWhenFree(isBusy: { $0.exitCode == 75 }) { () throws(Failure) in
        if night == 1 {
          var word = LedgerAdoption.Options(ledger: workshop.path("again"))
          word.lastPayout = payouts
          _ = try LedgerAdoption.adopt(word, note: { _ in })
        }
        return try PayoutAdoption.adopt(
          workshop.path("payout-\(night)"), ledger: workshop.path("again"), note: { _ in })
      }
    }
  }
}
