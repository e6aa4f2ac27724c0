import BatchRun
import Foundation
import Rules
import TestSupport
import Testing

@testable import settle

/// Explanations word for word: `Golden/explain` has one file for each payment of `ExplainedBatch`.
@Suite struct ExplanationTests {
  @Test(arguments: ExplainedBatch.payKeys)
  func explanation(payKey: String) throws {
    let (text, search) = try explain(payKey)
    try expect(text, in: "\(payKey).txt")
    #expect(search.found == (payKey == "E-25" ? 2 : 1))
    #expect((search.rejected > 0) == payKey.hasPrefix("E-"))
  }

  @Test func discountsAreErrorsWithStrictItems() throws {
    let (text, search) = try explain("D-1", strictItems: true)
    try expect(text, in: "D-1-strict-items.txt")
    #expect(search.rejected == 1)
  }

  @Test(arguments: ["C-1", "P-1", "B-1"])
  func anotherSchedule(payKey: String) throws {
    let schedule = try FeeSchedule(json: Array(ExplainedBatch.schedule.utf8))
    try expect(try explain(payKey, schedule: schedule).text, in: "\(payKey)-other-fees.txt")
  }

  @Test func aKeyThatIsNotThere() throws {
    let (text, search) = try explain("NOBODY")
    #expect(text.isEmpty)
    #expect(search.found == 0)
    #expect(search.unreadable == nil)
  }

  @Test func aKeyInARecordThatNobodyCanRead() throws {
    let (text, search) = try explain("R-2")
    #expect(text.isEmpty)
    #expect(search.found == 0)
    #expect(search.unreadable?.hasSuffix("has it in its text, but is rejected whole: MALFORMED_JSON") == true)
  }

  /// Whatever the chunks are, the explanations are the same.
  @Test func recordsThatSpanChunks() throws {
    for length in [1, 100, 1000] {
      #expect(try explain("E-25", chunk: length).text == explain("E-25").text)
    }
  }

  private func expect(_ text: String, in name: String, at place: SourceLocation = #_sourceLocation) throws {
    let complaint = try Golden().complaint(Array(text.utf8), name: "explain/\(name)")
    #expect(complaint == nil, sourceLocation: place)
  }

  private func explain(
    _ payKey: String, schedule: FeeSchedule = .published, strictItems: Bool = false, chunk: Int = 1 << 20
  ) throws -> (text: String, search: PaymentSearch) {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(ExplainedBatch.text.utf8), to: "batch")
    let search = try PaymentSearch(
      payKey: payKey, options: RunOptions(schedule: schedule, threads: 1, strictItems: strictItems))
    var text = ""
    try search.explain([path], plainChunkLength: chunk) { text += $0 }
    return (text.replacing(path, with: "batch.jsonl"), search)
  }
}
