import Failures
import FileSystem
import Foundation
import JSON
import Ledger
import Rules
import Testing
import TestSupport

@testable import BatchRun
@testable import Bookkeeping
@testable import LedgerRuns
@testable import RunSupport
@testable import Shards

@Suite("A batch settled in shards: the reports of a run, for any cuts, order and attempts")
struct ShardTests {
  /// Settles a batch both ways, and compares.
  private func check(
    _ batch: ShardedBatch, _ size: ShardSize, using random: inout SeededGenerator, _ comment: Comment
  ) throws {
    let expected = try batch.run()
    let work = try batch.plan(size)
    try batch.settle(work, using: &random)
    if Bool.random(using: &random) { try batch.finishSome(work, using: &random) }
    let found = try batch.merge(work)
    switch (expected, found) {
    case (.success(let expected), .success(let found)):
      for (name, bytes) in expected {
        let difference = Golden.firstDifference(of: found[name] ?? [], from: bytes)
        #expect(difference == nil, "\(name) \(difference ?? ""), \(comment)")
      }
      #expect(expected.count == found.count)
      #expect(try batch.merge(work).map(\.count).get() == expected.count, "merged again, \(comment)")
    case (.failure(let expected), .failure(let found)):
      #expect(found.exitCode == expected.exitCode, comment)
      #expect(found.message == expected.message, comment)
      #expect(try !batch.folder.names().contains("merged"), comment)
    default: Issue.record("one fails, the other does not: \(expected), \(found), \(comment)")
    }
  }

