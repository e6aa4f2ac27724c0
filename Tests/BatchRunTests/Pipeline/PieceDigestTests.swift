import Digests
import FileSystem
import Ledger
import Testing
import TestSupport

@testable import BatchRun
@testable import Bookkeeping
@testable import LedgerRuns
@testable import Publication
@testable import RunSupport

@Suite("The digest of a text in pieces")
struct PieceDigestTests {
  /// The definition in `ledger.md`.
  private func expected(_ text: [UInt8]) -> String {
    let pieces = stride(from: 0, to: text.count, by: 65_536).flatMap { start in
      SHA256.digest(of: Array(text[start..<min(start + 65_536, text.count)])).bytes
    }
    return SHA256.digest(of: pieces).hexadecimal
  }

  private static func text(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) } }

  @Test("known texts: empty, and a million bytes, by Python's hashlib")
  func known() {
    let digest = PieceDigest()
    #expect(digest.hexadecimal == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    var million = PieceDigest()
    let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    million.update(letters.span)
    #expect(million.hexadecimal == "de9872d777d61bad1865356f71b4a960d9303c6eaa6051b6fd0ef4aac8868a92")
  }

  @Test("in any parts, with the pieces within a part digested separately or not")
  func parts() {
    var random = SeededGenerator()
    for count in [0, 1, 65_535, 65_536, 65_537, 131_072, 300_000] {
      let text = Self.text(count)
      for digestsApart in [false, true] {
        var digest = PieceDigest()
        var start = 0
        while start < count {
          let length = min(count - start, .random(in: 1...200_000, using: &random))
          let part = text.span.extracting(start..<start + length)
          if digestsApart {
            let whole = PieceDigest.wholePieces(of: length, from: start)
            digest.update(part.extracting(first: whole.lowerBound))
            digest.update(pieces: PieceDigest.digests(part, whole))
            digest.update(part.extracting(droppingFirst: whole.upperBound))
          } else {
            digest.update(part)
          }
          start += length
        }
        #expect(digest.hexadecimal == expected(text), "\(count), \(digestsApart), \(random.reproduction)")
      }
    }
  }

  @Test("a run computes it for each file, for any threads, chunks and stored form", arguments: [1, 2, 7, 16, 64])
  func runs(threads: Int) throws {
    let workshop = try LedgerWorkshop()
    var random = SeededGenerator()
    let texts = [MixedBatch.bytes(records: 500, seed: 8), [], MixedBatch.bytes(records: 300, seed: 9, hasMark: true)]
    var options = RunOptions(threads: threads)
    options.plainChunkLength = .random(in: 1000...200_000, using: &random)
    for form in 0..<3 {
      for (place, text) in texts.enumerated() {
        let bytes =
          switch form {
          case 0: text
          case 1: try Stored.lz4(text, blockLength: .random(in: 1000...100_000, using: &random))
          default: try Stored.frames(text, frameLength: .random(in: 5000...300_000, using: &random))
          }
        try workshop.folder.write(bytes, to: "\(place)")
      }
      let run = workshop.settle(
        files: ["0", "1", "2"], output: "out \(form)", ledger: "ledger \(form)", options: options)
      guard case .settled(let result, _) = run.result else {
        Issue.record("\(run.description), \(random.reproduction)")
        continue
      }
      let digests = texts.map { TextDigest(pieces: expected($0), plain: nil) }
      #expect(result.textDigests == digests, "form \(form), \(random.reproduction)")
      let sources = ["0", "1", "2"].map { InputSource(path: workshop.folder.path($0)) }
      #expect(try BatchContent.digests(sources, plain: false) == digests)
    }
  }

  /// Settles a batch, and enters its run as an earlier version did.
  private func enterPlain(_ source: InputSource, in workshop: LedgerWorkshop, _ options: RunOptions) throws {
    let ledger = try workshop.runLedger()
    let directory = try SettlementDirectory(path: workshop.folder.path("out"), replaces: false)
    try ledger.begin(directory.place, replaces: false)
    let earlier = try ledger.earlier(threads: 1)
    let balances = try AccountEntries(beside: directory.place)
    let (result, entries) = try BatchRun.settle(
      [source], to: directory, options: options, earlier: earlier, balances: balances, progress: nil)
    earlier.close()
    let digests = try #require(try BatchContent.digests([source], plain: true))
    let run = SettledRun(
      result: result, identity: BatchContent.identities(digests, options).first { $0.isPlain }!,
      opening: try BatchContent.opening([source]), night: try entries(), balances: balances)
    _ = try ledger.publish(directory, run, progress: nil) { _ in }
  }

  @Test("a run of an earlier version is found by the plain digests, in any stored form", arguments: [1, 2, 7])
  func plainRuns(threads: Int) throws {
    let workshop = try LedgerWorkshop()
    let options = RunOptions(threads: threads)
    let text = Array(Batch.text("night", (0..<900).map { "K\($0)" }).utf8)
    try workshop.folder.write(text, to: "batch")
    try enterPlain(InputSource(path: workshop.folder.path("batch")), in: workshop, options)
    try workshop.folder.write(try Stored.lz4(text, blockLength: 70_000), to: "packed")
    for file in ["batch", "packed"] {
      #expect(workshop.settle(files: [file], options: options).description == "already settled 1")
      #expect(workshop.settle(files: [file], output: "other", options: options).description == "settled before 1")
      var strict = options
      strict.rules.strictItems = true
      let changed = workshop.settle(files: [file], output: "other", options: strict)
      #expect(changed.description.contains("BATCH_RULES_CHANGED"))
      #expect(changed.description.contains("run 1 settled this batch by other rules: --strict-items no (now yes)"))
      let read = try BatchLedger(
        workshop.folder.path("ledger"), batch: [workshop.folder.path(file)], options: options)
      #expect(read.storedFiles?.count == 1)
    }
    let again = workshop.settle(files: ["packed"], output: "again", republish: true, options: options)
    #expect(again.description == "already settled 1, published")
    #expect(try workshop.reports("again") == workshop.reports())
    let reused = try workshop.settle(Batch.text("night", ["Z"]), output: "other", options: options)
    #expect(reused.description.contains("BATCH_ID_REUSED"))
    // Another run is entered by the digest in pieces, both are computed, and each is found.
    let second = try workshop.settle(Batch.text("second", ["A", "B"]), output: "second", options: options)
    #expect(second.description == "settled 2")
    guard case .settled(let result, _) = second.result else { return }
    #expect(result.textDigests.map { $0.plain != nil } == [true])
    #expect(workshop.settle(files: ["batch"], output: "second", options: options).description == "already settled 2")
    #expect(workshop.settle(files: ["packed"], output: "again", options: options).description == "settled before 1")
    let runs = try LedgerHistory(ledger: workshop.folder.path("ledger")).runs
    #expect(runs.map(\.identity.isPlain) == [true, false])
  }
}
