import Claims
import Threads

/// What workers take chunks from, whichever asks next.
protocol ChunkSource: AnyObject, Sendable {
  /// Fills the next chunk; false if there is none, or none can be read.
  func readNext(into work: ChunkWork) -> Bool

  /// Told that a chunk is expanded; by several threads at a time.
  func expanded(_ work: ChunkWork)

  /// The stored bytes read so far.
  var storedBytesRead: Int { get }
}

extension ChunkSource {
  func expanded(_ work: ChunkWork) {}
}

extension BatchInput: ChunkSource {}

/// The workers: take chunks, expand them, settle the lines that begin and end in them, and hand them to the commit.
struct ChunkWorkers: @unchecked Sendable {  // What it refers to has locks.
  let source: any ChunkSource
  let options: RunOptions
  let purpose: RunPurpose
  let hash: KeyedHash
  let earlier: EarlierSettlements?
  let order: CommitOrder
  let progress: RunProgress?
  /// Where chunks begin, if the digests of their texts are wanted.
  var offsets: ChunkOffsets?

  /// Takes all chunks there are, or those before the first failure.
  func run() { WorkerThreads.run(options.threads) { number in self.work(number) } }

  private func work(_ number: Int) {
    var desk = RecordSettler(
      purpose: purpose, options: options, hash: hash, earlier: earlier, reader: number + 1,
      widthLimit: RecordLimits.widthLimit(threads: options.threads))
    desk.commitsBeforeEnvelope = options.mostRejected?.most != nil
    while let work = order.takeWork() {
      guard source.readNext(into: work) else { return order.giveBack(work) }
      work.chunk.expand()
      source.expanded(work)
      offsets?.take(work)
      process(work, at: &desk)
      if let offsets { work.digestPieces(from: offsets.offset(of: work)) }
      if let failure = earlier?.failure { order.fail(failure) }
      work.part.post()
      progress?.add(records: work.part.recordCount, storedBytes: source.storedBytesRead, textBytes: work.chunk.count)
      order.deliver(work)
    }
  }

  /// Takes the lines that begin and end in the chunk; what stands before and after them spans chunks.
  private func process(_ work: ChunkWork, at desk: inout RecordSettler) {
    work.part.text = UnsafePointer(work.chunk.text)
    work.findFirstLineEnd()
    work.visitLines { line, length in
      if work.part.isFull { _ = flush(work, asking: .none) }
      if !desk.take(
        line: line, length: length, number: work.lineCount, into: work.part,
        commit: { _, key in flush(work, asking: key) })
      {
        work.part.post()
        order.takeWide(work, line: line, length: length)
      }
    }
  }

  private func flush(_ work: ChunkWork, asking key: Fingerprint) -> Bool {
    work.part.post()
    return order.flush(work, asking: key)
  }
}