  /// A text with rare content.
  private func text(using random: inout SeededGenerator) -> [UInt8] {
    let records = [0, 1, 5, 60, 150].randomElement(using: &random) ?? 0
    var text = MixedBatch.bytes(records: records, seed: random.next(), hasMark: Bool.random(using: &random))
    if Int.random(in: 0..<8, using: &random) == 0 {
      text += Array((Line.payment("K-2", length: Line.limit + 1) + "\n").utf8)
    }
    if Bool.random(using: &random) { text += Array((Line.payment("K-3") + "\r\n").utf8) }
    if Int.random(in: 0..<6, using: &random) == 0 { text += Array(#"{"type":"header"}"#.utf8) }
    if Bool.random(using: &random) { text += Array(Line.payment("K-4").utf8) }
    return text
  }

  /// A text in some stored form, sometimes damaged.
  private func stored(_ text: [UInt8], using random: inout SeededGenerator) throws -> [UInt8] {
    var stored: [UInt8]
    switch Int.random(in: 0..<5, using: &random) {
    case 0: stored = try Stored.lz4(text, blockLength: Int.random(in: 1000...9000, using: &random))
    case 1: stored = try Stored.frames(text, frameLength: Int.random(in: 1000...9000, using: &random))
    case 2:
      let skippable: [UInt8] = [0x51, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]
      stored = skippable + (try Stored.frames(text, frameLength: 5000)) + skippable
    default: stored = text
    }
    if Int.random(in: 0..<6, using: &random) == 0, !stored.isEmpty {
      stored[Int.random(in: stored.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
    return stored
  }

  @Test("drawn batches of several files, stored in several ways", arguments: [-1] + rounds(16))
  func drawn(round: Int) throws {
    // The first: the end of a line is in a block after the header of a frame of its own.
    var random = SeededGenerator(
      seed: round < 0 ? 1_795_628_463_010_618_758 : SeededGenerator().seed &+ UInt64(round))
    var files: [[UInt8]] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      files.append(try stored(text(using: &random), using: &random))
    }
    let batch = try ShardedBatch(files)
    let bytes = files.reduce(1) { $0 + $1.count }
    let size: ShardSize =
      Bool.random(using: &random)
      ? .count(Int.random(in: 1...12, using: &random)) : .text(bytes / Int.random(in: 1...20, using: &random) + 1)
    try check(batch, size, using: &random, "round \(round), \(SeededGenerator().reproduction)")
  }

  @Test("a small batch cut at any byte", arguments: rounds(40))
  func cuts(round: Int) throws {
    var random = SeededGenerator(seed: SeededGenerator().seed &+ UInt64(1000 + round))
    let lines = [
      #"{"type":"header","batchId":"é"}"#, Line.payment("K-1") + "\r", "", Line.payment("K-1"), Line.payment("K-2"),
      #"{"type":"trailer","recordCount":3}"#,
    ]
    let text = Array((lines.joined(separator: "\n") + (Bool.random(using: &random) ? "\n" : "")).utf8)
    let length = Int.random(in: text.count / 9...text.count, using: &random)
    try check(ShardedBatch([text]), .text(length), using: &random, "\(length) bytes a shard, \(random.reproduction)")
  }

  @Test(
    "a frame whose content checksum fails is reported before what ends the file without a line feed",
    arguments: ["", "\n"])
  func damagedFrame(end: String) throws {
    var random = SeededGenerator()
    let text = (1...200).map { Line.payment("K-\($0)") + "\n" }.joined() + #"{"type":"header"}"# + end
    var stored = try Stored.lz4(Array(text.utf8), blockLength: 5000)
    stored[stored.count - 1] ^= 1
    for shards in 1...4 {
      let batch = try ShardedBatch([stored])
      try check(batch, .count(shards), using: &random, "\(shards) shards, \(random.reproduction)")
      guard case .failure(let failure) = try batch.run(output: "again") else { continue }
      #expect(failure.message.contains(end.isEmpty ? "CORRUPT_BATCH" : "HEADER_NOT_FIRST"))
    }
  }

  @Test("a frame whose content checksum fails is reported before the content of later frames")
  func damagedFrameWithin() throws {
    var random = SeededGenerator()
    var stored = try Stored.lz4(Array((Line.payment("K-1") + "\n" + Line.payment("K-2")).utf8), blockLength: 5000)
    stored[stored.count - 1] ^= 1
    stored += try Stored.lz4(Array("\n\n{\"type\":\"header\"}\n".utf8), blockLength: 5000)
    for shards in 1...3 {
      let batch = try ShardedBatch([stored])
      try check(batch, .count(shards), using: &random, "\(shards) shards, \(random.reproduction)")
      guard case .failure(let failure) = try batch.run(output: "again") else { continue }
      #expect(failure.message.contains("CORRUPT_BATCH"))
    }
  }

  @Test("drawn payments, refunds and agreements that refer to each other", arguments: rounds(8))
  func courses(round: Int) throws {
    var random = SeededGenerator(seed: SeededGenerator().seed &+ UInt64(3000 + round))
    var course = DrawnCourse(random)
    var oracle = CourseOracle()
    let night = course.drawNight(after: oracle)
    _ = oracle.settle(night)
    var batch = try ShardedBatch([Array(CourseNight.text([night], oracle.control).utf8)])
    batch.options = try CourseNight.options(night, threads: 1)
    if round % 2 == 1 { batch.options.rules.schedule = .named }
    try check(
      batch, .count(Int.random(in: 1...9, using: &random)), using: &random,
      "round \(round), \(SeededGenerator().reproduction)")
  }

  @Test("with a ledger, over nights", arguments: rounds(4))
  func nights(round: Int) throws {
    var random = SeededGenerator(seed: SeededGenerator().seed &+ UInt64(4000 + round))
    var course = DrawnCourse(random)
    var oracle = CourseOracle()
    let folder = try TemporaryFolder()
    for run in 1...3 {
      let night = course.drawNight(after: oracle)
      _ = oracle.settle(night)
      var batch = try ShardedBatch([Array(CourseNight.text([night], oracle.control).utf8)], in: folder)
      batch.options = try CourseNight.options(night, threads: 1)
      // Names are shown from the second night on; the third refunds named fees by a schedule that has none.
      if run == 2, round % 2 == 1 { batch.options.rules.schedule = .named }
      batch.ledger = "ledger of shards"
      let expected = try batch.run(output: "run \(run)", ledger: "ledger").get()
      let work = try batch.plan(.count(Int.random(in: 1...6, using: &random)), work: "work \(run)")
      try batch.settle(work, using: &random)
      let found = try batch.merge(work, output: "merged \(run)").get()
      #expect(expected == found, "round \(round), night \(run), \(SeededGenerator().reproduction)")
    }
    let runs = try ["ledger", "ledger of shards"].map { try LedgerHistory(ledger: folder.path($0)).runs }
    #expect(runs[0].map(\.identity) == runs[1].map(\.identity))
    #expect(try LedgerUpkeep.verify(folder.path("ledger of shards")).findings.isEmpty)
  }

  @Test("another run that comes between is reported, and gathering again settles the batch")
  func between() throws {
    let folder = try TemporaryFolder()
    func batch(_ keys: [String]) throws -> ShardedBatch {
      var batch = try ShardedBatch([Array(keys.map { Line.payment($0) + "\n" }.joined().utf8)], in: folder)
      batch.ledger = "ledger"
      return batch
    }
    let first = try batch(["A", "B", "C"])
    let work = try first.plan(.count(2))
    for shard in work.plan.shards.indices { try work.run(shard, input: nil, threads: 1) }
    try work.hash(0, input: nil)
    try work.finishAll(threads: 2)
    try folder.write(Array((Line.payment("B") + "\n").utf8), to: "other")
    _ = try BatchRun.settle(
      [folder.path("other")], output: folder.path("between"), replace: false, options: first.options,
      ledger: folder.path("ledger"))
    #expect(throws: Failure.self) { try work.merge(output: folder.path("merged"), replace: false, threads: 1) }
    #expect(try !folder.names().contains("merged"))
    try work.gather(again: true)
    let reports = try first.merge(work).get()
    #expect(String(decoding: reports["exceptions.csv"] ?? [], as: UTF8.self).contains("ALREADY_SETTLED"))
  }

  @Test("a run between from which on nights show the names of fees needs another plan", arguments: [false, true])
  func namesBetween(isGathered: Bool) throws {
    var batch = try ShardedBatch([Array((Line.payment("A") + "\n").utf8)])
    batch.ledger = "ledger"
    let folder = batch.folder
    let work = try batch.plan(.count(1))
    try work.hash(0, input: nil)
    try work.run(0, input: nil, threads: 1)
    if isGathered { try work.gather() }
    try folder.write(Array((Line.payment("B") + "\n").utf8), to: "other")
    _ = try BatchRun.settle(
      [folder.path("other")], output: folder.path("between"), replace: false,
      options: RunOptions(rules: SettlementRules(schedule: .named), threads: 1), ledger: folder.path("ledger"))
    #expect(exitCode { try work.gather(again: isGathered) } == 75)
    let again = try batch.plan(.count(1), work: "again")
    try again.hash(0, input: nil)
    try again.run(0, input: nil, threads: 1)
    try again.finishAll(threads: 1)
    let fees = try batch.merge(again).get()["fees.csv"] ?? []
    #expect(String(decoding: fees, as: UTF8.self).hasSuffix("A,shop@example.com,shop@example.com,fee,USD,0.59,0.00,\n"))
  }

  @Test("a file of the work directory that is changed or cut is reported by name, and nothing is published")
  func damage() throws {
    var random = SeededGenerator()
    var course = DrawnCourse(SeededGenerator(seed: 11))
    let night = course.drawNight(after: CourseOracle())
    var oracle = CourseOracle()
    _ = oracle.settle(night)
    var batch = try ShardedBatch([Array(CourseNight.text([night], oracle.control).utf8)])
    batch.options = try CourseNight.options(night, threads: 1)
    let work = try batch.plan(.count(2))
    try batch.settle(work, using: &random)
    try work.finishAll(threads: 2)
    for step in try batch.folder.names(in: "work") where step != "plan.json" {
      for file in try batch.folder.names(in: "work/\(step)") {
        let name = "work/\(step)/\(file)"
        let bytes = try batch.folder.bytes(of: name)
        guard !bytes.isEmpty else { continue }
        var changed = bytes
        changed[Int.random(in: bytes.indices, using: &random)] ^= 1
        for damaged in [changed, Array(bytes.dropLast())] {
          // A new file, as several steps may share one.
          try FileManager.default.removeItem(atPath: batch.folder.path(name))
          try batch.folder.write(damaged, to: name)
          guard case .failure(let failure) = try batch.merge(ShardWork(batch.folder.path("work"))) else {
            Issue.record("\(name) is damaged, and merged; \(random.reproduction)")
            continue
          }
          let told = file == "SHA256SUMS" ? "\(step)/\(file)" : step
          #expect([74, 78].contains(failure.exitCode) && failure.message.contains(told), "\(name): \(failure.message)")
        }
        try batch.folder.write(bytes, to: name)
      }
    }
    #expect(try !batch.folder.names().contains("merged"))
    _ = try batch.merge(ShardWork(batch.folder.path("work"))).get()
  }

  @Test("a byte that changes between the reading of the file and that of a shard is detected", arguments: [0, 1])
  func changed(shard: Int) throws {
    let batch = try ShardedBatch([Array((1...9).map { Line.payment("K-\($0)") + "\n" }.joined().utf8)])
    let work = try batch.plan(.count(2))
    try work.hash(0, input: nil)
    var bytes = try batch.folder.bytes(of: batch.files[0])
    bytes[work.plan.shards[shard].end - 3] ^= 1
    // With the same length and time, as if the disk had changed it.
    let path = batch.folder.path(batch.files[0])
    var status = stat()
    #expect(stat(path, &status) == 0)
    try batch.folder.write(bytes, to: batch.files[0])
    #expect(utimensat(AT_FDCWD, path, [status.st_atim, status.st_mtim], 0) == 0)
    for shard in work.plan.shards.indices { try work.run(shard, input: nil, threads: 1) }
    guard case .failure(let failure) = try batch.merge(work) else { throw TestFailure.isMerged }
    #expect(failure.exitCode == 74)
    #expect(
      failure.message
        == "\(path): was changed while its shards were settled: shard \(shard) and hash-0 read different bytes; "
        + "plan the batch again")
    #expect(try !batch.folder.names().contains("merged"))
  }

  @Test("existing sums of accounts are used, only of this gathering and as they were made")
  func sums() throws {
    let batch = try ShardedBatch([MixedBatch.bytes(records: 100, seed: 1, hasMark: false)])
    let expected = try batch.run().get()
    let work = try batch.plan(.count(3))
    var random = SeededGenerator()
    try batch.settle(work, using: &random)
    try work.finishAll(threads: 2)
    let rows = ShardedBatch.accounts(of: expected)
    let digest = try work.gathered().digest
    try batch.makeAccounts(work, rows, gather: String(digest.reversed()))
    guard case .failure(let failure) = try batch.merge(work) else { throw TestFailure.isMerged }
    #expect(failure.exitCode == 78 && failure.message.contains("accounts.json"))
    try batch.makeAccounts(work, Array(rows.dropLast()), gather: digest)
    let fewer = try batch.merge(work, output: "fewer").get()
    #expect(fewer["receivers.csv"]?.count == (expected["receivers.csv"]?.count ?? 0) - (rows.last?.count ?? 0))
    try batch.makeAccounts(work, rows, gather: digest)
    #expect(try batch.merge(work).get() == expected)
    let part = "work/accounts/part-00001.csv"
    try batch.folder.write(Array(batch.folder.bytes(of: part).dropLast()), to: part)
    guard case .failure(let damage) = try batch.merge(work, output: "damaged") else { throw TestFailure.isMerged }
    #expect(damage.exitCode == 74 && damage.message.contains("accounts/part-00001.csv"))
  }

  private enum TestFailure: Error { case isMerged }

  private func exitCode(_ body: () throws -> Void) -> Int32? {
    do { try body() } catch { return (error as? Failure)?.exitCode }
    return nil
  }

  @Test(
    "a ledger that was adopted after the shards were gathered is a different one; its run in parts is published again")
  func adopted() throws {
    var batch = try ShardedBatch([MixedBatch.bytes(records: 50, seed: 2, hasMark: false)])
    batch.ledger = "ledger"
    let (folder, path) = (batch.folder, batch.folder.path("ledger"))
    let work = try batch.plan(.count(2))
    var random = SeededGenerator()
    try batch.settle(work, using: &random)
    try work.finishAll(threads: 2)
    try AdoptedLedger(path).count(lastPayout: 0, word: nil, givenUp: [])
    guard case .failure(let failure) = try batch.merge(work) else { throw TestFailure.isMerged }
    #expect(failure.exitCode == 78 && failure.message.contains("is not the ledger that was planned"))
    try work.gather(again: true)
    _ = try work.merge(output: folder.path("parts"), replace: false, threads: 1, layout: .parts)
    let again = try BatchRun.settle(
      batch.files.map { folder.path($0) }, output: folder.path("again"), replace: false, republish: true,
      options: batch.options, ledger: path)
    #expect(again.exitCode == 1)
    for name in ["SHA256SUMS", "manifest.json", "totals.csv", "settlement/_header.csv", "settlement/part-00000.csv"] {
      #expect(try folder.bytes(of: "again/\(name)") == folder.bytes(of: "parts/\(name)"))
    }
  }

  @Test("reports at a URI: only the same work directory completes what was interrupted after the entry in the ledger")
  func remote() throws {
    var batch = try ShardedBatch([MixedBatch.bytes(records: 50, seed: 3, hasMark: false)])
    batch.ledger = "ledger"
    let (folder, path) = (batch.folder, batch.folder.path("ledger"))
    let work = try batch.plan(.count(2))
    var random = SeededGenerator()
    try batch.settle(work, using: &random)
    try work.finishAll(threads: 2)
    let rows = ShardedBatch.accounts(of: try batch.run(output: "alone").get())
    try batch.makeAccounts(work, rows, gather: work.gathered().digest)
    var (asked, failsAt, stand) = ([String](), "upload parts", "yes")
    var count = 0
    func merge(at uri: String = "s3://bucket/night") throws(Failure) -> MergeResult {
      asked = []
      count += 1
      let remote = RemotePublication(uri: uri) { line throws(Failure) in
        asked.append(line.rawValue)
        if line.rawValue == failsAt { throw .inputOutput("the upload fails") }
        return stand
      }
      return try work.merge(
        output: folder.path("merged \(count)"), replace: false, threads: 1, layout: .parts, at: remote)
    }
    #expect(exitCode { _ = try merge() } == 74)
    #expect(try LedgerHistory(ledger: path).runs.isEmpty)
    failsAt = "upload manifest"
    #expect(exitCode { _ = try merge() } == 74)
    #expect(try LedgerHistory(ledger: path).runs.isEmpty && LedgerHistory(ledger: path).unfinished != nil)
    failsAt = ""
    try folder.write(Array((Line.payment("other") + "\n").utf8), to: "other")
    #expect(
      exitCode {
        _ = try BatchRun.settle(
          [folder.path("other")], output: folder.path("x"), replace: false, options: batch.options, ledger: path)
      } == 75)
    #expect(exitCode { _ = try merge(at: "s3://bucket/elsewhere") } == 75)
    #expect(exitCode { _ = try batch.merge(work).get() } == 75)
    guard case .entered(.settled(_, run: 1)) = try merge() else { throw TestFailure.isMerged }
    #expect(asked == ["upload parts", "upload manifest"])
    guard case .entered(.earlier(let earlier)) = try merge() else { throw TestFailure.isMerged }
    #expect(earlier.files == .inPlace && earlier.entry.isAtURI && asked == ["reports stand?"])
    #expect(earlier.entry.directory == Array("s3://bucket/night".utf8))
    stand = "no"
    for (uri, stand) in [("s3://bucket/night", false), ("s3://bucket/elsewhere", true)] {
      guard case .entered(.earlier(let earlier)) = try merge(at: uri) else { throw TestFailure.isMerged }
      #expect(earlier.files == .elsewhere(stand: stand))
    }
    let verdict = try LedgerUpkeep.verify(path)
    #expect(verdict.findings.isEmpty && verdict.elsewhere == 1 && verdict.gone.isEmpty)
  }

  @Test("reports whose parts come from elsewhere: the files of the last steps, under numbers that their shards know")
  func parts() throws {
    var random = SeededGenerator()
    var course = DrawnCourse(SeededGenerator(seed: 11))
    let night = course.drawNight(after: CourseOracle())
    var oracle = CourseOracle()
    _ = oracle.settle(night)
    var batch = try ShardedBatch([Array(CourseNight.text([night], oracle.control).utf8)])
    batch.options = try CourseNight.options(night, threads: 1)
    let (folder, expected) = (batch.folder, try batch.run().get())
    let work = try batch.plan(.count(3))
    try batch.settle(work, using: &random)
    try work.finishAll(threads: 2)
    try batch.makeAccounts(work, ShardedBatch.accounts(of: expected), gather: work.gathered().digest)
    _ = try work.merge(output: folder.path("parts"), replace: false, threads: 2, layout: .parts)
    for report in ["settlement", "exceptions", "receivers", "refunds", "preapprovals"] {
      let whole = try folder.names(in: "parts/\(report)").sorted()
        .map { try folder.bytes(of: "parts/\(report)/\($0)") }
      #expect(Array(whole.joined()) == expected["\(report).csv"])
      let parts = try folder.names(in: "parts/\(report)").sorted().dropFirst()
      #expect(Array(parts) == parts.indices.map { "part-0000\($0 - 1).csv" }, "no number misses")
      #expect(whole.last != [], "no part is empty behind the last rows")
    }
    let shards = work.plan.shards.count
    for shard in work.plan.shards.indices {
      for (file, part) in [
        ("settlement.csv", "settlement/part-0000\(shard).csv"),
        ("refund-settlement.csv", "settlement/part-0000\(shards + shard).csv"),
        ("exceptions.csv", "exceptions/part-0000\(shard).csv"), ("refunds.csv", "refunds/part-0000\(shard).csv"),
      ] {
        let (made, found) = (
          try folder.bytes(of: "work/done-\(shard)-2/\(file)"), try? folder.bytes(of: "parts/\(part)")
        )
        #expect(found ?? [] == made, "\(part)")
      }
    }
    // Elsewhere, in a work directory without the files that are not read then.
    for shard in work.plan.shards.indices {
      for file in ["run-\(shard)/private", "run-\(shard)/settlement.csv", "done-\(shard)-2/settlement.csv"] {
        try FileManager.default.removeItem(atPath: folder.path("work/\(file)"))
      }
    }
    let remote = RemotePublication(uri: "s3://bucket/night") { _ in "done" }
    func merge(isChecked: Bool) throws(Failure) {
      _ = try ShardWork(work.path, isChecked: isChecked).merge(
        output: folder.path("elsewhere"), replace: false, threads: 2, at: remote)
    }
    #expect(exitCode { try merge(isChecked: false) } == 74)
    try merge(isChecked: true)
    for file in ["SHA256SUMS", "manifest.json", "totals.csv", "control.csv", "summary.json", "refunds/_header.csv"] {
      #expect(try folder.bytes(of: "elsewhere/\(file)") == folder.bytes(of: "parts/\(file)"), "\(file)")
    }
    #expect(
      try folder.names(in: "elsewhere/settlement") + folder.names(in: "elsewhere/receivers") == [
        "_header.csv", "_header.csv",
      ])
    // At an object store the manifest names the claim. A batch that was gathered again has all names of parts.
    try folder.write(Array(#"{"format":"settle-claim","version":1,"plan":"other","work":"W"}"#.utf8), to: "claim")
    func claimed() throws(Failure) {
      let remote = RemotePublication(uri: "s3://bucket/night", claim: folder.path("claim"), accountParts: 4) { _ in
        "done"
      }
      _ = try ShardWork(work.path, isChecked: true).merge(
        output: folder.path("claimed"), replace: false, threads: 2, at: remote)
    }
    #expect(exitCode { try claimed() } == 78)
    let claim = #"{"format":"settle-claim","version":1,"plan":"\#(work.plan.digest)","work":"s3://bucket/W"}"# + "\n"
    try folder.write(Array(claim.utf8), to: "claim")
    try claimed()
    #expect(try folder.bytes(of: "claimed/claim.json") == Array(claim.utf8))
    let manifest = try JSONTree(parsing: folder.bytes(of: "claimed/manifest.json"))
    #expect(manifest["claim"]?["plan"]?.string == work.plan.digest)
    #expect(manifest["claim"]?["work"]?.string == "s3://bucket/W" && manifest["claim"]?["format"] == nil)
    let sums = String(decoding: try folder.bytes(of: "claimed/SHA256SUMS"), as: UTF8.self)
    for (table, count) in [("settlement", 2 * shards), ("exceptions", shards), ("refunds", shards), ("receivers", 4)] {
      let named = manifest["files"]?.elements?.first { $0["name"]?.string == "\(table).csv" }?["parts"]?.elements ?? []
      #expect(
        named.compactMap { $0["name"]?.string }.dropFirst() == (0..<count).map { "\(table)/part-0000\($0).csv" }[...])
      for part in named {
        #expect(sums.contains("\(part["sha256"]?.string ?? "none")  \(part["name"]?.string ?? "")\n"))
      }
    }
    #expect(sums.contains("  claim.json\n"))
    let accounts = "work/accounts/part-00000.csv"
    try folder.write(Array(folder.bytes(of: accounts).dropLast()), to: accounts)
    try FileManager.default.removeItem(atPath: folder.path("elsewhere"))
    #expect(exitCode { try merge(isChecked: true) } == 74)
  }

  @Test("a plan over an existing one, a changed file, and a plan of another version are refused")
  func refusals() throws {
    let batch = try ShardedBatch([Array((Line.payment("A") + "\n").utf8)])
    let work = try batch.plan(.count(1))
    _ = try batch.plan(.count(1))
    #expect(exitCode { _ = try batch.plan(.text(3)) } == 73)
    #expect(
      exitCode {
        _ = try ShardWork.plan(["-"], in: "x", size: .count(1), options: batch.options, ledger: nil) { _ in }
      } == 64)
    let path = batch.folder.path(batch.files[0])
    var planned = stat()
    #expect(stat(path, &planned) == 0)
    // A file of another size, and one that was changed at another time.
    for (key, later) in [("AB", 0), ("B", 1)] {
      try batch.folder.write(Array((Line.payment(key) + "\n").utf8), to: batch.files[0])
      let time = timespec(tv_sec: planned.st_mtim.tv_sec + later, tv_nsec: planned.st_mtim.tv_nsec)
      #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
      #expect(exitCode { try work.run(0, input: nil, threads: 1) } == 74)
      #expect(exitCode { try work.hash(0, input: nil) } == 74)
      #expect(exitCode { try work.gather() } == 74)
    }
    let plan = String(decoding: work.plan.text, as: UTF8.self)
    try batch.folder.write(Array(plan.replacing(#""version":1"#, with: #""version":2"#).utf8), to: "work/plan.json")
    #expect(exitCode { _ = try ShardWork(work.path) } == 78)
  }
}
