import BatchRun
import Failures
import Foundation
import Input
import LedgerRuns
import Testing
import TestSupport
import Verification

/// A batch whose files were renamed, compressed or decompressed after it was settled.
@Suite("A batch stored in a different way")
struct StoredAgainTests {
  /// A form in which a text is stored.
  enum Form: CaseIterable {
    case plain
    /// LZ4 frames of one block, of blocks of 20 bytes, and two of them.
    case frame, smallBlocks, twoFrames

    var ending: String { self == .plain ? "" : ".lz4" }

    func stored(_ text: [UInt8]) throws -> [UInt8] {
      switch self {
      case .plain: text
      case .frame: try Self.frame(text, blockLength: 1 << 20)
      case .smallBlocks: try Self.frame(text, blockLength: 20)
      case .twoFrames:
        try Self.frame(Array(text.prefix(20)), blockLength: 20)
          + Self.frame(Array(text.dropFirst(20)), blockLength: 1 << 20)
      }
    }

    private static func frame(_ text: [UInt8], blockLength: Int) throws -> [UInt8] {
      var stored: [UInt8] = []
      let writer = try LZ4FrameWriter { stored.append($0) }
      for start in stride(from: 0, to: text.count, by: blockLength) {
        let block = text.span.extracting(start..<min(text.count, start + blockLength))
        try writer.append(LZ4FrameWriter.compressBlock(block).span, of: block)
      }
      try writer.finish()
      return stored
    }
  }

  struct Change: CustomTestStringConvertible, Sendable {
    let settled: Form
    let now: Form
    let isRenamed: Bool
    let hasLedger: Bool
    var testDescription: String { "\(settled) to \(now)\(isRenamed ? ", renamed" : "")\(hasLedger ? ", ledger" : "")" }

