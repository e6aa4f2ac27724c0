import Failures
import Foundation
import LedgerRuns
import Testing
import TestSupport

@testable import Ledger
@testable import Payouts

@Suite("Directories of payouts: of copies, changed, gone, and in another order of nights")
struct TracesTests {
  let workshop: PayoutWorkshop

  init() throws {
    workshop = try PayoutWorkshop()
    // A folder of its own: the folders next to it are looked at, too.
    for name in ["shop", "copy"] { try makeFolder(name) }
    try workshop.write(
      PayoutWorkshop.payeesHeader + "\nanna@x.example,EUR,Anna,IBAN,DE89370400440532013000,,,,,,\n"
        + "bert@x.example,EUR,Bert,IBAN,DE02120300000000202051,,,,,,\n", to: "payees.csv")
    try settle(1, "anna@x.example", 100)
  }

  private func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: workshop.path(name), withIntermediateDirectories: false)
  }

  private func settle(
    _ night: Int, _ account: String, _ cents: Int, ledger: String = "ledger", adopt: Bool = false
  ) throws {
    try workshop.settle(
      [PayoutWorkshop.payment("K\(night)", account, "EUR", cents)], night: night, ledger: ledger, adopt: adopt)
  }

  private func pay(
    _ number: Int, output: String? = nil, ledger: String = "ledger", since: Int? = nil,
    note: @escaping (String) -> Void = { _ in }
  ) throws(Failure) -> PayoutResult {
    var options = Payout.Options(
      ledger: workshop.path(ledger), payees: workshop.path("payees.csv"), date: "2026-12-0\(number)",
      executionDate: "2026-12-0\(number)", output: workshop.path(output ?? "shop/\(number)"))
    options.since = since
    return try openingWhenFree(isBusy: { $0.exitCode == 75 }) { () throws(Failure) in
      try Payout.make(options, note: note)
    }
  }

  private func put(_ name: String, to other: String) throws {
    try workshop.folder.write(workshop.folder.bytes(of: name), to: other)
  }

  private func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: workshop.path(name)) }

  private func refusal(_ result: PayoutResult) -> String {
    if case .lacking(let refusal) = result { refusal.message } else { result.description }
  }

  /// Runs each line of a message that begins with a command of the shell.
  private func move(as message: String) throws {
    for line in message.split(separator: "\n") where line.hasPrefix("  mkdir ") {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", String(line)]
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(line)")
    }
  }

  @Test("a payout that only its directory names may be of a copy: the message says both ways")
  func copied() throws {
    #expect(try pay(1).description == "made 1, exit 0")
    try settle(2, "anna@x.example", 200)
    for name in ["ledger", "ledger-lock"] { try put(name, to: "copy/\(name)") }
    #expect(try pay(2, output: "copy/2", ledger: "copy/ledger").description == "made 2, exit 0")
    let (ledger, directory) = (workshop.path("ledger"), workshop.path("copy/2"))
    let message = refusal(try pay(3))
    #expect(
      message == """
        \(ledger): lacks payout 2 (\(directory)). Enter it:
          settle payout adopt \(directory) --ledger \(ledger)        (if it was sent, or may have been)
        If a directory is of a copy of this ledger, and was never sent, move it away instead:
          mkdir -p \(workshop.path("copy/set-aside/1")) && mv \(directory) \(workshop.path("copy/set-aside/1"))
        """, "\(message)")
    try move(as: message)
    #expect(try pay(3).description == "made 2, exit 0")
    #expect(try workshop.rows("shop/3/payouts.csv").map { $0[3] } == ["2.00"])
    // The next one finds a free folder.
    #expect(SetAside.command(directory).contains("set-aside/2 &&"))
  }

  @Test("a payout that the lock file names is adopted in any case")
  func named() throws {
    try put("ledger", to: "older")
    #expect(try pay(1).description == "made 1, exit 0")
    try put("older", to: "ledger")
    _ = try LedgerAdoption.adopt(.init(ledger: workshop.path("ledger")), note: { _ in })
    let message = refusal(try pay(2))
    let lines = message.split(separator: "\n").dropFirst()
    #expect(
      lines == [
        "  settle payout adopt \(workshop.path("shop/1")) --ledger \(workshop.path("ledger"))",
        "If a payout that is entered so was never sent, give all its references to the next payout as returned, with the "
          + "reason NOT_SENT",
      ], "\(message)")
  }

  @Test("another SHA256SUMS in a payout's own directory: it is moved away, and published again")
  func changed() throws {
    #expect(try pay(1).description == "made 1, exit 0")
    try settle(2, "anna@x.example", 200)
    try workshop.write("", to: "shop/1/SHA256SUMS")
    let failure = #expect(throws: Failure.self) { try pay(2) }
    let message = failure?.message ?? ""
    #expect(failure?.exitCode == 74 && message.contains("its SHA256SUMS is not the published one"), "\(message)")
    #expect(message.contains("--payees PAYEES --date 2026-12-01 --execution-date 2026-12-01 --until 1 --output"))
    try move(as: message)
    #expect(try pay(2).description == "made 2, exit 0")
    try move(
      as: "  mkdir \(workshop.path("shop/other")); mv \(workshop.path("shop/set-aside/1/1")) "
        + workshop.path("shop/other/1"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: workshop.path("shop")).sorted() == [
        "2", "other", "set-aside",
      ])
  }

  @Test("a lost ledger's payout is looked for next to the runs, then one level up, if all there are of one ledger")
  func candidates() throws {
    func say(_ last: Int, of ledger: String) throws -> String {
      var options = LedgerAdoption.Options(ledger: workshop.path(ledger))
      options.lastPayout = last
      guard case .counts(let message) = try LedgerAdoption.adopt(options, note: { _ in }) else { return "" }
      return message
    }
    #expect(try pay(1).description == "made 1, exit 0")
    for (night, ledger) in [(7, "second"), (8, "third")] {
      try settle(night, "anna@x.example", 5, ledger: ledger)
      _ = try say(0, of: ledger)
      #expect(try pay(1, output: "copy/\(ledger)", ledger: ledger).description == "made 1, exit 0")
    }
    try workshop.settle(
      [PayoutWorkshop.payment("K9", "anna@x.example", "EUR", 5)], night: 9, output: "shop/night", ledger: "made")
    func found() throws -> [String] {
      let message = try say(1, of: "made")
      #expect(message.contains("payout 1 (no directory found)"), "\(message)")
      return ["shop/1", "copy/second", "copy/third"].filter { message.contains("adopt \(workshop.path($0)) --ledger") }
    }
    #expect(try found() == ["shop/1"])
    try remove("shop/1")
    #expect(try found() == [])
    try remove("copy/third")
    #expect(try found() == ["copy/second"])
  }

  @Test("directories that are gone are named while the payout may not have been sent")
  func gone() throws {
    #expect(try pay(1).description == "made 1, exit 0")
    for number in 2...3 {
      try settle(number, "anna@x.example", 200)
      #expect(try pay(number).description == "made \(number), exit 0")
    }
    let ledger = workshop.path("ledger")
    #expect(try GoneDirectories(ledger: ledger).count == 0)
    for number in 1...3 { try remove("shop/\(number)") }
    let gone = try GoneDirectories(ledger: ledger)
    let payees = try LedgerHistory(ledger: ledger).payouts[1].identity.payees
    #expect(gone.count == 3 && gone.warnings(except: 2).count == 2)
    #expect(
      gone.warnings()[1] == """
        payout 2 of 2026-12-02: its directory \(workshop.path("shop/2")) is gone. If it was not sent, no one was paid by \
        it. Put it back, or publish it again from the files that it was made of:
          settle payout --ledger \(ledger) --payees PAYEES --date 2026-12-02 --execution-date 2026-12-02 --until 2 \
        --output \(workshop.path("shop/2")) --republish
            PAYEES: SHA-256 \(payees)
        """, "\(gone.warnings()[1])")
    let all = try LedgerHistory(ledger: ledger).payouts
    for (days, count) in [(6.9, 3), (7.1, 1)] {
      #expect(GoneDirectories(all, ledger: "ledger", now: .now.addingTimeInterval(days * 86400)).count == count)
    }
    var notes: [String] = []
    try settle(4, "anna@x.example", 200)
    #expect(try pay(4, note: { notes.append($0) }).description == "made 4, exit 0")
    #expect(notes.map { $0.prefix(8) } == ["payout 1", "payout 2", "payout 3"])
    let verdict = try LedgerUpkeep.verify(ledger)
    #expect(verdict.findings == [])
    #expect(verdict.gonePayouts == (1...3).map { "payout \($0) (\(workshop.path("shop/\($0)")))" })
  }

  @Test(
    "a first payout's --since is believed only if the nights from then on are those that it paid",
    arguments: [
      ([1, 2, 3], nil), ([2, 1, 3], "run 2 does not"), ([2], "the ledger has"), ([2, 3], "run 2 does not"),
    ])
  func since(order: [Int], refusal: String?) throws {
    try settle(2, "bert@x.example", 500)
    #expect(try pay(1, since: 2).description == "made 1, exit 0")
    try settle(3, "anna@x.example", 700)
    for name in ["ledger", "ledger-lock"] { try remove(name) }
    for night in order {
      try settle(night, night == 2 ? "bert@x.example" : "anna@x.example", [100, 500, 700][night - 1], adopt: true)
    }
    func adopt() throws(Failure) -> PayoutAdoption.Outcome {
      try PayoutAdoption.adopt(workshop.path("shop/1"), ledger: workshop.path("ledger"), note: { _ in })
    }
    guard let refusal else {
      #expect(try adopt().bookedRun == nil)
      return
    }
    #expect { try adopt() } throws: { error in
      let failure = error as? Failure
      return failure?.exitCode == 74 && failure!.message.contains(refusal)
        && failure!.message.hasSuffix(
          "\n  settle run BATCH --output DIRECTORY --ledger \(workshop.path("ledger")) --adopt")
    }
    #expect(try LedgerHistory(ledger: workshop.path("ledger")).payouts.isEmpty)
  }

  @Test("a payout that counts from another run on than the ledger is of a copy, and is refused")
  func otherSince() throws {
    try settle(2, "bert@x.example", 500)
    for name in ["ledger", "ledger-lock"] { try put(name, to: "copy/\(name)") }
    // So deep that no one looks there.
    let away = "away/deeper/still"
    try FileManager.default.createDirectory(atPath: workshop.path(away), withIntermediateDirectories: true)
    #expect(try pay(1, output: "\(away)/1", ledger: "copy/ledger", since: 3).description == "made 1, exit 0")
    try settle(3, "anna@x.example", 700, ledger: "copy/ledger")
    #expect(try pay(2, output: "\(away)/2", ledger: "copy/ledger").description == "made 2, exit 0")
    try remove("\(away)/1")
    #expect(try pay(1, since: 2).description == "made 1, exit 0")
    #expect {
      try PayoutAdoption.adopt(workshop.path("\(away)/2"), ledger: workshop.path("ledger"), note: { _ in })
    } throws: { error in
      let failure = error as? Failure
      return failure?.exitCode == 74
        && failure!.message.contains("payout 2 counts runs from 3 on, and the ledger counts from run 2 on")
    }
    #expect(try LedgerHistory(ledger: workshop.path("ledger")).payouts.map(\.number) == [1])
  }
}
