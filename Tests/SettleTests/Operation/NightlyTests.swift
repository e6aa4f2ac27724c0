import Foundation
import Testing

/// The job that `tools/nightly` sets up, run as a timer would.
@Suite("The nightly job")
struct NightlyTests {
  private static let day = NightlyJob.day
  private static let trailer = #"{"type":"trailer","recordCount":1,"totals":{}}"#
  /// The options of `tools/nightly/nightly.conf`.
  private static let conf =
    "export \"$(sed -n 's/^\\(SETTLE_OPTIONS=\\)\"\\(.*\\)\"$/\\1\\2/p' '\(NightlyJob.script.replacing("settle-nightly", with: "nightly.conf"))')\";"

  private static func payment(_ key: String, _ amount: String = "10.00") -> String {
    NightlyJob.payment(key, amount)
  }

  @Test("a night's batch is settled into its folder, verified, and reported to Prometheus")
  func settles() throws {
    let night = try NightlyJob(["\(Self.day).jsonl": Self.payment("A"), "2026-11-19.jsonl": Self.payment("B")])
    let (exitCode, said) = try night.run()
    #expect(exitCode == 0, "\(said)")
    #expect(said.contains("verified: 1 payment in 2 rows"))
    #expect(try night.text("reports/\(Self.day)/settlement.csv").contains("A,SIMPLE,RECEIVER"))
    #expect(try night.text("settle.prom").contains("\nsettle_last_run_success 1\n"))
    #expect(try night.text("settle-verify.prom").contains("\nsettle_last_verify_success 1\n"))
  }

  @Test("parts are one batch in version order; files that are not complete yet are left alone")
  func parts() throws {
    let night = try NightlyJob([
      "\(Self.day)-2.jsonl.part": Self.payment("X"), ".\(Self.day)-2.jsonl.partial": Self.payment("X"),
    ])
    let parts = ["1", "2", "09", "10", "11-2", "11-10", "100"]
    for part in parts { try night.folder.write("inbox/\(Self.day)-\(part).jsonl", Self.payment("P-\(part)")) }
    #expect(try night.run().exitCode == 0)
    let rows = try night.text("reports/\(Self.day)/settlement.csv").split(separator: "\n").dropFirst()
    let keys = rows.map { $0.prefix { $0 != "," } }
    #expect(stride(from: 0, to: keys.count, by: 2).map { keys[$0] } == parts.map { "P-\($0)" })
  }

