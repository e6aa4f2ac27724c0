import Claims
import Failures
import Input
import Postings
import Rules

/// The part of a run that happens in batch order, one chunk after the other: it joins lines that span chunks, and
/// merges stretches.
///
/// Not safe for two threads at once: `CommitOrder` admits one at a time.
package final class OrderedCommit {
  private let fileNames: [[UInt8]]
  package var merge: StretchMerge
  package private(set) var textBytes = 0
  /// The beginning of the batch's text.
  package private(set) var beginning = BatchBeginning()
  /// The digests of the files' texts, if they are wanted.
  package private(set) var textDigests: TextDigests?

  private var begun = -1
  private var spanning: SpanningLines
  /// Settles single lines into `carried`.
  private var settler: RecordSettler
  private var carried: StretchResult

  package init(
    to sink: any StretchSink, fileNames: [[UInt8]], purpose: RunPurpose, options: RunOptions, hash: KeyedHash,
    accounts: AccountTotals, earlier: SettlementLookup?,
    spanning: consuming SpanningLines = SpanningLines()
  ) {
    self.fileNames = fileNames
    self.spanning = spanning
    merge = StretchMerge(purpose: purpose, options: options, hash: hash, accounts: accounts, earlier: earlier, to: sink)
    settler = RecordSettler(purpose: purpose, options: options, hash: hash, earlier: earlier)
    textDigests = earlier?.isOfLedger == true ? TextDigests(files: fileNames.count) : nil
    carried = StretchResult(accounts: accounts, textBudget: options.textBudget)
  }

  /// Commits a settlement without a ledger.
  package convenience init(
    to sink: ReportSink, fileNames: [[UInt8]], options: RunOptions, hash: KeyedHash, accounts: AccountTotals
  ) {
    self.init(
      to: StretchReports(sink, .settlement, fileNames: fileNames, scratch: options.scratch, isForLedger: false),
      fileNames: fileNames,
      purpose: .settlement, options: options, hash: hash, accounts: accounts, earlier: nil)
  }

  /// If the last file taken is corrupt: the offset after its good text, and the reason; else nil.
  package var corruption: (offset: Int, fault: CorruptBatch)? { spanning.corruption.map { (spanning.offset, $0) } }

  /// The number of the line after everything taken so far.
  package var line: Int { spanning.line }

  /// The counts and sums of everything taken so far.
  package var totals: ControlTotals { merge.totals }

  // MARK: Chunks

  /// Commits what comes before the chunk's first stretch: a new file, and the end of a line from earlier chunks.
  private func begin(_ work: ChunkWork, _ stretch: inout StretchResult) throws(Failure) {
    let chunk = work.chunk
    beginning.append(chunk.span, startsFile: spanning.isFileStart(work))
    if let line = spanning.begin(work) { try settle(line) }
    guard spanning.isCut else { return }
    // The stretch contains lines that are cut off: settle all lines again.
    stretch.clear()
    try work.visitLines { line, length throws(Failure) in try settleWide(work, line: line, length: length) }
    try finish(work)
  }

  /// Commits the next stretch of a chunk.
  package func append(_ stretch: inout StretchResult, of work: ChunkWork) throws(Failure) {
    if begun != work.sequence {
      begun = work.sequence
      try begin(work, &stretch)
    }
    let chunk = work.chunk
    try merge.append(
      &stretch, of: chunk.span,
      at: StretchPlace(file: spanning.file, line: spanning.line, offset: spanning.offset))
  }

  /// Commits what comes after the chunk's last stretch: a line that ends in a later chunk, or with the file.
  package func finish(_ work: ChunkWork) throws(Failure) {
    textBytes += work.chunk.count
    textDigests?.add(work)
    if let line = try spanning.finish(work, fileNames: fileNames) { try settle(line) }
  }

  // MARK: Single lines

  /// Settles a line that spans chunks, now that it is complete.
  private func settle(_ line: borrowing SpanningLine) throws(Failure) {
    try settleAlone(
      line: 0, length: line.length, number: 0, of: line.text.span,
      at: StretchPlace(file: spanning.file, line: line.number, offset: line.offset))
  }

  /// Settles one line of the chunk: a line too wide for its worker, or any line of a chunk that was cut.
  func settleWide(_ work: ChunkWork, line: Int, length: Int) throws(Failure) {
    let chunk = work.chunk
    try settleAlone(
      line: line, length: length, number: work.lineCount, of: chunk.span,
      at: StretchPlace(file: spanning.file, line: spanning.line, offset: spanning.offset))
  }

  /// Settles and commits one line of a text on this thread.
  private func settleAlone(
    line: Int, length: Int, number: Int, of text: Span<UInt8>, at place: StretchPlace
  ) throws(Failure) {
    var failure: Failure?
    _ = settler.settle(line: line, length: length, number: number, of: text, into: &carried) { stretch, key in
      do throws(Failure) {
        if failure == nil { try self.merge.append(&stretch, of: text, at: place) }
      } catch {
        failure = error
      }
      stretch.clear()
      return self.merge.judge.keys.hasClaim(on: key)
    }
    if let failure { throw failure }
    try merge.append(&carried, of: text, at: place)
    carried.clear()
  }
}
