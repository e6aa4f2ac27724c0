import FileSystem
import TestSupport
import Testing

@testable import BatchRun

@Suite("A batch cut anywhere, its stretches serialized and merged in any order: the reports of a run")
struct StretchTests {
  /// Cuts a batch at random, and compares its reports with those of the run.
  private func check(_ batch: CutBatch, using random: inout SeededGenerator, _ comment: String) throws {
    let (expected, run) = try batch.run()
    let files = (try? run.get().files) ?? batch.names.map { StoredFile(name: $0, bytes: 0, sha256: "") }
    var stretches: [[StretchResult]] = []
    for file in batch.texts.indices {
      let parts = try batch.stretches(of: file, cuts: batch.cuts(of: file, using: &random))
      let count = Int.random(in: 1...parts.count, using: &random)
      let some = try batch.merged(parts, of: file, to: count, using: &random)
      #expect(some.reduce(0) { $0 + $1.textBytes } == batch.texts[file].count)
      let whole = try batch.merged(parts, of: file, to: 1, using: &random)[0].serialized(hash: batch.told.hash)
      let again = try batch.merged(some, of: file, to: 1, using: &random)[0].serialized(hash: batch.told.hash)
      #expect(whole == again, "merging is associative; \(comment)")
      stretches.append(some)
    }
    let (reports, result) = try batch.report(stretches, files: files)
    switch (run, result) {
    case (.success(let run), .success(let result)):
      #expect(reports.difference(from: expected) == nil, "\(comment)")
      #expect(reports.bytes.count == 8)
      #expect(result.textBytes == run.textBytes && result.accounts == run.accounts && result.exitCode == run.exitCode)
    case (.failure(let run), .failure(let failure)):
      #expect(failure.exitCode == 2 && failure.message == run.message, "\(comment)")
    default: Issue.record("one fails, the other does not: \(run), \(result); \(comment)")
    }
  }

  /// A text of mixed records, with what is rare in them: wide and over-long records, bad UTF-8, blank lines, an end
  /// without line feed.
  private func text(using random: inout SeededGenerator) -> [UInt8] {
    let records = [0, 1, 5, 60, 150].randomElement(using: &random)!
    var text = MixedBatch.bytes(records: records, seed: random.next(), hasMark: Bool.random(using: &random))
    if Int.random(in: 0..<3, using: &random) == 0 {
      let receivers = Array(repeating: "{}", count: 300).joined(separator: ",")
      text += Array((#"{"payKey":"K-0","receiverPaymentDetails":[\#(receivers)]}"# + "\r\n \n").utf8)
      text += [0xEF, 0xBB, 0xBF] + Array((Line.payment("K-1") + "\n").utf8)
    }
    if Int.random(in: 0..<8, using: &random) == 0 {
      text += Array((Line.payment("K-2", length: LineLimitTests.limit + 1) + "\n").utf8)
    }
    if Bool.random(using: &random) { text += Array(Line.payment("K-3").utf8) }
    return text
  }

  @Test("random batches of several files", arguments: rounds(16))
  func agreesWithRun(round: Int) throws {
    var random = SeededGenerator(seed: SeededGenerator().seed &+ UInt64(round))
    var batch = CutBatch(texts: (0..<Int.random(in: 1...3, using: &random)).map { _ in text(using: &random) })
    batch.options.plainChunkLength = [3, 100, 1 << 20].randomElement(using: &random)!
    if round % 4 == 1 {
      for key in 0..<20 { batch.told.add(Array("K-\(key * 3)".utf8), count: "K-\(key * 3)".utf8.count) }
    }
    try check(batch, using: &random, "round \(round), \(SeededGenerator().reproduction)")
  }

  @Test("with header and trailer, in their places or out of them", arguments: rounds(16))
  func envelope(round: Int) throws {
    var random = SeededGenerator(seed: SeededGenerator().seed &+ UInt64(1000 + round))
    let header = #"{"type":"header","batchId":"B-\#(round)"}"#
    let trailer = #"{"type":"trailer","recordCount":\#(round),"totals":{"USD":"12.5"}}"#
    var lines = (0..<Int.random(in: 0...12, using: &random)).map { Line.payment("K-\($0 % 5)") + "\r" }
    lines.insert("", at: Int.random(in: 0...lines.count, using: &random))
    if round % 2 == 0 {
      lines = [header] + lines + [trailer, " "]
    } else {
      for line in [header, trailer, trailer, "nonsense"] {
        lines.insert(line, at: Int.random(in: 0...lines.count, using: &random))
      }
    }
    let split = Int.random(in: 0...lines.count, using: &random)
    let texts = [lines[..<split], lines[split...]].map { Array($0.joined(separator: "\n").utf8) }
    try check(CutBatch(texts: texts), using: &random, "round \(round), \(SeededGenerator().reproduction)")
  }

  @Test("sums past 64 bits, of keys that other stretches repeat", arguments: rounds(4))
  func largeSums(round: Int) throws {
    var random = SeededGenerator(seed: SeededGenerator().seed &+ UInt64(2000 + round))
    let lines = (0..<30).map { Line.payment("K-\($0 % 11)", "\($0 + 1)e\($0 + 15)") }
    let batch = CutBatch(texts: [Array(lines.joined(separator: "\n").utf8)])
    let (reports, _) = try batch.run()
    let receivers = String(decoding: reports.bytes["receivers.csv"] ?? [], as: UTF8.self)
    #expect(receivers.contains("shop@example.com,USD,11,120987654321\(String(repeating: "0", count: 15)).00"))
    try check(batch, using: &random, "round \(round), \(SeededGenerator().reproduction)")
  }

  @Test("wherever a small batch is cut once")
  func everyPlace() throws {
    let text =
      "\u{FEFF}" + [Line.payment("A"), "", Line.payment("A"), "x", Line.payment("B")].joined(separator: "\r\n")
    let batch = CutBatch(texts: [Array(text.utf8)])
    let (expected, run) = try batch.run()
    let files = try run.get().files
    let step = isThorough ? 1 : 5
    for cut in stride(from: .random(in: 0..<step), through: batch.texts[0].count, by: step) {
      let (reports, _) = try batch.report([try batch.stretches(of: 0, cuts: [cut])], files: files)
      #expect(reports.difference(from: expected) == nil, "cut at \(cut)")
    }
  }
}
