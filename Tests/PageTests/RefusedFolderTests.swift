import Foundation
import Testing

/// A page is made only from what was published.
@Suite("Directories for which no page is made")
struct RefusedFolderTests {
  static let names = [
    "control.csv", "exceptions.csv", "preapprovals.csv", "receivers.csv", "refunds.csv", "settlement.csv",
    "summary.json", "totals.csv", "SHA256SUMS",
  ]

  @Test("a file that is missing or not a regular file is named", arguments: names)
  func missing(name: String) throws {
    let published = try PublishedFolder(PublishedFolder.mixed)
    let path = published.folder.path("out/\(name)")
    try FileManager.default.moveItem(atPath: path, toPath: published.folder.path("kept"))
    let failure = try #require(published.failure())
    #expect(failure.exitCode == 66 && failure.message.hasSuffix("out/\(name): is missing"))
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: published.folder.path("kept"))
    let linked = try #require(published.failure())
    #expect(linked.exitCode == 66 && linked.message.contains("\(name): is a symbolic link"))
  }

  @Test("a path that is not a directory, or a directory that no run published")
  func nowhere() throws {
    let published = try PublishedFolder(PublishedFolder.mixed)
    #expect(published.failure("nowhere")?.exitCode == 66)
    #expect(published.failure("night.jsonl")?.exitCode == 66)
    try FileManager.default.moveItem(
      atPath: published.folder.path("out"), toPath: published.folder.path(".out.partial"))
    let failure = try #require(published.failure(".out.partial"))
    #expect(failure.exitCode == 66 && failure.message.hasSuffix("nothing is published there"))
  }

  @Test("a byte added to any report is found by its digest or earlier", arguments: names)
  func appended(name: String) throws {
    let published = try PublishedFolder(PublishedFolder.mixed)
    try published.folder.write(try published.folder.bytes(of: "out/\(name)") + [0x0A], to: "out/\(name)")
    let failure = try #require(published.failure())
    #expect(failure.exitCode == 74 && failure.message.contains("out/\(name == "settlement.csv" ? "SHA256SUMS" : name)"))
  }

  static let changes: [(name: String, old: String, new: String, reason: String)] = [
    ("settlement.csv", "23.97", "23.98", "SHA256SUMS:6: "),
    ("receivers.csv", "23.97", "23.970", "receivers.csv:2: payout: expected an amount in USD with 2 decimals"),
    ("receivers.csv", "USD", "XXX", "receivers.csv:2: currency: expected a code that settle currencies lists"),
    ("receivers.csv", ",1,", ",01,", "receivers.csv:2: payments: expected a whole number"),
    ("receivers.csv", "a@b.example,", "a@b.example,,", "receivers.csv:2: is not a row of 10 fields"),
    ("receivers.csv", "account", "Account", "receivers.csv:1: the header is"),
    ("totals.csv", "23.97,1.03,0.00", "23.97,1.03,0.01", "totals.csv:2: does not balance"),
    ("control.csv", "7.50", "7.51", "control.csv:2: the outcomes do not add up to the amount"),
    ("exceptions.csv", "REJECTED", "rejected", "exceptions.csv:4: outcome: an outcome is REJECTED, PENDING or HELD"),
    ("exceptions.csv", "night.jsonl,2", "day.jsonl,2", "exceptions.csv:2: names a file that is not the batch's"),
    ("summary.json", #""settled":1"#, #""settled": 1"#, "summary.json:1: byte"),
  ]

  @Test("a file that is not a report is refused, whatever its digest", arguments: changes)
  func changed(name: String, old: String, new: String, reason: String) throws {
    let published = try PublishedFolder(PublishedFolder.mixed)
    try published.change(name, old, new, mended: name != "settlement.csv")
    let failure = try #require(published.failure())
    #expect(failure.exitCode == 74)
    #expect(failure.message.contains("out/\(reason)"), "\(failure.message)")
  }

  static let disagreements: [(name: String, old: String, new: String, reason: String)] = [
    ("totals.csv", "USD,1,25.00", "USD,2,25.00", "summary.json and totals.csv disagree"),
    (
      "summary.json", #""pending":1"#, #""pending":2"#,
      "summary.json and exceptions.csv disagree on the pending and held"
    ),
    (
      "summary.json", #""MALFORMED_JSON":1"#, #""MALFORMED_JSON":2"#,
      "summary.json and exceptions.csv disagree on the errors"
    ),
    ("summary.json", #""read":5"#, #""read":6"#, "the counts of summary.json do not add up"),
    ("control.csv", "USD,4,", "USD,999999999999999999,", "control.csv has more records than were read"),
    ("control.csv", "25.00,7.50", "24.00,8.50", "control.csv and totals.csv disagree"),
  ]

  @Test("figures that contradict each other are not shown", arguments: disagreements)
  func disagreeing(name: String, old: String, new: String, reason: String) throws {
    let published = try PublishedFolder(PublishedFolder.mixed)
    try published.change(name, old, new, mended: true)
    let failure = try #require(published.failure())
    #expect(failure.exitCode == 74)
    #expect(failure.message.contains("out: \(reason)"), "\(failure.message)")
  }
}
