import Failures
import Foundation
import Testing
import TestSupport

@testable import Payouts

@Suite("Snapshots, copies, other shops and directories without payouts.json pay nothing twice")
struct WitnessRecoveryTests {
  let workshop: PayoutWorkshop
  var witness: String { workshop.path("disk/witness") }

  init() throws {
    workshop = try PayoutWorkshop()
    try FileManager.default.createDirectory(atPath: workshop.path("disk"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: workshop.path("shop/payouts"), withIntermediateDirectories: true)
    try workshop.write(
      PayoutWorkshop.payeesHeader + "\nanna@x.example,EUR,Anna,IBAN,DE89370400440532013000,,,,,,\n", to: "payees.csv")
    try settle(1)
    #expect(try pay(1).description == "made 1, exit 0")
  }

  private func settle(_ night: Int, shop: String = "shop") throws {
    try workshop.settle(
      [PayoutWorkshop.payment("A\(shop)\(night)", "anna@x.example", "EUR", 100 * night)], night: night,
      output: "\(shop)/night-\(night)", ledger: "\(shop)/ledger")
  }

  private func pay(
    _ number: Int, shop: String = "shop", output: String? = nil, isTrial: Bool = false, hasWitness: Bool = true
  ) throws(Failure) -> PayoutResult {
    try workshop.pay(number, output: output ?? "\(shop)/payouts/\(number)", ledger: "\(shop)/ledger") { options in
      (options.date, options.executionDate) = ("2026-11-0\(number)", "2026-11-0\(number)")
      options.witness = hasWitness ? witness : nil
      if isTrial { (options.output, options.isTrial) = (nil, true) }
    }
  }

  private func adopt(
    _ shop: String = "shop", hasWitness: Bool = true, change: (inout LedgerAdoption.Options) -> Void = { _ in }
  ) throws(Failure) -> String {
    var options = LedgerAdoption.Options(ledger: workshop.path("\(shop)/ledger"))
    options.witness = hasWitness ? witness : nil
    change(&options)
    let outcome = try openingWhenFree(isBusy: { $0.exitCode == 75 }) { () throws(Failure) in
      try LedgerAdoption.adopt(options, note: { _ in })
    }
    return if case .counts(let message) = outcome { message } else { "faulty" }
  }

  private func adoptPayout(_ directory: String, shop: String = "shop") throws(Failure) -> PayoutAdoption.Outcome {
    try openingWhenFree(isBusy: { $0.exitCode == 75 }) { () throws(Failure) in
      try PayoutAdoption.adopt(
        workshop.path(directory), ledger: workshop.path("\(shop)/ledger"), witness: witness, note: { _ in })
    }
  }

  private func copy(_ name: String, to other: String) throws {
    try? FileManager.default.removeItem(atPath: workshop.path(other))
    try FileManager.default.copyItem(atPath: workshop.path(name), toPath: workshop.path(other))
  }

  private func move(_ name: String, to other: String) throws {
    let parent = URL(fileURLWithPath: workshop.path(other)).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: workshop.path(name), toPath: workshop.path(other))
  }

  private func message(_ result: PayoutResult) -> String {
    if case .lacking(let refusal) = result { refusal.message } else { result.description }
  }

  private func failure(_ body: () throws -> Void) -> Failure? {
    do {
      try body()
      return nil
    } catch {
      return error as? Failure
    }
  }

  /// The folder is put back as it was after payout 1, without payout 2.
  private func putBack() throws {
    try copy("shop", to: "snapshot")
    try settle(2)
    #expect(try pay(2).description == "made 2, exit 0")
    try copy("shop", to: "later")
    try copy("snapshot", to: "shop")
  }

