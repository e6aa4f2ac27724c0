import Foundation
import Testing

/// Files that come for a day that is settled.
@Suite("Corrections in the inbox of the nightly job")
struct NightlyCorrectionTests {
  private static let ledger = "export SETTLE_LEDGER=$PWD/ledger;"

  /// A job with two settled days, the first in two parts.
  private static func settled(_ settings: String = ledger) throws -> NightlyJob {
    let job = try NightlyJob([
      "2026-11-20-1.jsonl": NightlyJob.payment("A"), "2026-11-20-2.jsonl": NightlyJob.payment("B"),
      "2026-11-21.jsonl": NightlyJob.payment("C"),
    ])
    #expect(try job.run(on: "2026-11-22", settings).exitCode == 0)
    return job
  }

  @Test(
    "another or a further file is an error that names day, file and run, and the other days are settled",
    arguments: [
      ("cp good.jsonl inbox/2026-11-20-3.jsonl", "2026-11-20-3.jsonl is not one of its files"),
      ("cp good.jsonl inbox/2026-11-20.jsonl", "2026-11-20.jsonl is not one of its files"),
      ("echo >>inbox/2026-11-20-2.jsonl", "2026-11-20-2.jsonl was changed: it has"),
      (
        "touch -d yesterday inbox/2026-11-20-1.jsonl; echo >>inbox/2026-11-20-1.jsonl; touch -d yesterday inbox/*",
        "2026-11-20-1.jsonl was changed: it has"
      ),
      (
        "sed -i s/10.00/10.01/ inbox/2026-11-20-1.jsonl; touch -d tomorrow inbox/2026-11-20-1.jsonl",
        "2026-11-20-1.jsonl was changed: it has another SHA-256"
      ),
    ])
  func corrected(_ change: String, _ finding: String) throws {
    let job = try Self.settled()
    try job.folder.write("inbox/2026-11-22.jsonl", NightlyJob.payment("D"))
    let settings = Self.ledger + change + "; export SETTLE_TRIES=3 SETTLE_PAUSE=0;"
    let (exitCode, said) = try job.run(on: "2026-11-23", settings)
    #expect(exitCode == 66, "\(said)")
    #expect(said.contains("2026-11-20 is settled as run 1, and \(job.folder.url.path)/inbox/\(finding)"), "\(said)")
    #expect(said.contains("in a batch of a later day") && !said.contains("--replace"))
    #expect(said.matches(of: /settling 2026-11-22/).count == 1, "it is not tried again: \(said)")
    #expect(try job.settledDays() == ["2026-11-20", "2026-11-21", "2026-11-22"])
    #expect(try job.gauge("files_corrected") == 1)
    // The named day ends in the same way, and other days are not looked at.
    let named = try job.run(Self.ledger, "2026-11-20")
    #expect(named.exitCode == 66 && !named.said.contains("--replace"), "\(named.said)")
    #expect(try job.run(Self.ledger, "2026-11-21").exitCode == 0)
  }

  @Test("without a ledger the reports say what was settled")
  func withoutLedger() throws {
    let job = try Self.settled("")
    try job.folder.write("inbox/2026-11-21-2.jsonl", NightlyJob.payment("D"))
    let (exitCode, said) = try job.run(on: "2026-11-22")
    #expect(exitCode == 66 && said.contains("2026-11-21 is settled, and "), "\(said)")
  }

  @Test("files that are the same, newer or not, and files that are gone, are no corrections")
  func unchanged() throws {
    let job = try Self.settled()
    let changes =
      "touch inbox/2026-11-20-1.jsonl; rm inbox/2026-11-20-2.jsonl; touch -d yesterday inbox/2026-11-21.jsonl;"
    let (exitCode, said) = try job.run(on: "2026-11-22", Self.ledger + changes)
    #expect(exitCode == 0 && !said.contains("correction"), "\(said)")
    #expect(try job.gauge("files_corrected") == 0)
  }

  @Test(
    "names with all kinds of characters are compared",
    arguments: [#"a"b"#, #"back\slash"#, "[1]", "é", "}]},", "tab\there", "line\nfeed", "new name"])
  func names(_ part: String) throws {
    let job = try NightlyJob(["2026-11-20-\(part).jsonl": NightlyJob.payment("A")])
    #expect(try job.run(on: "2026-11-21").exitCode == 0)
    let again = try job.run(on: "2026-11-21")
    #expect(again.exitCode == 0, "\(again.said)")
    try job.folder.write("inbox/2026-11-20-\(part).jsonl", NightlyJob.payment("A") + "\n")
    let changed = try job.run(on: "2026-11-21")
    #expect(changed.exitCode == 66 && changed.said.contains("2026-11-20 is settled, and "), "\(changed.said)")
  }
}
