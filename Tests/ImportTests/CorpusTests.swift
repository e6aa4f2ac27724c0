import BatchRun
import Failures
import Foundation
import Import
import LedgerRuns
import Documents
import Rules
import Testing
import TestSupport

/// Requests in their published forms: PayPal's guide and developer pages, its SDKs' samples, programs.
@Suite("Published requests")
struct CorpusTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
    "Corpus")

  static let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasSuffix(".md") }
    .sorted()

  @Test func areThere() { #expect((Self.names ?? []).count >= 9) }

  @Test("are imported, byte for byte, and are valid payments", arguments: names ?? [])
  func imported(name: String) throws {
    let text = [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(name)))
    let isPreapproved = text.firstRange(of: "preapprovalKey".utf8) != nil
    let imported = Imported(
      text, name.hasSuffix(".json") ? .json : .nameValue, createdAt: isPreapproved ? "2012-10-01T12:00:00Z" : nil)
    #expect(imported.isWhole)
    #expect(imported.payments == imported.requests && imported.payments > 0, "\(imported.told)")
    let batch = imported.lines.joined(separator: "\n") + "\n"
    let complaint = try Golden().complaint(
      Array((batch + imported.told.joined(separator: "\n") + "\n").utf8), name: name + ".txt")
    #expect(complaint == nil)
    let folder = try TemporaryFolder()
    try folder.write(Array(batch.utf8), to: "batch.jsonl")
    let result = try BatchRun.validate(
      [folder.path("batch.jsonl")], findings: FindingsList(.text), options: RunOptions(threads: 1)
    ) { _ throws(Failure) in }
    // The agreement itself is another record.
    #expect(result.totals.errors.reduce(0, +) == (isPreapproved ? 1 : 0))
    #expect(result.totals.errors[Int(RejectionReason.preapprovalUnknown.rawValue)] == (isPreapproved ? 1 : 0))
    #expect(result.controlTotals == .verified)
    #expect(result.totals.recordsRead == imported.payments)
  }
}
