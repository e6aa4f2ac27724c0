import Foundation
import Testing

/// The days that the nightly job settles when it is not given one.
@Suite("The unsettled days of the nightly job")
struct UnsettledDaysTests {
  /// A batch of one payment for each day of November.
  private static func batches(_ days: ClosedRange<Int>) -> [String: String] {
    Dictionary(uniqueKeysWithValues: days.map { ("2026-11-\($0).jsonl", NightlyJob.payment("K-\($0)")) })
  }

  @Test("every day that is over is settled, oldest first; other files and days are left alone")
  func oldestFirst() throws {
    let job = try NightlyJob(
      Self.batches(19...23).merging([
        "2026-11-19.jsonl.part": "x", "2026-02-30.jsonl": "x", "2026-11-1.jsonl": "x", "notes.jsonl": "x",
        "a2026-11-18.jsonl": "x", "2026-11-18.json": "x", "2026-11-18x.jsonl": "x",
      ]) { $1 })
    try FileManager.default.createDirectory(
      at: job.folder.url.appendingPathComponent("inbox/2026-11-17.jsonl"), withIntermediateDirectories: false)
    let (exitCode, said) = try job.run(on: "2026-11-22")
    #expect(exitCode == 0, "\(said)")
    #expect(try job.settledDays() == ["2026-11-19", "2026-11-20", "2026-11-21"])
    #expect(said.contains("not settled yet: 2026-11-19 2026-11-20 2026-11-21\""))
    let order = said.matches(of: /settling (2026-11-\d\d)/).map { String($0.1) }
    #expect(order == ["2026-11-19", "2026-11-20", "2026-11-21"])
    #expect(said.contains("not over or do not exist: 2026-02-30 2026-11-22 2026-11-23\""))
    #expect(try job.oldestUnsettled() == nil)
  }

  @Test("a settled day is not settled again")
  func settledOnce() throws {
    let job = try NightlyJob(Self.batches(20...21))
    #expect(try job.run(on: "2026-11-22").exitCode == 0)
    let (exitCode, said) = try job.run(on: "2026-11-22", "export SETTLE=false;")
    #expect(exitCode == 0 && said.contains("every day is settled"), "\(said)")
    // Not even when its batch has left the inbox.
    try FileManager.default.removeItem(at: job.folder.url.appendingPathComponent("inbox/2026-11-21.jsonl"))
    #expect(try job.run(on: "2026-11-22", "export SETTLE=false;").exitCode == 0)
  }

  @Test("a day that fails ends the job, and is the oldest until it is settled")
  func failing() throws {
    let job = try NightlyJob(
      Self.batches(20...22).merging([
        "2026-11-20.jsonl": NightlyJob.payment("K-20", "0"), "2026-11-21.jsonl": #"{"type":"header"}"#,
      ]) { $1 })
    for today in ["2026-11-23", "2026-11-24"] {
      let (exitCode, said) = try job.run(on: today)
      #expect(exitCode == 2, "\(said)")
      #expect(try job.settledDays() == ["2026-11-20"])
      #expect(try job.oldestUnsettled() == "2026-11-21")
    }
    // A day that is given is settled without the others.
    #expect(try job.run("", "2026-11-22").exitCode == 0)
    #expect(try job.oldestUnsettled() == "2026-11-21")
    try job.folder.write("inbox/2026-11-21.jsonl", NightlyJob.payment("K-21"))
    try job.folder.write("inbox/2026-11-23.jsonl", NightlyJob.payment("K-23", "0"))
    let (exitCode, said) = try job.run(on: "2026-11-24")
    #expect(exitCode == 1 && said.contains("not settled yet: 2026-11-21 2026-11-23\""), "\(said)")
    #expect(try job.settledDays() == (20...23).map { "2026-11-\($0)" })
    #expect(try job.oldestUnsettled() == nil)
  }

  @Test("yesterday must have a batch, once the older days are settled")
  func yesterdayIsMissing() throws {
    let job = try NightlyJob(Self.batches(20...20))
    let (exitCode, said) = try job.run(on: "2026-11-23")
    #expect(exitCode == 66 && said.contains("there is no batch of 2026-11-22 in the inbox"), "\(said)")
    #expect(try job.settledDays() == ["2026-11-20"])
    #expect(try job.oldestUnsettled() == "2026-11-22")
  }

  @Test("records rejected on one day show in the exit code, even if another try was needed")
  func rejectedBeforeAnotherTry() throws {
    let job = try NightlyJob(["2026-11-20.jsonl": NightlyJob.payment("K-20", "0")])
    let (exitCode, said) = try job.run(
      on: "2026-11-22",
      "export SETTLE_TRIES=600 SETTLE_PAUSE=0.1; "
        + "(for try in $(seq 600); do ! grep -qs 'there is no batch' said || break; sleep 0.1; done; "
        + "mv good.jsonl inbox/2026-11-21.jsonl) &")
    #expect(exitCode == 1, "\(said)")
    #expect(try job.settledDays() == ["2026-11-20", "2026-11-21"])
  }

