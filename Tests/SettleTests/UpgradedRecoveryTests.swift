import Foundation
import Testing

/// What earlier versions wrote, and what is put back or made again after an upgrade.
@Suite("Ledgers and directories of earlier versions, put back and made again")
struct UpgradedRecoveryTests {
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  /// Runs a command; its words are separated by spaces.
  @discardableResult
  private func settle(
    _ words: String, exitCode: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let run = try folder.runApart(words.split(separator: " ").map(String.init))
    #expect(run.exitCode == exitCode, "\(words): \(run.output)\(run.error)", sourceLocation: sourceLocation)
    return run.output + run.error
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
  }

  private func copy(_ name: String, to other: String) throws {
    try Data(contentsOf: folder.url.appending(path: name)).write(to: folder.url.appending(path: other))
  }

  private static let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../docs/spec/examples/payouts").standardizedFileURL.path

  @Test("1.0.0-rc.2: a night whose message was reworded is adopted, and verifies")
  func message() throws {
    try folder.unpack(earlier: "1.0.0-rc.2-message")
    let before = try text("night/exceptions.csv")
    try settle("run batch.jsonl --output night --ledger ledger --adopt", exitCode: 1)
    #expect(try text("night/exceptions.csv") == before)
    let verified = try settle("verify night --batch batch.jsonl")
    #expect(verified.contains("other than the messages of version 1.0.0-rc.2"), "\(verified)")
    #expect(try settle("verify night --ledger ledger").contains("they are those of run 1 of the ledger\n"))
    #expect(try settle("ledger verify ledger").contains("all of the runs' directories unchanged"))
    // In a directory of this version, the same message is a difference.
    let version = try settle("--version").split(separator: " ")[0]
    for file in ["summary.json", "exceptions.csv"] {
      let new = try text("night/\(file)").replacing("1.0.0-rc.2", with: version)
      try folder.write("night/\(file)", new)
    }
    let found = try settle("verify night --batch batch.jsonl", exitCode: 1)
    #expect(found.contains("exceptions.csv:2: message is "), "\(found)")
  }

  @Test("1.0.0-rc.3: an older copy is put back, its payouts are adopted, and nothing is paid again")
  func older() throws {
    try folder.unpack(earlier: "1.0.0-rc.3")
    let fees = "--fees \(Self.examples)/fees.json"
    try copy("older", to: "ledger")
    #expect(
      try settle("run batch-2.jsonl \(fees) --output night-2 --ledger ledger --adopt", exitCode: 74)
        .contains("settle ledger adopt ledger"))
    #expect(try settle("ledger adopt ledger").contains("it lacks run 2.\n"))
    try settle("run batch-2.jsonl \(fees) --output night-2 --ledger ledger --adopt")
    let pay = "payout --payees payees-2.csv --ledger ledger --date 2026-11-26 --output payouts/3"
    #expect(try settle(pay, exitCode: 74).contains("settle payout adopt payouts/2"))
    for number in 1...2 {
      try settle("payout adopt payouts/\(number) --ledger ledger")
      #expect(try settle("verify payouts/\(number) --ledger ledger").contains("balances are those of the ledger"))
    }
    #expect(
      try settle("balances --format csv --ledger ledger") == """
        account,currency,balance,since
        anna@shop.example,EUR,-60.00,2
        bert@shop.example,EUR,25.00,2
        dave@shop.example,USD,30.00,2
        frank@shop.example,EUR,10.00,2

        """)
    try settle(pay, exitCode: 1)
    #expect(try text("payouts/3/payouts.csv").split(separator: "\n").count == 1)
    #expect(try settle("ledger verify ledger").contains("2 runs, 9 pay keys, 3 payouts"))
  }

  @Test("1.0.0-rc.3: the ledger goes on, and its payout is published again if its directory is gone")
  func continuing() throws {
    try folder.unpack(earlier: "1.0.0-rc.3")
    try FileManager.default.removeItem(at: folder.url.appending(path: "payouts/2"))
    let warned = try settle("ledger verify ledger")
    #expect(warned.contains("payout 2 of 2026-11-25: its directory /srv/settle/payouts/2 is gone."), "\(warned)")
    #expect(
      warned.contains("directories that are gone: run 1 (/srv/settle/night-1), run 2 (/srv/settle/night-2), payout 1"))
    let line = try #require(warned.split(separator: "\n").first { $0.contains("--date 2026-11-25") })
    let words = line.split(separator: " ").dropFirst().joined(separator: " ")
      .replacing("PAYEES", with: "payees-2.csv").replacing("RETURNED", with: "returned.csv")
      .replacing("ADJUSTMENTS", with: "adjustments.csv")
      .replacing("DEBTOR", with: "\(Self.examples)/payouts/2/debtor.json")
      .replacing("/srv/settle/", with: "")
    #expect(try settle(words, exitCode: 1).contains("already made as payout 2"))
    #expect(try text("payouts/2/adjusted.csv").hasSuffix("\nbonus-1,bert@shop.example,EUR,5.00,BONUS\n"))
    #expect(try settle("verify payouts/2 --ledger ledger").contains("balances are those of the ledger"))
  }

  @Test("reports are those of a run of the ledger, wherever they are; otherwise that is a finding")
  func reports() throws {
    try folder.unpack(earlier: "1.0.0-rc.3")
    #expect(
      try settle("verify night-2 --ledger ledger").contains(
        "digests and sums agree; they are those of run 2 of the ledger, in /srv/settle/night-2\n"))
    let sums = try text("night-1/SHA256SUMS")
    try folder.write("night-2/SHA256SUMS", sums)
    let found = try settle("verify night-2 --ledger ledger", exitCode: 1)
    #expect(found.contains("SHA256SUMS:"), "\(found)")
    try FileManager.default.removeItem(at: folder.url.appending(path: "night-1"))
    try folder.write("n.jsonl", #"{"payKey":"Z","recipient":"a@x.example","subTotal":"1.00"}"#)
    try settle("run n.jsonl --output night-1")
    #expect(
      try settle("verify night-1 --ledger ledger", exitCode: 1).contains(
        "SHA256SUMS: the ledger has no run with these reports"))
  }
}
