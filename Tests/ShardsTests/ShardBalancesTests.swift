import Failures
import Testing
import TestSupport

@testable import BatchRun
@testable import Bookkeeping
@testable import LedgerRuns
@testable import RunSupport

@Suite("Balances of a batch in shards")
struct ShardBalancesTests {
  private func balances(_ path: String) throws -> [String] {
    let ledger = try openingWhenFree(isBusy: { $0.exitCode == 75 }) { () throws(Failure) in try RunLedger(path) }
    let book = try ledger.ledger.balances(until: 1)
    var rows: [String] = []
    while try book.next() {
      rows.append(
        "\(String(decoding: book.account, as: UTF8.self)) \(book.currency.code) \(book.closing) \(book.since)")
    }
    return rows
  }

  @Test("a merge enters the balances that a run enters")
  func same() throws {
    var batch = try ShardedBatch([MixedBatch.bytes(records: 400, seed: 5, hasMark: false)])
    let folder = batch.folder
    _ = try BatchRun.settle(
      batch.files.map { folder.path($0) }, output: folder.path("run"), replace: false, options: batch.options,
      ledger: folder.path("single"))
    batch.ledger = "ledger"
    let work = try batch.plan(.count(3))
    var random = SeededGenerator()
    try batch.settle(work, using: &random)
    _ = try batch.merge(work).get()
    let expected = try balances(folder.path("single"))
    #expect(!expected.isEmpty)
    #expect(try balances(folder.path("ledger")) == expected)
  }
}