  @Test("nothing later is settled while another run is active")
  func busy() throws {
    let job = try NightlyJob(Self.batches(20...21))
    try job.folder.write("busy", "#!/bin/sh\nexit 75")
    let (exitCode, said) = try job.run(
      on: "2026-11-22", "chmod +x busy; export SETTLE=$PWD/busy SETTLE_TRIES=2 SETTLE_PAUSE=0;")
    #expect(exitCode == 75 && said.matches(of: /settling 2026-11-20/).count == 2, "\(said)")
    #expect(!said.contains("settling 2026-11-21"))
    #expect(try job.oldestUnsettled() == "2026-11-20")
  }

  @Test("reports that were published and not verified are verified at the next start, before later days")
  func notVerified() throws {
    let job = try NightlyJob(Self.batches(20...21))
    // The first job is killed when the run has published.
    try job.folder.write(
      "killing", "#!/bin/sh\n\"$REAL\" \"$@\" || exit\n[ \"$1\" != run ] || kill -KILL $PPID")
    let killed = try job.run(on: "2026-11-22", "export REAL=\"$SETTLE\" SETTLE=$PWD/killing; chmod +x killing;")
    #expect(killed.exitCode == SIGKILL)
    #expect(try job.settledDays() == ["2026-11-20"])
    // The second job finds them changed, and so does the third.
    let totals = try job.text("reports/2026-11-20/totals.csv")
    try job.folder.write("reports/2026-11-20/totals.csv", totals)
    for _ in 1...2 {
      let (exitCode, said) = try job.run(on: "2026-11-22")
      #expect(exitCode == 70 && said.contains("the reports of 2026-11-20 do not verify"), "\(said)")
      #expect(try job.settledDays() == ["2026-11-20"])
      #expect(try job.oldestUnsettled() == "2026-11-20")
    }
    try Data(totals.utf8).write(to: job.folder.url.appendingPathComponent("reports/2026-11-20/totals.csv"))
    let (exitCode, said) = try job.run(on: "2026-11-22")
    #expect(exitCode == 0 && !said.contains("settling 2026-11-20"), "\(said)")
    #expect(try job.settledDays() == ["2026-11-20", "2026-11-21"])
  }

  @Test(
    "the day before is found in every time zone, even if it has no midnight",
    arguments: [
      ("America/Havana", "2027-03-15", "2027-03-14"), ("Africa/Cairo", "2027-05-01", "2027-04-30"),
      ("Asia/Beirut", "2027-03-29", "2027-03-28"), ("America/Nuuk", "2027-03-28", "2027-03-27"),
      ("Antarctica/Troll", "2027-03-29", "2027-03-28"), ("Europe/Berlin", "2027-03-29", "2027-03-28"),
      ("Pacific/Auckland", "2027-10-04", "2027-10-03"), ("UTC", "2028-03-01", "2028-02-29"),
      ("Pacific/Kiritimati", "2027-01-01", "2026-12-31"),
    ])
  func zones(_ zone: String, _ today: String, _ yesterday: String) throws {
    let job = try NightlyJob(["\(yesterday).jsonl": NightlyJob.payment("K"), "\(today).jsonl": NightlyJob.payment("L")])
    let (exitCode, said) = try job.run(on: today, "export TZ=\(zone);")
    #expect(exitCode == 0, "\(said)")
    #expect(try job.settledDays() == [yesterday])
  }

  @Test("the first night makes the ledger; later nights refuse to make another")
  func existingLedger() throws {
    let job = try NightlyJob(Self.batches(20...23))
    #expect(try job.run(on: "2026-11-22", "export SETTLE_LEDGER=$PWD/ledger;").exitCode == 0)
    let misspelt = "export SETTLE_LEDGER=$PWD/leger;"
    let (exitCode, said) = try job.run(on: "2026-11-23", misspelt)
    #expect(exitCode == 74, "\(said)")
    #expect(try job.settledDays() == ["2026-11-20", "2026-11-21"])
    #expect(try job.run(misspelt, "2026-11-22").exitCode == 74)
    #expect(!FileManager.default.fileExists(atPath: job.folder.url.appendingPathComponent("leger").path))
    #expect(try job.run(on: "2026-11-23", "export SETTLE_LEDGER=$PWD/ledger;").exitCode == 0)
    // The operator declares that a new ledger is wanted.
    #expect(try job.run(on: "2026-11-24", "rm reports/.ledger; \(misspelt)").exitCode == 0)
  }
}
