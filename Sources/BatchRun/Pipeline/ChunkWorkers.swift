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
  package let earlier: SettlementLookup?
  package let order: CommitOrder
  package let progress: RunProgress?
  /// Takes the expanded chunks of whole files.
  package var expanded: ExpandedOrder?
  /// Whether to compute the digests of the texts' pieces, which requires the chunks' places.
  var digestsPieces = false
  /// What workers do before they take another chunk.
  var errands = Errands(most: 0)

  package init(
    source: any ChunkSource, options: RunOptions, purpose: RunPurpose, hash: KeyedHash, earlier: SettlementLookup?,
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

  /// Settles all chunks, or those before the first failure.
  package func run() { WorkerThreads.run(options.threads) { number in self.work(number) } }

  private func work(_ number: Int) {
    var settler = RecordSettler(
      purpose: purpose, options: options, hash: hash, earlier: earlier, reader: number + 1,
      widthLimit: RecordLimits.widthLimit(threads: options.threads))
    settler.commitsBeforeEnvelope = options.mostRejected?.most != nil
    while let work = order.nextFree() {
      while errands.doOne() {}
      guard source.readNext(into: work) else { return order.giveBack(work) }
      work.chunk.expand()
      source.expanded(work)
      expanded?.add(work)
      work.findFirstLineEnd()
      settleLines(of: work, by: &settler, into: &work.stretch)
      if digestsPieces, let expanded { work.digestPieces(from: expanded.offset(of: work)) }
      work.stretch.post()
      if let failure = earlier?.failure { order.fail(failure) }
      progress?.add(records: work.stretch.recordCount, storedBytes: source.storedBytesRead, textBytes: work.chunk.count)
      order.deliver(work)
    }
  }

  /// Settles the lines entirely within the chunk; the text before and after them spans chunks.
  private func settleLines(of work: ChunkWork, by settler: inout RecordSettler, into stretch: inout StretchResult) {
    let chunk = work.chunk
    work.visitLines { line, length in
      if stretch.isFull { _ = order.flush(&stretch, of: work, asking: .none) }
      if !settler.settle(
        line: line, length: length, number: work.lineCount, of: chunk.span, isInPlace: true, into: &stretch,
        commit: { stretch, key in order.flush(&stretch, of: work, asking: key) })
      {
        order.settleWide(&stretch, of: work, line: line, length: length)
      }
    }
  }
}
