import Claims
import Failures
import Postings
import Threads

/// Passes chunks to the commit in batch order, whichever worker finishes first.
///
/// If a worker's chunk is not next, the worker leaves it here and goes on; the thread that commits the chunk before it
/// commits it, too. A worker whose stretch is full in the middle of a chunk waits for its turn.
package final class CommitOrder: @unchecked Sendable {  // It has a lock.
  private let lock = Condition()
  private let commit: OrderedCommit
  private var next = 0
  private var parked: [Int: ChunkWork] = [:]
  private var free: [ChunkWork]
  private var failure: Failure?

  /// - Parameter accounts: takes the sums of all chunks.
  package init(commit: OrderedCommit, accounts: AccountTotals, options: RunOptions) {
    self.commit = commit
    free = (0..<(options.threads == 1 ? 1 : options.threads + 2)).map { _ in
      ChunkWork(plainLength: options.plainChunkLength, textBudget: options.textBudget, accounts: accounts)
    }
  }

  /// Whether the run has failed: then workers stop.
  var hasFailed: Bool { lock.withLock { failure != nil } }

  /// The first failure, once all workers have stopped.
  package var firstFailure: Failure? { lock.withLock { failure } }

  /// A chunk to fill; waits until one is free. Returns nil if the run has failed.
  func nextFree() -> ChunkWork? {
    lock.withLock {
      while free.isEmpty, failure == nil { lock.wait() }
      return failure == nil ? free.removeLast() : nil
    }
  }

  /// Returns a chunk that was not filled.
  func giveBack(_ work: ChunkWork) {
    lock.withLock {
      free.append(work)
      lock.broadcast()
    }
  }

  /// Commits the contents of a chunk's stretch when it is its turn, and empties it.
  ///
  /// - Returns: whether an earlier record has a key with this fingerprint.
  @discardableResult
  package func flush(_ stretch: inout StretchResult, of work: ChunkWork, asking key: Fingerprint) -> Bool {
    defer { stretch.clear() }
    stretch.post()
    guard awaitTurn(work) else { return false }
    attempt { () throws(Failure) in try self.commit.append(&stretch, of: work) }
    // It is still this chunk's turn: no other thread commits.
    return commit.merge.judge.keys.hasClaim(on: key)
  }

  /// When it is its turn, commits the stretch's contents, then a line that is too wide for the worker.
  func settleWide(_ stretch: inout StretchResult, of work: ChunkWork, line: Int, length: Int) {
    flush(&stretch, of: work, asking: .none)
    attempt { () throws(Failure) in try self.commit.settleWide(work, line: line, length: length) }
  }

  /// Waits until all chunks before this one are committed; false if the run has failed.
  private func awaitTurn(_ work: ChunkWork) -> Bool {
    lock.withLock {
      while next != work.sequence, failure == nil { lock.wait() }
      return failure == nil
    }
  }

  /// Commits a finished chunk and those waiting for it, or leaves it for later.
  package func deliver(_ work: ChunkWork) {
    let isNext = lock.withLock {
      if work.sequence != next { parked[work.sequence] = work }
      return work.sequence == next
    }
    guard isNext else { return }
    var current: ChunkWork? = work
    while let work = current {
      attempt { () throws(Failure) in
        try self.commit.append(&work.stretch, of: work)
        try self.commit.finish(work)
      }
      work.stretch.clear()
      current = lock.withLock {
        free.append(work)
        next += 1
        lock.broadcast()
        return parked.removeValue(forKey: next)
      }
    }
  }

  /// After a failure nothing more is committed; chunks only pass through.
  private func attempt(_ body: () throws(Failure) -> Void) {
    if hasFailed { return }
    do throws(Failure) { try body() } catch {
      fail(error)
    }
  }

  /// Ends the run with a failure; only the first one counts.
  func fail(_ failure: Failure) {
    lock.withLock {
      if self.failure == nil { self.failure = failure }
      lock.broadcast()
    }
  }
}