  @Test("a whole folder put back pays nothing again: the witness names what it lacks")
  func snapshot() throws {
    try putBack()
    try settle(2)
    let refused = try #require(failure { _ = try pay(3) })
    #expect(refused.exitCode == 74)
    #expect(
      refused.message.hasSuffix(
        "\n  settle ledger adopt \(workshop.path("shop/ledger")) --witness \(witness)"), "\(refused.message)")
    let adopted = try adopt()
    #expect(adopted.contains("lacks payout 2 (no directory found)"), "\(adopted)")
    #expect(
      adopted.contains(
        "settle ledger adopt \(workshop.path("shop/ledger")) --give-up 2 --witness \(witness)"), "\(adopted)")
    try copy("later/payouts/2", to: "shop/payouts/2")
    #expect(try adoptPayout("shop/payouts/2").bookedRun == nil)
    #expect(try pay(3).description == "made 3, exit 0")
    #expect(try workshop.rows("shop/payouts/3/payouts.csv") == [])
  }

  @Test("a dry run reads the witness, and writes nothing to it")
  func trial() throws {
    let before = try workshop.folder.bytes(of: "disk/witness")
    try putBack()
    #expect(failure { _ = try pay(2, isTrial: true) }?.exitCode == 74)
    try workshop.folder.write(before, to: "disk/witness")
    try settle(2)
    #expect(try pay(2, isTrial: true).description == "tried 2, exit 0")
    #expect(try workshop.folder.bytes(of: "disk/witness") == before)
  }

  @Test("a payout that a copy may have made is entered, or moved away; the message says both")
  func copyOfShop() throws {
    try settle(2)
    try copy("shop", to: "shop-2")
    #expect(try pay(2, shop: "shop-2", hasWitness: false).description == "made 2, exit 0")
    try move("shop-2/payouts/2", to: "shop/payouts/.tried")
    let directory = workshop.path("shop/payouts/.tried")
    let text = try message(pay(2))
    #expect(
      text.contains(
        "\n  settle payout adopt \(directory) --ledger \(workshop.path("shop/ledger")) --witness \(witness)        "
          + "(if it was sent, or may have been)"), "\(text)")
    let away = workshop.path("shop/payouts/set-aside/1")
    #expect(text.hasSuffix("\n  mkdir -p \(away) && mv \(directory) \(away)"), "\(text)")
    try move("shop/payouts/.tried", to: "shop/payouts/set-aside/1/.tried")
    #expect(try pay(2).description == "made 2, exit 0")
  }

  @Test("a copy with the witness stops the original; its payout is entered and given back")
  func copyWithWitness() throws {
    try settle(2)
    try copy("shop", to: "shop-2")
    #expect(try pay(2, shop: "shop-2").description == "made 2, exit 0")
    #expect(failure { _ = try pay(2) }?.exitCode == 74)
    try move("shop-2/payouts/2", to: "shop/payouts/tried")
    let text = try adopt()
    #expect(text.contains("with the reason NOT_SENT") && !text.contains("mkdir"), "\(text)")
    #expect(try adoptPayout("shop/payouts/tried").number == 2)
    #expect(try pay(3).description == "made 3, exit 0")
  }

  @Test("a number is not given up while a directory with it is there, unless that is another shop's")
  func notOurs() throws {
    try putBack()
    try settle(2)
    try FileManager.default.createDirectory(atPath: workshop.path("other/payouts"), withIntermediateDirectories: true)
    for night in 1...2 {
      try settle(night + 4, shop: "other")
      #expect(
        try pay(night, shop: "other", hasWitness: false).description == "made \(night), exit 0")
    }
    try move("other/payouts/2", to: "shop/payouts/other-2")
    _ = try adopt()
    let refused = try #require(failure { _ = try adopt { $0.givenUp = [2...2] } })
    #expect(refused.exitCode == 74)
    let command = "settle ledger adopt \(workshop.path("shop/ledger")) --give-up 2 --not-ours --witness \(witness)"
    #expect(refused.message.hasSuffix("\n  \(command)"), "\(refused.message)")
    #expect(try message(pay(3)).contains("\n  \(command)        (if it was never sent"))
    _ = try adopt {
      $0.givenUp = [2...2]
      $0.isNotOurs = true
    }
    // The ledger keeps the name.
    #expect(try pay(3).description == "made 3, exit 0")
  }

  @Test("a directory that was a payout's and has no payouts.json is refused", arguments: ["payouts.csv", "SHA256SUMS"])
  func lacksSummary(left: String) throws {
    try putBack()
    try copy("later/payouts/2", to: "shop/payouts/.2")
    for name in ["payouts.json", "payouts.csv", "SHA256SUMS"] where name != left {
      try FileManager.default.removeItem(atPath: workshop.path("shop/payouts/.2/\(name)"))
    }
    _ = try? FileManager.default.removeItem(atPath: workshop.path("disk/witness"))
    let refused = try #require(failure { _ = try pay(3, hasWitness: false) })
    #expect(refused.exitCode == 74 && refused.message.contains(workshop.path("shop/payouts/.2")), "\(refused.message)")
    try move("shop/payouts/.2", to: "shop/payouts/.2.partial")
    #expect(try pay(2, hasWitness: false).exitCode != 74, "a publication makes such a directory")
  }
}
