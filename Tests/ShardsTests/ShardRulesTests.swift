import Failures
import Testing
import TestSupport

@testable import BatchRun
@testable import RunSupport
@testable import Shards

@Suite("Shards of a batch that a ledger knows")
struct ShardRulesTests {
  @Test("are refused when they are gathered: the same text by other rules, or another text", arguments: [true, false])
  func refused(isSameText: Bool) throws {
    let workshop = try LedgerWorkshop()
    #expect(try workshop.settle(Batch.text("night", ["A"])).description == "settled 1")
    var batch = try ShardedBatch([Array(Batch.text("night", [isSameText ? "A" : "B"]).utf8)], in: workshop.folder)
    batch.options.rules.strictItems = isSameText
    batch.ledger = "ledger"
    let work = try batch.plan(.count(1))
    try work.hash(0, input: nil)
    try work.run(0, input: nil, threads: 1)
    var failure: Failure?
    do throws(Failure) { try work.gather() } catch { failure = error }
    #expect(
      failure?.message.hasPrefix(isSameText ? "BATCH_RULES_CHANGED: " : "BATCH_ID_REUSED: ") == true,
      "\(failure?.message ?? "")")
  }
}
