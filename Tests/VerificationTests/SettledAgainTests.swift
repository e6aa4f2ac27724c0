import BatchRun
import Failures
import Foundation
import Rules
import Testing
import TestSupport
import Verification

/// Anything that a run wrote verifies, and settling again finds what was different then.
@Suite("Settled again")
struct SettledAgainTests {
  @Test("what a run writes verifies, for any batch", arguments: rounds(24))
  func randomBatches(number: Int) throws {
    var random = SeededGenerator(seed: SeededGenerator().seed &+ UInt64(number))
    let batch = MixedBatch.bytes(
      records: Int.random(in: 0...400, using: &random), seed: random.next(), hasMark: number % 2 == 0)
    let options = RunOptions(
      threads: Int.random(in: 1...3, using: &random),
      plainChunkLength: [1 << 20, 700, 64].randomElement(using: &random) ?? 1)
    let tampered = try TamperedFolder(batch, options: options)
    #expect(try tampered.findings(withBatch: true) == [], "\(random.reproduction), number \(number)")
  }

  @Test("unknown fields that are errors verify, whatever their names; as notices they give different reports")
  func unknownFields() throws {
    let names = [#"note"#, #"note"#, #"a,b"#, #"\"q\""#, #"a\nb/c~d"#, #"ünïcode"#, #"4111111111111111"#, ""]
    let fields = names.map { "\"\($0)\":1" }.joined(separator: ",")
    let batch = #"{"payKey":"A","recipient":"a@b.example","subTotal":"1.00",\#(fields)}"# + "\n"
    let options = RunOptions(rules: SettlementRules(unknownFields: .reject), threads: 1)
    let tampered = try TamperedFolder(Array(batch.utf8), options: options)
    #expect(try tampered.verify(withBatch: true, options: options).findings.map(\.text) == [])
    let noted = try tampered.verify(withBatch: true, options: RunOptions(threads: 1)).findings
    #expect(noted.contains { $0.file == "settlement.csv" })
  }

  @Test("the same file twice in a batch verifies")
  func sameFileTwice() throws {
    for lines in [1, 3, 12] {
      let folder = try TemporaryFolder()
      let text = MixedBatch.bytes(records: lines, seed: UInt64(lines))
      let path = try folder.write(text, to: "a.jsonl")
      _ = try BatchRun.settle(
        [path, path, path], output: folder.path("out"), replace: false, options: RunOptions(threads: 1))
      let batch = Verification.SettledBatch(paths: [path, path, path], options: RunOptions(threads: 2))
      let result = try Verification.verify(folder.path("out"), batch: batch)
      #expect(result.findings.map(\.text) == [])
      #expect(result.isGood)
    }
  }

  @Test("the batch may have moved to another folder; a different name is noted")
  func moved() throws {
    let tampered = try TamperedFolder()
    try FileManager.default.createDirectory(atPath: tampered.folder.path("archive"), withIntermediateDirectories: false)
    let batch = try tampered.folder.bytes(of: "night.jsonl")
    try tampered.folder.write(batch, to: "archive/night.jsonl")
    try tampered.folder.write(batch, to: "archive/day.jsonl")
    let moved = try tampered.verify(withBatch: true, batch: "archive/night.jsonl")
    #expect(moved.isGood && moved.notes == [])
    let renamed = try tampered.verify(withBatch: true, batch: "archive/day.jsonl")
    #expect(renamed.isGood && renamed.notes == ["night.jsonl is now day.jsonl, with the same bytes"])
  }

  @Test("another batch, schedule or option gives different reports")
  func otherwise() throws {
    let tampered = try TamperedFolder()
    let batch = String(decoding: try tampered.folder.bytes(of: "night.jsonl"), as: UTF8.self)
    try FileManager.default.createDirectory(atPath: tampered.folder.path("b"), withIntermediateDirectories: false)
    try tampered.folder.write(Array(batch.replacing("\"10.10\"", with: "\"10.11\"").utf8), to: "b/night.jsonl")
    let other = try tampered.verify(withBatch: true, batch: "b/night.jsonl").findings.map(\.text)
    #expect(other.contains("settlement.csv:14: gross is 10.10; expected 10.11: what settling the batch again gives"))
    #expect(other.contains { $0.hasPrefix("receivers.csv:2: gross is 10.10; expected 10.11") })
    #expect(other.contains { $0.hasPrefix("summary.json: batch.controlTotals is verified; expected mismatch") })
    let fees = String(decoding: try Data(contentsOf: Self.publishedFees), as: UTF8.self)
    let schedule = try FeeSchedule(json: Array(fees.replacing("HALF_UP", with: "DOWN").utf8))
    let rounded = try tampered.verify(
      withBatch: true, options: RunOptions(rules: SettlementRules(schedule: schedule), threads: 1))
    #expect(
      rounded.findings.map(\.text).contains(
        "settlement.csv:3: fee is 1.03; expected 1.02: what settling the batch again gives"))
  }

  @Test("a batch that cannot be settled again is a batch error")
  func broken() throws {
    let tampered = try TamperedFolder()
    try tampered.folder.write([0x04, 0x22, 0x4D, 0x18], to: "night.jsonl")
    do throws(Failure) {
      _ = try Verification.verify(
        tampered.folder.path("out"),
        batch: Verification.SettledBatch(paths: [tampered.folder.path("night.jsonl")], options: RunOptions(threads: 1)))
      Issue.record("settled again")
    } catch {
      #expect(error.exitCode == 2)
    }
  }

  @Test("a run that continued despite different totals verifies")
  func mismatch() throws {
    let text = TamperedFolder.batch.replacing("\"recordCount\":12", with: "\"recordCount\":11")
    let tampered = try TamperedFolder(Array(text.utf8), options: RunOptions(threads: 1, enforcesControlTotals: false))
    #expect(try tampered.findings(withBatch: true) == [])
  }

  private static let publishedFees = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "data/fees.json")
}