    static let all = Form.allCases.flatMap { settled in
      Form.allCases.flatMap { now in
        [false, true].flatMap { isRenamed in
          [false, true].map { Change(settled: settled, now: now, isRenamed: isRenamed, hasLedger: $0) }
        }
      }
    }
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// Three files: one with a byte order mark, one with rejected records, and one that a ledger may have more of.
  private static let texts: [[UInt8]] = [
    mark + Array(#"{"type":"header","batchId":"n"}"#.utf8) + Array("\n".utf8),
    Array(TamperedFolder.batch.split(separator: "\n").dropFirst().dropLast().joined(separator: "\n").utf8),
    Array(
      (#"{"payKey":"LAST","recipient":"a@b.example","subTotal":"1.00","memo":"one"}"# + "\n"
        + #"{"type":"trailer","recordCount":13,"totals":{"USD":"123456789012345678901234567933.62","JPY":1500,"#
        + #""EUR":"118.35"}}"# + "\n").utf8),
  ]

  private static func write(_ texts: [[UInt8]], _ form: Form, _ name: String, _ folder: TemporaryFolder) throws
    -> [String]
  {
    try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    return try texts.enumerated().map { number, text in
      try folder.write(form.stored(text), to: "\(name)/part-\(number).jsonl\(form.ending)")
    }
  }

  /// Settles a batch in one form and verifies it in another.
  private static func verify(
    _ change: Change, _ texts: [[UInt8]] = texts, now: [[UInt8]] = texts
  ) throws -> VerificationResult {
    let folder = try TemporaryFolder()
    let options = RunOptions(threads: 1)
    let settled = try write(texts, change.settled, "then", folder)
    let output = folder.path("out")
    if change.hasLedger {
      _ = try openingWhenFree(isBusy: { $0.exitCode == Failure.busy("").exitCode }) { () throws(Failure) in
        try BatchRun.settle(settled, output: output, replace: false, options: options, ledger: folder.path("ledger"))
      }
    } else {
      _ = try BatchRun.settle(settled, output: output, replace: false, options: options)
    }
    var files = try write(now, change.now, "now", folder)
    if change.isRenamed {
      files = try files.enumerated().map { number, file in
        let name = folder.path("now/file \(number)")
        try FileManager.default.moveItem(atPath: file, toPath: name)
        return name
      }
    }
    let ledger =
      change.hasLedger ? try BatchLedger(folder.path("ledger"), batch: files, options: options) : nil
    return try Verification.verify(
      output, batch: Verification.SettledBatch(paths: files, options: options, ledger: ledger))
  }

  @Test("the same texts are noted, and nothing is wrong", arguments: Change.all)
  func sameTexts(_ change: Change) throws {
    let result = try Self.verify(change)
    #expect(result.findings.map(\.text) == [])
    #expect(result.isGood)
    let isChanged = change.isRenamed || change.settled != change.now
    #expect(result.notes.count == (isChanged ? Self.texts.count : 0), "\(result.notes)")
    // For a compressed file, the reports have no digest of the text.
    let isKnown = change.settled == .plain || change.hasLedger
    let says = change.settled == change.now ? "with the same bytes" : isKnown ? "the text is the same" : "--ledger"
    #expect(result.notes.allSatisfy { $0.contains(says) }, "\(result.notes)")
  }

  @Test("a changed text is a finding even if no report shows the change", arguments: Change.all)
  func otherText(_ change: Change) throws {
    // Without a ledger nothing proves the text of a file that was compressed.
    guard change.settled == .plain || change.hasLedger else { return }
    var now = Self.texts
    now[2] = Array(String(decoding: now[2], as: UTF8.self).replacing("one", with: "two").utf8)
    if change.hasLedger {
      // The ledger has a run with this batch id and other texts.
      #expect(throws: Failure.self) { try Self.verify(change, now: now) }
    } else {
      let result = try Self.verify(change, now: now)
      #expect(result.findings.map(\.field).contains("batch.files[2].sha256"))
      #expect(!result.findings.contains { $0.field?.hasPrefix("batch.files[0]") == true }, "\(result.findings)")
    }
  }

  @Test("what was compressed then is believed without a ledger, but not if the ledger lacks the batch")
  func onlyTheLedgerKnows() throws {
    let (folder, options) = (try TemporaryFolder(), RunOptions(threads: 1))
    func text(_ memo: String) -> [[UInt8]] {
      [Array(#"{"payKey":"A","recipient":"a@b.example","subTotal":"1.00","memo":"\#(memo)"}"#.utf8)]
    }
    _ = try BatchRun.settle(
      Self.write(text("one"), .frame, "then", folder), output: folder.path("out"), replace: false, options: options)
    let other = try folder.write(
      Array(#"{"payKey":"B","recipient":"a@b.example","subTotal":"1.00"}"#.utf8), to: "other")
    _ = try openingWhenFree(isBusy: { $0.exitCode == Failure.busy("").exitCode }) { () throws(Failure) in
      try BatchRun.settle(
        [other], output: folder.path("other-out"), replace: false, options: options, ledger: folder.path("ledger"))
    }
    for memo in ["one", "two"] {
      let files = try Self.write(text(memo), .plain, memo, folder)
      func verify(_ ledger: BatchLedger?) throws -> VerificationResult {
        try Verification.verify(
          folder.path("out"), batch: Verification.SettledBatch(paths: files, options: options, ledger: ledger))
      }
      let believed = try verify(nil)
      #expect(believed.isGood && believed.notes[0].contains("only the ledger can say"), "\(believed)")
      let asked = try verify(BatchLedger(folder.path("ledger"), batch: files, options: options))
      #expect(asked.findings.map(\.field) == ["batch.files[0].bytes", "batch.files[0].sha256"], "\(asked)")
    }
  }

  @Test("a summary that does not state the size of the text is wrong")
  func forgedSize() throws {
    let tampered = try TamperedFolder()
    let batch = try tampered.folder.bytes(of: "night.jsonl")
    try tampered.folder.write(Form.frame.stored(batch), to: "night.jsonl.lz4")
    #expect(try tampered.verify(withBatch: true, batch: "night.jsonl.lz4").isGood)
    let summary = String(decoding: try tampered.bytes("summary.json"), as: UTF8.self)
    try tampered.write(Array(summary.replacing("\"bytes\":\(batch.count)", with: "\"bytes\":1").utf8), "summary.json")
    try tampered.mendSums()
    let findings = try tampered.verify(withBatch: true, batch: "night.jsonl.lz4").findings
    #expect(findings.map(\.field).contains("batch.files[0].bytes"))
  }

  @Test("another number of files is another batch")
  func joined() throws {
    let folder = try TemporaryFolder()
    let options = RunOptions(threads: 1)
    let parts = try Self.write(Self.texts, .plain, "then", folder)
    _ = try BatchRun.settle(parts, output: folder.path("out"), replace: false, options: options)
    let whole = try folder.write(Self.texts.flatMap { $0 + Array("\n".utf8) }, to: "whole.jsonl")
    let result = try Verification.verify(
      folder.path("out"), batch: Verification.SettledBatch(paths: [whole], options: options))
    #expect(result.findings.contains { $0.field == "the number of batch.files" })
    #expect(!result.isGood)
  }
}