  @Test("ten parts with the header in the first and the trailer in the tenth are one batch")
  func tenParts() throws {
    let night = try NightlyJob()
    for part in 1...10 {
      var lines = [Self.payment("N-\(part)")]
      if part == 1 { lines.insert(#"{"type":"header","batchId":"n"}"#, at: 0) }
      if part == 10 { lines.append(#"{"type":"trailer","recordCount":10,"totals":{"USD":"100.00"}}"#) }
      try night.folder.write("inbox/\(Self.day)-\(part).jsonl", lines.joined(separator: "\n"))
    }
    let (exitCode, said) = try night.run()
    #expect(exitCode == 0 && said.contains("settling \(Self.day) (files: 10)"), "\(said)")
  }

  @Test(
    "what ends the job, and with which code",
    arguments: [
      ([:], "", 66, "there is no batch of 2026-11-20 in the inbox"),
      (["2026-11-20.jsonl": "{}", "2026-11-20.jsonl.lz4": "{}"], "", 66, "twice, plain and as LZ4"),
      (["2026-11-20.jsonl": #"{"type":"header"}"#], "", 2, "TRAILER_MISSING"),
      (["2026-11-20.jsonl": payment("A", "0")], "", 1, "verified: 0 payments"),
      (["2026-11-20.jsonl": payment("A")], "mkdir reports/2026-11-20;", 73, "exists already"),
      (["2026-11-20.jsonl": payment("A")], "export SETTLE_FEES=fees.json;", 78, "rounding: is missing"),
      (["2026-11-20.jsonl": payment("A")], conf, 2, "TRAILER_MISSING"),
      (["2026-11-20.jsonl": payment("A", "0") + "\n" + trailer], conf, 2, "TOO_MANY_REJECTED: 1 of 1 records"),
      (["2026-11-20.jsonl": payment("A")], "unset SETTLE_INBOX;", 64, "are not set"),
      (["2026-11-20.jsonl": payment("A")], "export SETTLE=false;", 70, "do not verify"),
    ] as [([String: String], String, Int32, String)])
  func ends(_ example: (files: [String: String], settings: String, exitCode: Int32, says: String)) throws {
    let night = try NightlyJob(example.files)
    let (exitCode, said) = try night.run(example.settings)
    #expect(exitCode == example.exitCode, "\(said)")
    #expect(said.contains(example.says), "\(said)")
  }

  @Test("a batch that was settled into another folder ends the job before anything is paid")
  func settledBefore() throws {
    let night = try NightlyJob(["\(Self.day).jsonl": Self.payment("A")])
    let settings = "export SETTLE_LEDGER=$PWD/ledger;"
    #expect(try night.run(settings).exitCode == 0)
    #expect(try night.run(settings).exitCode == 0)
    let (exitCode, said) = try night.run("\(settings) mkdir other; export SETTLE_OUTPUT=$PWD/other;")
    #expect(exitCode == 3, "\(said)")
    #expect(said.contains("already settled by run 1") && !said.contains("verified"), "\(said)")
    #expect(try night.text("settle.prom").contains(#"settle_last_run_outcome{outcome="settled before"} 1"#))
  }

  @Test("reports that were changed after the run are detected")
  func changedBehindTheRun() throws {
    let night = try NightlyJob(["\(Self.day).jsonl": Self.payment("A")])
    try night.folder.write(
      "changing", "#!/bin/sh\n\"$REAL\" \"$@\" || exit\n[ \"$1\" != run ] || echo x >>reports/\(Self.day)/totals.csv")
    let (exitCode, said) = try night.run("export REAL=\"$SETTLE\" SETTLE=$PWD/changing; chmod +x changing;")
    #expect(exitCode == 70)
    #expect(said.contains("verification failed"))
    #expect(try night.text("output").contains("totals.csv:3: x: no such line"))
    #expect(try night.text("settle.prom").contains("\nsettle_last_run_success 1\n"))
    #expect(try night.text("settle-verify.prom").contains("\nsettle_last_verify_success 0\n"))
  }

  @Test("the job waits for a late batch")
  func late() throws {
    let night = try NightlyJob()
    // It comes when the job has looked for it.
    let (exitCode, said) = try night.run(
      "export SETTLE_TRIES=600 SETTLE_PAUSE=0.1; "
        + "(for try in $(seq 600); do ! grep -qs 'there is no batch' said || break; sleep 0.1; done; "
        + "mv good.jsonl inbox/\(Self.day).jsonl) &")
    #expect(exitCode == 0, "\(said)")
    #expect(said.contains("there is no batch of \(Self.day)"))
  }

  @Test(
    "started by hand, the job reads the package's settings, unless it is told otherwise",
    arguments: [
      ("", 0, "2026-11-20"), ("SETTLE_CONFIG=./other", 0, "2026-11-19"), ("SETTLE_CONFIG=", 64, ""),
      ("SETTLE_INBOX=inbox", 64, ""), ("SETTLE_INBOX=inbox SETTLE_OUTPUT=other-reports", 0, ""),
    ] as [(String, Int32, String)])
  func packaged(_ settings: String, _ exitCode: Int32, _ settled: String) throws {
    let job = try NightlyJob(["2026-11-19.jsonl": Self.payment("A"), "2026-11-20.jsonl": Self.payment("B")])
    try job.folder.write("nightly.conf", "SETTLE_INBOX=inbox\nSETTLE_OUTPUT=reports")
    try job.folder.write("other", "SETTLE_INBOX=inbox\nSETTLE_OUTPUT=reports")
    let day = settled.isEmpty ? Self.day : settled
    let process = try job.folder.start(
      "mkdir other-reports; sed \"s|/etc/settle/|$PWD/|\" '\(NightlyJob.script)' >job; "
        + "env \(settings) bash job \(day) >output 2>said")
    process.waitUntilExit()
    let said = try job.text("said")
    #expect(process.terminationStatus == exitCode, "\(said)")
    #expect(try job.settledDays() == (settled.isEmpty ? [] : [settled]))
  }

  @Test("settings from a file, and yesterday if no day is given")
  func settings() throws {
    let night = try NightlyJob()
    try night.folder.write("conf", "SETTLE_INBOX=inbox\nSETTLE_OUTPUT=reports")
    // Of two days: midnight may come before the job does. It settles the one that was yesterday then.
    let (exitCode, said) = try night.run(
      "unset SETTLE_INBOX SETTLE_OUTPUT SETTLE_METRICS; export SETTLE_CONFIG=./conf; "
        + "for day in yesterday today; do date -d $day +%F; done >days; "
        + "for day in $(cat days); do cp good.jsonl inbox/$day.jsonl; done;", "")
    #expect(exitCode == 0, "\(said)")
    let settled = try FileManager.default.contentsOfDirectory(
      atPath: night.folder.url.appendingPathComponent("reports").path)
    let after = try night.folder.start("date -d yesterday +%F >after")
    after.waitUntilExit()
    let yesterdays = try [night.text("days").prefix(10), night.text("after").prefix(10)]
    #expect(settled.count == 1 && yesterdays.contains { settled[0] == $0 }, "\(settled)")
  }
}
