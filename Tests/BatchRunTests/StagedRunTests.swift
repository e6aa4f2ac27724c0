import BatchRun
import Failures
import RunStages
import Testing
import TestSupport
import Text

@testable import RunSupport

/// The stages of a run one by one, compared with the run itself.
@Suite struct StagedRunTests {
  /// The bytes of a text.
  private func bytes(_ text: borrowing TextBuffer) -> [UInt8] { [UInt8](text.span) }

  /// A report without its header.
  private func rows(_ report: [UInt8]?) -> [UInt8] {
    Array((report ?? []).split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false).last ?? [])
  }

  @Test(arguments: [64, 4096, 1 << 20], [1, 3])
  func stagesTogetherMakeTheReports(chunk: Int, threads: Int) throws {
    let workshop = try Workshop()
    let batch = MixedBatch.bytes(records: 1200, seed: 11)
    let path = try workshop.folder.write(batch, to: "batch")
    let settled = try workshop.settle([batch], chunk: chunk)
    let staged = try StagedRun(path, options: RunOptions(threads: threads, plainChunkLength: chunk))
    #expect(staged.textBytes == batch.count)

    // Twice: the stages start over.
    for _ in 0..<2 {
      var settlement = TextBuffer()
      var exceptions = TextBuffer()
      var receivers = TextBuffer()
      staged.assess()
      staged.postAccounts()
      let keys = staged.rememberPayKeys()
      let totals = try staged.commit(settlement: &settlement, exceptions: &exceptions)
      staged.writeReceivers(to: &receivers)
      #expect(bytes(settlement) == rows(settled.reports["settlement.csv"]))
      #expect(bytes(exceptions) == rows(settled.reports["exceptions.csv"]))
      #expect(bytes(receivers) == rows(settled.reports["receivers.csv"]))
      #expect(totals.recordsRead == settled.result?.totals.recordsRead)
      #expect(keys > 0 && keys < totals.recordsRead)
    }
  }

  @Test func aFileThatIsNotThereCannotBeStaged() {
    #expect(throws: Failure.self) { try StagedRun("/nowhere/batch", options: RunOptions(threads: 1)) }
  }

  @Test func aBatchErrorEndsTheCommit() throws {
    let folder = try TemporaryFolder()
    let text = #"{"type":"trailer","recordCount":0,"totals":{}}"# + "\n{}\n"
    let staged = try StagedRun(try folder.write(Array(text.utf8), to: "batch"), options: RunOptions(threads: 1))
    staged.assess()
    var settlement = TextBuffer()
    var exceptions = TextBuffer()
    #expect(throws: Failure.self) { try staged.commit(settlement: &settlement, exceptions: &exceptions) }
  }
}
