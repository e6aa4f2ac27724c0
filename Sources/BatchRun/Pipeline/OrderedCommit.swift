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

  private var spanning: SpanningLines
  /// Settles single lines into `carried`.
  private var settler: RecordSettler
  private var carried: StretchResult

  package init(
    to sink: any StretchSink, fileNames: [[UInt8]], purpose: RunPurpose, options: RunOptions, hash: KeyedHash,
    accounts: AccountTotals, earlier: EarlierSettlements?,
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

  /// Takes what comes before the chunk's first part: a new file, and the end of a line from earlier chunks.
  package func begin(_ work: ChunkWork, _ part: inout StretchResult) throws(Failure) {
    let chunk = work.chunk
    beginning.take(chunk.span, startsFile: spanning.isFileStart(work))
    if let line = spanning.begin(work) { try takeLine(line) }
    guard spanning.isCut else { return }
    // The part contains lines that are cut off: take all lines again.
    part.clear()
    try work.visitLines { line, length throws(Failure) in try takeWide(work, line: line, length: length) }
    try finish(work)
  }

  /// Takes a part with lines that are entirely within the chunk.
  package func take(_ part: inout StretchResult, of work: ChunkWork) throws(Failure) {
    let chunk = work.chunk
    try merge.append(
      &part, of: chunk.span,
      at: StretchPlace(file: spanning.file, line: spanning.line, offset: spanning.offset))
  }

  /// Takes what comes after the chunk's last part: a line that ends in a later chunk, or with the file.
  package func finish(_ work: ChunkWork) throws(Failure) {
    textBytes += work.chunk.count
    textDigests?.take(work)
    if let line = try spanning.finish(work, fileNames: fileNames) { try takeLine(line) }
  }

  // MARK: Single lines

  /// Takes a line that spans chunks, now that it is complete.
  private func takeLine(_ line: borrowing SpanningLine) throws(Failure) {
    try takeAlone(
      line: 0, length: line.length, number: 0, of: line.text.span,
      at: StretchPlace(file: spanning.file, line: line.number, offset: line.offset))
  }

  /// Settles and takes one line of the chunk: a line too wide for its worker, or any line of a chunk that was cut.
  func takeWide(_ work: ChunkWork, line: Int, length: Int) throws(Failure) {
    let chunk = work.chunk
    try takeAlone(
      line: line, length: length, number: work.lineCount, of: chunk.span,
      at: StretchPlace(file: spanning.file, line: spanning.line, offset: spanning.offset))
  }

  /// Settles one line of a text on this thread, and takes it.
  private func takeAlone(
    line: Int, length: Int, number: Int, of text: Span<UInt8>, at place: StretchPlace
  ) throws(Failure) {
    var failure: Failure?
    _ = settler.take(line: line, length: length, number: number, of: text, into: &carried) { part, key in
      do throws(Failure) {
        if failure == nil { try self.merge.append(&part, of: text, at: place) }
      } catch {
        failure = error
      }
      part.clear()
      return self.merge.judge.keys.hasClaim(on: key)
    }
    if let failure { throw failure }
    try merge.append(&carried, of: text, at: place)
    carried.clear()
  }
}
