import Foundation
import Testing

/// A ledger that lacks days whose reports are there.
@Suite("The nightly job with an older copy of its ledger")
struct NightlyLedgerTests {
  private static let settings = "export SETTLE_LEDGER=$PWD/ledger;"

  /// A job whose ledger is a copy from before the last two of four nights, and was adopted.
  private static func older() throws -> NightlyJob {
    let job = try NightlyJob(
      Dictionary(uniqueKeysWithValues: (20...23).map { ("2026-11-\($0).jsonl", NightlyJob.payment("K-\($0)")) }))
    for day in 20...23 {
      let coming =
        day == 20 ? "mkdir hidden; mv inbox/2026-11-2[123].jsonl hidden;" : "mv hidden/2026-11-\(day).jsonl inbox;"
      #expect(try job.run(on: "2026-11-\(day + 1)", settings + coming).exitCode == 0)
      if day == 21 { #expect(try job.folder.run(["ledger", "backup", "ledger", "copy"]).exitCode == 0) }
    }
    try job.folder.start("cp copy ledger; rm ledger-lock").waitUntilExit()
    #expect(try job.folder.run(["ledger", "adopt", "ledger", "--last-payout", "0"]).exitCode == 0)
    return job
  }

  @Test("it settles nothing and ends with 74, until the printed commands have entered the days")
  func older() throws {
    let job = try Self.older()
    try job.folder.write("inbox/2026-11-24.jsonl", NightlyJob.payment("K-24"))
    for day in ["", "2026-11-24"] {
      let (exitCode, said) = try day.isEmpty ? job.run(on: "2026-11-25", Self.settings) : job.run(Self.settings, day)
      #expect(exitCode == 74 && said.contains("has the reports of 2026-11-22 2026-11-23 in"), "\(said)")
      #expect(!said.contains("settling"))
      #expect(try job.gauge("reports_unknown") == 2)
    }
    let said = try job.run(on: "2026-11-25", Self.settings).said
    let commands = said.split(separator: "\n").compactMap { line in
      try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }.compactMap { $0["message"] as? String }.filter { $0.hasSuffix("--adopt") }
    #expect(commands.count == 2)
    for command in commands {
      let process = try job.folder.start(command + " >said 2>&1")
      process.waitUntilExit()
      let entered = try job.text("said")
      #expect(process.terminationStatus == 0, "\(entered)")
    }
    #expect(try job.run(on: "2026-11-25", Self.settings).exitCode == 0)
    #expect(try job.gauge("reports_unknown") == 0)
    #expect(try job.folder.run(["ledger", "verify", "ledger"]).said.contains("5 runs"))
  }

  @Test("a day whose batch is not in the inbox is named, and its command comes once it is there")
  func batchIsGone() throws {
    let job = try Self.older()
    let (exitCode, said) = try job.run(on: "2026-11-24", Self.settings + "rm inbox/2026-11-22.jsonl;")
    #expect(exitCode == 74 && said.contains("the batch of 2026-11-22 is not in the inbox"), "\(said)")
  }

  @Test("days before the ledger's first one, and a new ledger, are no reason")
  func switchedOn() throws {
    let job = try NightlyJob(["2026-11-20.jsonl": NightlyJob.payment("A")])
    #expect(try job.run(on: "2026-11-21").exitCode == 0)
    try job.folder.write("inbox/2026-11-21.jsonl", NightlyJob.payment("B"))
    #expect(try job.run(on: "2026-11-22", Self.settings).exitCode == 0)
    #expect(try job.run(on: "2026-11-22", Self.settings).exitCode == 0)
    // Settled once without the ledger.
    try job.folder.write("inbox/2026-11-22.jsonl", NightlyJob.payment("C"))
    #expect(try job.run(on: "2026-11-23").exitCode == 0)
    let (exitCode, said) = try job.run(on: "2026-11-23", Self.settings)
    #expect(exitCode == 74 && said.contains("has the reports of 2026-11-22 in"), "\(said)")
  }
}
