import Claims
import Failures
import SQLite

/// Looks up which earlier run settled a pay key. Safe for several threads.
///
/// In memory there is a filter for each segment, which alone shows for nearly all new keys that they are new. The
/// filters together take at most ``filterLimit`` bytes. If they would take more they are folded, and the segments
/// beyond the limit have no filter.
public final class KeyLookup: @unchecked Sendable {  // It changes only in `close`, and readers have gates.
  /// The most bytes of filters in memory: unfolded for 53 million keys, folded once for 107 million.
  public static let filterLimit = 64 << 20

  private struct Segment {
    let id: Int64
    let shard: Int
    let firstBlock: Int64
    /// The index of its first word; meaningless without blocks.
    let start: Int
    /// The number of blocks of its filter; 0 if it has none.
    let blocks: Int
  }

  private let segments: [Segment]
  /// Where each shard's segments begin, and where the last shard's end.
  private let shardStarts: [Int]
  private let filters: FilterMemory
  private var readers: [KeyBlockReader]
  private var isClosed = false

  /// Reads the filters of a ledger.
  ///
  /// - Parameters:
  ///   - letsRunsWrite: whether each lookup locks the ledger separately, so that a run can write in between.
  init(
    ledger place: LedgerPlace, readers: Int, limit: Int = KeyLookup.filterLimit, letsRunsWrite: Bool = false
  ) throws(Failure) {
    let loaded = try Failure.telling(place.shown) {
      let database = try LedgerConnection.open(place, isReadOnly: true)
      defer { database.close() }
      return try database.read { try Self.load($0, limit: limit) }
    }
    (segments, filters) = loaded
    var starts: [Int] = []
    for shard in 0...Fingerprint.shardCount {
      starts.append(segments.firstIndex { $0.shard >= shard } ?? segments.count)
    }
    shardStarts = starts
    self.readers = try (0..<readers).map { _ throws(Failure) in
      try KeyBlockReader(ledger: place, letsRunsWrite: letsRunsWrite)
    }
  }

  deinit { close() }

  /// Releases the ledger and the filters. No further lookups are allowed.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    readers = []
    filters.release()
  }

  private static func load(_ database: Database, limit: Int) throws -> ([Segment], FilterMemory) {
    let stored = try KeySegment.all(database)
    let settled = try Int.fetchOne(database, sql: "SELECT coalesce(sum(settled), 0) FROM run")
    guard settled == stored.reduce(0, { $0 + $1.keyCount }) else {
      throw Failure.damagedLedger("the pay-key count does not match its runs")
    }
    let lengths = stored.map { $0.filterLength - BlockTable.checkLength }
    let folds = FilterFolds.folds(lengths: lengths, limit: limit)
    let room = zip(lengths, folds).reduce(0) { $0 + ($1.1 == 0 ? 0 : $1.0 / $1.1) }
    let filters = FilterMemory(count: room / 8)
    var segments: [Segment] = []
    var start = 0
    for ((segment, length), fold) in zip(zip(stored, lengths), folds) {
      var blocks = 0
      if fold > 0 {
        blocks = try filters.change(start..<start + length / fold / 8) { words in
          try segment.loadFilter(database, fold: fold, into: &words)
        }
      }
      segments.append(
        Segment(id: segment.id, shard: segment.shard, firstBlock: segment.firstBlock, start: start, blocks: blocks))
      start += blocks * KeyFilter.blockWords
    }
    return (segments, filters)
  }

  /// The run that settled a pay key; nil if no run did.
  ///
  /// - Parameters:
  ///   - key: the fingerprint, from `Fingerprint.ofPayKey`.
  ///   - reader: which connection to use; threads that use different ones do not wait for each other.
  ///   - isAscending: whether this reader is asked for keys in ascending order, which makes most lookups cheap.
  public func run(of key: Fingerprint, reader: Int, isAscending: Bool = false) throws(Failure) -> Int? {
    let range = shardStarts[key.shard]..<shardStarts[key.shard + 1]
    for place in range {
      let segment = segments[place]
      filters.prefetch(segment.start + KeyFilter.block(of: key, among: segment.blocks) * KeyFilter.blockWords)
    }
    for place in range where mayHold(key, segments[place]) {
      let segment = segments[place]
      let run = try readers[reader % readers.count].run(
        of: key, segment: segment.id, firstBlock: segment.firstBlock, isAscending: isAscending)
      if let run { return Int(run) }
    }
    return nil
  }

  @inline(__always)
  private func mayHold(_ key: Fingerprint, _ segment: Segment) -> Bool {
    guard segment.blocks > 0 else { return true }
    let filters = filters
    let block = KeyFilter.block(of: key, among: segment.blocks) * KeyFilter.blockWords
    return KeyFilter.mayHold(key, block: filters.block(at: segment.start + block))
  }
}

/// By how much each filter is folded so that all fit.
enum FilterFolds {
  /// The divisor of each filter's length: a power of two, or 0 if there is no room for the filter.
  static func folds(lengths: [Int], limit: Int) -> [Int] {
    func all(_ fold: Int) -> [Int] {
      // A short filter cannot be divided, and does not matter.
      lengths.map { $0 / (8 * KeyFilter.blockWords) % KeyFilter.largestFold == 0 ? fold : 1 }
    }
    func room(_ folds: [Int]) -> Int { zip(lengths, folds).reduce(0) { $0 + $1.0 / $1.1 } }
    var fold = 1
    while fold < KeyFilter.largestFold, room(all(fold)) > limit { fold *= 2 }
    var folds = all(fold)
    var left = limit - room(folds)
    for place in folds.indices where folds[place] == fold {
      // If half the fold leaves room, it is used; if even the largest fold leaves none, the filter is left out.
      let more = lengths[place] / fold
      if left < 0 {
        left += more
        folds[place] = 0
      } else if fold > 1, more <= left {
        left -= more
        folds[place] = fold / 2
      }
    }
    return folds
  }
}
