import Claims
import Threads

/// Gives workers their chunks; the next one goes to the worker that asks next.
package protocol ChunkSource: AnyObject, Sendable {
  /// Fills the next chunk; false at the end, or if reading failed.
  func readNext(into work: ChunkWork) -> Bool

  /// Called when a chunk is expanded; by several threads at a time.
  func expanded(_ work: ChunkWork)

  /// The stored bytes read so far.
  var storedBytesRead: Int { get }
}

extension ChunkSource {
  package func expanded(_ work: ChunkWork) {}
}

extension BatchInput: ChunkSource {}

/// The workers. They take chunks, expand them, settle the lines entirely within them, and hand them to the commit.
package struct ChunkWorkers: @unchecked Sendable {  // The objects it uses have locks.
  package let source: any ChunkSource
  package let options: RunOptions
  package let purpose: RunPurpose
  package let hash: KeyedHash
  package let earlier: EarlierSettlements?
  package let order: CommitOrder
  package let progress: RunProgress?
  /// Takes the expanded chunks of whole files.
  package var expanded: ExpandedOrder?
  /// Whether to compute the digests of the texts' pieces, which requires the chunks' places.
  var digestsPieces = false
  /// What workers do before they take another chunk.
  var errands = Errands(most: 0)

  package init(
    source: any ChunkSource, options: RunOptions, purpose: RunPurpose, hash: KeyedHash, earlier: EarlierSettlements?,
    order: CommitOrder, progress: RunProgress?, expanded: ExpandedOrder? = nil, digestsPieces: Bool = false,
    errands: Errands = Errands(most: 0)
  ) {
    self.source = source
    self.options = options
    self.purpose = purpose
    self.hash = hash
    self.earlier = earlier
    self.order = order
    self.progress = progress
    self.expanded = expanded
    self.digestsPieces = digestsPieces
    self.errands = errands
  }

  /// Takes all chunks, or those before the first failure.
  package func run() { WorkerThreads.run(options.threads) { number in self.work(number) } }

  private func work(_ number: Int) {
    var desk = RecordSettler(
      purpose: purpose, options: options, hash: hash, earlier: earlier, reader: number + 1,
      widthLimit: RecordLimits.widthLimit(threads: options.threads))
    desk.commitsBeforeEnvelope = options.mostRejected?.most != nil
    while let work = order.takeWork() {
      while errands.doOne() {}
      guard source.readNext(into: work) else { return order.giveBack(work) }
      work.chunk.expand()
      source.expanded(work)
      expanded?.take(work)
      work.findFirstLineEnd()
      process(work, at: &desk, into: &work.part)
      if digestsPieces, let expanded { work.digestPieces(from: expanded.offset(of: work)) }
      work.part.post()
      if let failure = earlier?.failure { order.fail(failure) }
      progress?.add(records: work.part.recordCount, storedBytes: source.storedBytesRead, textBytes: work.chunk.count)
      order.deliver(work)
    }
  }

  /// Takes the lines entirely within the chunk; the text before and after them spans chunks.
  private func process(_ work: ChunkWork, at desk: inout RecordSettler, into part: inout StretchResult) {
    let chunk = work.chunk
    work.visitLines { line, length in
      if part.isFull { _ = order.flush(&part, of: work, asking: .none) }
      if !desk.take(
        line: line, length: length, number: work.lineCount, of: chunk.span, isInPlace: true, into: &part,
        commit: { part, key in order.flush(&part, of: work, asking: key) })
      {
        order.takeWide(&part, of: work, line: line, length: length)
      }
    }
  }
}
