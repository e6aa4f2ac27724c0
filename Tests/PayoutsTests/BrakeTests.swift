import Failures
import FileSystem
import Foundation
import Ledger
import TestSupport
import Testing

@testable import BatchRun
@testable import Payouts

/// A payment that came back stops its balance until the payee has another bank account.
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
    returned: [String] = [], ledger: String = "ledger", debtor: Bool = false
  ) throws -> String {
    let rows = [
      anna.map { "anna@x.example,EUR,Anna,IBAN,\($0),,,,,,\(hold)" }, "bert@x.example,EUR,Bert,IBAN,\(bert),,,,,,",
    ]
    try workshop.write(
      ([PayoutWorkshop.payeesHeader] + rows.compactMap(\.self)).joined(separator: "\n"), to: "payees.csv")
    try workshop.write(
      "reference,reason\n" + returned.map { "\($0),AC04\n" }.joined(), to: "returned-\(number).csv")
    return try workshop.pay(number, ledger: ledger) { options in
      (options.date, options.executionDate) = ("2026-11-1\(number)", "2026-11-1\(number)")
      options.returned = [workshop.path("returned-\(number).csv")]
      if debtor { options.debtor = workshop.path("debtor.json") }
    }.description
  }

  /// What happened to each balance in a payout: the account and what was paid, or the reason.
  private func decisions(_ number: Int) throws -> [String] {
    try workshop.rows("payout-\(number)/payouts.csv").map { "\($0[1].prefix(4)) \($0[3])" }
      + workshop.rows("payout-\(number)/carried.csv").map { "\($0[0].prefix(4)) \($0[3])" }
  }

  @Test("the same bank account is not paid again, in this payout and in later ones; another one is")
  func sameAccount() throws {
    try settle(2)
    #expect(try pay(2, anna: Self.first, returned: ["P1-1"]) == "made 2, exit 1")
    #expect(try decisions(2) == ["bert 1.00", "anna RETURNED"])
    try settle(3)
    #expect(try pay(3, anna: Self.first) == "made 3, exit 1")
    #expect(try decisions(3) == ["bert 1.00", "anna RETURNED"])
    try settle(4)
    #expect(try pay(4, anna: Self.second) == "made 4, exit 0")
    #expect(try decisions(4) == ["anna 4.00", "bert 1.00"])
    // The last payment is the one of payout 4, which did not come back.
    try settle(5)
    #expect(try pay(5, anna: Self.first) == "made 5, exit 0")
    #expect(try decisions(5) == ["anna 1.00", "bert 1.00"])
  }

  @Test("without a payee's row it is RETURNED, and on hold it is ON_HOLD")
  func order() throws {
    try settle(2)
    #expect(try pay(2, anna: nil, returned: ["P1-1"]) == "made 2, exit 1")
    #expect(try decisions(2) == ["bert 1.00", "anna RETURNED"])
    #expect(try pay(3, anna: Self.first, hold: "yes") == "made 3, exit 0")
    #expect(try decisions(3) == ["anna ON_HOLD"])
  }

  @Test("retry pays once more, if it names the last payment", arguments: ["P1-1", "P1-2", "P2-1"])
  func retry(reference: String) throws {
    try settle(2)
    #expect(
      try pay(2, anna: Self.first, hold: "retry \(reference)", returned: ["P1-1"])
        == (reference == "P1-1" ? "made 2, exit 0" : "made 2, exit 1"))
    #expect(
      try decisions(2) == (reference == "P1-1" ? ["anna 2.00", "bert 1.00"] : ["bert 1.00", "anna RETURNED"]))
    // A row that is forgotten does nothing after the next payment.
    guard reference == "P1-1" else { return }
    #expect(try pay(3, anna: Self.first, hold: "retry P1-1", returned: ["P2-1"]) == "made 3, exit 1")
    #expect(try decisions(3) == ["anna RETURNED"])
  }

  @Test("a return stops every payee with the bank account that it came from, in its own payout")
  func sharedAccount() throws {
    try settle(2)
    #expect(try pay(2, anna: Self.first, bert: Self.first, returned: ["P1-1"]) == "made 2, exit 1")
    #expect(try decisions(2) == ["anna RETURNED", "bert RETURNED"])
    #expect(try pay(3, anna: Self.first, bert: Self.first) == "made 3, exit 1")
    #expect(try decisions(3) == ["bert 1.00", "anna RETURNED"])
  }

  @Test("an older payment that comes back stops nothing later, unless its bank account is the same")
  func olderPayment() throws {
    try settle(2)
    #expect(try pay(2, anna: Self.second) == "made 2, exit 0")
    try settle(3)
    #expect(try pay(3, anna: Self.second, returned: ["P1-1"]) == "made 3, exit 0")
    #expect(try decisions(3) == ["anna 2.00", "bert 1.00"])
    try settle(4)
    #expect(try pay(4, anna: Self.second, returned: ["P2-1"]) == "made 4, exit 1")
    #expect(try decisions(4) == ["bert 1.00", "anna RETURNED"])
    try settle(5)
    #expect(try pay(5, anna: Self.second) == "made 5, exit 0")
  }

  @Test(
    "a bank account that the ledger does not know counts as the same one: only retry ends it", arguments: [true, false])
  func unknownAccount(hasFiles: Bool) throws {
    try settle(2)
    #expect(try pay(2, anna: Self.first, debtor: hasFiles) == "made 2, exit 0")
    for night in 1...2 {
      try settle(night, ledger: "again", adopt: true)
      _ = try openingWhenFree(isBusy: { $0.exitCode == 75 }) { () throws(Failure) in
        if night == 1 {
          var word = LedgerAdoption.Options(ledger: workshop.path("again"))
          word.lastPayout = 2
          _ = try LedgerAdoption.adopt(word, note: { _ in })
        }
        return try PayoutAdoption.adopt(
          workshop.path("payout-\(night)"), ledger: workshop.path("again"), note: { _ in })
      }
    }
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
}
