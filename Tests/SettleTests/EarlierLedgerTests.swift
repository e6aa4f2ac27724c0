import Foundation
import Testing

/// Ledgers that earlier versions wrote, with nights 1 and 2 of the examples of payouts: that of 1.0.0-rc.1 as `settle
/// ledger adopt` of rc.3 converted it, and that of rc.2 with payouts 1 and 2.
///
/// They were made in /srv/settle, so that the directories that they name are gone.
@Suite("Ledgers of earlier versions, read and continued")
struct EarlierLedgerTests {
  private static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let examples = checkout.appending(path: "../../docs/spec/examples").standardizedFileURL.path
  private static let payouts = examples + "/payouts"

  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  private func unpack(_ version: String) throws { try folder.unpack(earlier: version) }

  /// Runs a command on the ledger; its words are separated by spaces.
  @discardableResult
  private func settle(
    _ words: String, exitCode: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let run = try folder.runApart(words.split(separator: " ").map(String.init) + ["--ledger", "ledger"])
    #expect(run.exitCode == exitCode, "\(words): \(run.output)\(run.error)", sourceLocation: sourceLocation)
    return run.output + run.error
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
  }

  /// Only the version of settle and messages may differ if a later one settles a night again.
  private func verifyNight(_ number: Int, of version: String, _ options: String = "") throws {
    let found = try settle("verify night-\(number) --batch batch-\(number).jsonl" + options)
    #expect(
      found.contains("settled again, every byte is the same, other than the messages of version \(version)"), "\(found)"
    )
  }

  private func settleNight(_ number: Int, _ options: String = "", exitCode: Int32 = 0) throws -> String {
    let batch = number < 3 ? "batch-\(number).jsonl" : "\(Self.payouts)/nights/\(number)/batch.jsonl"
    return try settle("run \(batch) --fees \(Self.payouts)/fees.json " + options, exitCode: exitCode)
  }

  private static let payees = "--payees \(payouts)/payouts/3/payees.csv --debtor \(payouts)/payouts/3/debtor.json"
  private static let period = "--since 2026-11-01 --until 2026-12-31"

  @Test("1.0.0-rc.1, converted by rc.3: its nights are known, and balances begin with the next one")
  func first() throws {
    let version = "1.0.0-rc.1"
    try unpack(version)
    let before = try Data(contentsOf: folder.url.appending(path: "ledger"))
    #expect(try settle("balances").hasPrefix("All balances are zero.\n"))
    #expect(try settle("waiting").hasPrefix("Nothing waits.\n"))
    #expect(try settle("find N1-1 --ledger-only").contains("R2-1      2  100.00"))
    #expect(try settle("journal --format hledger --output books \(Self.period)").contains("0 transactions"))
    #expect(try settle("returns batch-1.jsonl --output answers", exitCode: 64).contains("no payout yet"))
    let rules = " --fees \(Self.payouts)/fees.json --unknown-fields note"
    for number in 1...2 { try verifyNight(number, of: version, rules) }
    #expect(try folder.run(["ledger", "verify", "ledger"]).said.contains("2 runs, 9 pay keys; 0 of"))
    #expect(try Data(contentsOf: folder.url.appending(path: "ledger")) == before)

    let again = try settleNight(1, "--unknown-fields note --output night", exitCode: 3)
    #expect(again.contains("already settled by run 1"))
    try folder.write("later.jsonl", try Self.later)
    let night = try settle("run later.jsonl --output night-3 --fees \(Self.payouts)/fees.json", exitCode: 1)
    #expect(night.contains("Rejected most often for: ALREADY_SETTLED 1."))
    try settle("payout \(Self.payees) --date 2026-11-26 --output payout-1")
    #expect(
      try text("payout-1/payouts.csv").split(separator: "\n").dropFirst().map { $0.prefix(32) } == [
        "P1-1,anna@shop.example,EUR,90.00", "P1-2,bert@shop.example,EUR,4.00,",
      ])
    #expect(try settle("balances").hasPrefix("All balances are zero.\n"))
    #expect(try folder.run(["ledger", "verify", "ledger"]).said.contains("3 runs, 11 pay keys, 1 payout"))
  }

  /// Night 3 with a payment of night 1, and with a refund of one.
  private static var later: String {
    get throws {
      let night = try String(contentsOfFile: "\(payouts)/nights/3/batch.jsonl", encoding: .utf8)
      let first = try String(contentsOfFile: "\(payouts)/nights/1/batch.jsonl", encoding: .utf8)
      let paid = try #require(first.split(separator: "\n").first { $0.contains("N1-1") })
      let refund = #"{"type":"refund","refundKey":"R3-1","payKey":"N1-2","currencyCode":"EUR","amount":"1.00"}"#
      let records = night.split(separator: "\n").filter { $0.contains("payKey") }
      return (records + [paid] + [refund[...]]).joined(separator: "\n")
    }
  }

  // MARK: rc.2

  @Test("1.0.0-rc.2: every command reads the ledger before it is converted")
  func reading() throws {
    try unpack("1.0.0-rc.2")
    let before = try Data(contentsOf: folder.url.appending(path: "ledger"))
    #expect(
      try settle("balances --format csv") == """
        account,currency,balance,since
        anna@shop.example,EUR,-60.00,2
        bert@shop.example,EUR,20.00,2
        frank@shop.example,EUR,10.00,2

        """)
    #expect(try settle("balances --format csv --until 2026-11-24").hasSuffix("\nerin@shop.example,USD,0.80,1\n"))
    #expect(try settle("waiting").hasPrefix("Nothing waits.\n"))
    #expect(try settle("history").contains("run 2  "))
    #expect(try settle("find P1-2").contains("PAID  P1-2 to bert@shop.example, EUR 50.00"))
    #expect(try settle("find N1-1 --ledger-only").contains("R2-1      2  100.00"))
    try settle("statement --account anna@shop.example --no-nights --format csv --output told \(Self.period)")
    #expect(
      try text("told/1.csv").split(separator: "\n").dropFirst(2).map { $0.split(separator: ",").last! } == [
        "100.00", "0.00", "-60.00", "-60.00",
      ])
    #expect(try settle("journal --format hledger --output books \(Self.period)", exitCode: 74).contains("--republish"))
    for number in 1...2 {
      #expect(try settle("verify payout-\(number)").contains("balances are those of the ledger"))
      try verifyNight(number, of: "1.0.0-rc.2")
    }
    #expect(try folder.run(["ledger", "verify", "ledger"]).said.contains("2 runs, 9 pay keys, 2 payouts"))
    #expect(try Data(contentsOf: folder.url.appending(path: "ledger")) == before)
  }

  @Test("1.0.0-rc.2: a dry run, and what enters nothing, leaves the ledger as it is")
  func enteringNothing() throws {
    try unpack("1.0.0-rc.2")
    let before = try Data(contentsOf: folder.url.appending(path: "ledger"))
    func expectUnchanged(_ what: String) throws {
      #expect(try Data(contentsOf: folder.url.appending(path: "ledger")) == before, "\(what)")
    }
    let tried = try settle("payout \(Self.payees) --date 2026-11-26 --dry-run", exitCode: 1)
    #expect(tried.contains("bert@shop.example,EUR,20.00,20.00,IBAN,\n") && tried.contains("was not looked at"))
    try settle("payout \(Self.payees) --date 2026-11-26 --dry-run --output payout-3", exitCode: 1)
    try settle("payout \(Self.payees) --date 2026-11-26 --dry-run --output night-1", exitCode: 73)
    try settle("payout \(Self.payees) --date 2099-12-31 --output payout-3", exitCode: 64)
    try settle("payout --payees nope.csv --date 2026-11-26 --output payout-3", exitCode: 66)
    try settle("payout \(Self.payees) --date 2026-11-26 --output night-1", exitCode: 73)
    try settle("payout --payees batch-1.jsonl --date 2026-11-26 --output payout-3", exitCode: 78)
    try expectUnchanged("a payout that is not made")
    try folder.write("broken.jsonl", "{\"type\":\"header\",\"version\":9}\n")
    try settle("run broken.jsonl --output night-3", exitCode: 2)
    // Rc.2 must read it still; a run notes where it is at work.
    #expect(try settle("history").contains("run 2  "))
    #expect(try settleNight(3, "--output night-3").contains("made by an earlier version of settle, and converted"))
  }

  @Test("1.0.0-rc.2: nothing is settled or paid again, and what came back is")
  func continuing() throws {
    try unpack("1.0.0-rc.2")
    let digits = try #require(text("payout-1/payouts.json").firstMatch(of: #/"ledger":"([0-9a-f]{12})"/#)?.1)
    for name in ["status.xml", "notice.xml", "returns.ach"] {
      let answer = try String(contentsOfFile: "\(Self.examples)/returns/four-answers/\(name)", encoding: .utf8)
      try folder.write(name, answer.replacing("S000000000000-", with: "S\(digits)-"))
    }
    try settle("returns status.xml notice.xml returns.ach --output answers", exitCode: 1)
    #expect(try text("answers/returned.csv") == "reference,reason\nP1-2,AC04\nP1-4,R03\n")
    // Its reports are elsewhere, as far as the ledger knows.
    #expect(try settleNight(1, "--output night-1", exitCode: 3).contains("already settled by run 1"))
    let last = "--payees payees-2.csv --debtor \(Self.payouts)/payouts/2/debtor.json --date 2026-11-25"
    #expect(
      try settle(
        "payout \(last) --execution-date 2026-11-26 --minimum USD=1 --output payout-2", exitCode: 3
      ).contains("already made as payout 2"))
    #expect(try settleNight(3, "--output night-3").contains("Entered in the ledger as run 3."))
    let day = "--date 2026-11-26 --execution-date 2026-11-27 --minimum USD=1 --returned answers/returned.csv"
    try settle("payout \(Self.payees) \(day) --output payout-3", exitCode: 1)
    // Of 90.00 of run 3 it gets what it does not owe. What came back waits for another bank account.
    #expect(try text("payout-3/payouts.csv").contains("\nP3-1,anna@shop.example,EUR,30.00,IBAN,"))
    #expect(try text("payout-3/payouts.csv").split(separator: "\n").count == 2)
    #expect(
      try settle("balances --format csv") == """
        account,currency,balance,since
        bert@shop.example,EUR,75.00,2
        dave@shop.example,USD,30.00,3
        frank@shop.example,EUR,10.00,2

        """)
    for number in 1...2 {
      _ = try settleNight(number, "--output again-\(number) --republish")
      for report in ["settlement.csv", "receivers.csv", "refunds.csv"] {
        #expect(try text("again-\(number)/\(report)") == text("night-\(number)/\(report)"))
      }
    }
    // Payouts 1 and 2 stay where the ledger has them; only nights are read here.
    let books = try settle("journal --format hledger --output - \(Self.period)")
    for line in ["anna@shop.example  100.00 EUR", "payout P1-4", "payout P3-1", "P1-2", "senders  -30.00 EUR"] {
      #expect(books.contains(line), "\(line)")
    }
    try settle("statement --account bert@shop.example --format csv --output told \(Self.period)")
    #expect(try text("told/1.csv").hasSuffix(",75.00\n"))
    #expect(try folder.run(["ledger", "verify", "ledger"]).said.contains("3 runs, 11 pay keys, 3 payouts"))
  }
}
