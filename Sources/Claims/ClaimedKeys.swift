import CByteScan
import Threads

/// The pay keys seen so far, by fingerprint, and which of them were settled: 21 bytes per key when three quarters full,
/// at most 43 after growing.
///
/// It has 64 open-addressing tables, chosen by the upper bits. They grow one at a time, so the whole is never doubled.
///
/// (Unsafe: each table has `mask` + 1 slots, and places are masked. Tasks that sort have a table each.)
@safe
public struct ClaimedKeys: ~Copyable, @unchecked Sendable {  // No one else has its tables.
  /// One of the tables. A slot has a key, with its mark, or `.none`.
  @safe
  private struct Shard {
    var slots: UnsafeMutablePointer<Fingerprint>
    var mask: Int
    var count = 0

    init(capacity: Int) {
      unsafe slots = .allocate(capacity: capacity)
      unsafe slots.initialize(repeating: .none, count: capacity)
      mask = capacity - 1
    }

    /// Where the search for a key begins.
    @inline(__always)
    func start(of key: Fingerprint) -> Int { Int(truncatingIfNeeded: key.low) & mask }

    /// The slot of a key, or the free one that it would take.
    @inline(__always)
    func slot(of key: Fingerprint) -> Int {
      var slot = start(of: key)
      while true {
        let other = unsafe slots[slot]
        if other == .none || other.low == key.low && other.high & ~Fingerprint.mark == key.high { return slot }
        slot = (slot + 1) & mask
      }
    }

    mutating func insert(_ key: Fingerprint, isSettled: Bool) -> Bool {
      let slot = slot(of: key)
      if unsafe slots[slot] != .none { return false }
      unsafe slots[slot] = Fingerprint(low: key.low, high: isSettled ? key.high | Fingerprint.mark : key.high)
      count += 1
      if count * 4 > (mask + 1) * 3 { grow() }
      return true
    }

    private mutating func grow() {
      var wider = Shard(capacity: 2 * (mask + 1))
      for slot in 0...mask {
        let key = unsafe slots[slot]
        if key != .none { unsafe wider.slots[wider.slot(of: key)] = key }
      }
      wider.count = count
      unsafe slots.deallocate()
      self = wider
    }

    /// Keeps the settled keys without their mark, or all keys with it, sorted, in the first `count` slots.
    mutating func sort(settled: Bool) {
      count = 0
      for slot in 0...mask {
        let key = unsafe slots[slot]
        guard settled ? key.high & Fingerprint.mark != 0 : key != .none else { continue }
        unsafe slots[count] = settled ? Fingerprint(low: key.low, high: key.high & ~Fingerprint.mark) : key
        count += 1
      }
      let keys = unsafe Span(_unsafeStart: slots, count: count)
      let sorted = Fingerprint.sorted(keys, commonBits: Fingerprint.shardBits) { $0 }
      for (place, key) in sorted.enumerated() { unsafe slots[place] = key }
    }
  }

  private let shards: UnsafeMutablePointer<Shard>

  /// Makes an empty table.
  public init() {
    unsafe shards = .allocate(capacity: Fingerprint.shardCount)
    for shard in 0..<Fingerprint.shardCount {
      unsafe (shards + shard).initialize(to: Shard(capacity: 64))
    }
  }

  deinit {
    for shard in 0..<Fingerprint.shardCount { unsafe shards[shard].slots.deallocate() }
    unsafe shards.deallocate()
  }

  /// Remembers the fingerprint of a pay key (`Fingerprint.ofPayKey`). Returns false if it was seen before.
  ///
  /// - Parameter isSettled: whether the payment with the key is settled.
  public mutating func insert(_ key: Fingerprint, isSettled: Bool = false) -> Bool {
    unsafe shards[key.shard].insert(key, isSettled: isSettled)
  }

  /// What is stored of a key; `.none` if it was not seen.
  private func found(_ key: Fingerprint) -> Fingerprint {
    let shard = unsafe shards[key.shard]
    return unsafe shard.slots[shard.slot(of: key)]
  }

  /// Whether a key was seen.
  public func contains(_ key: Fingerprint) -> Bool { found(key) != .none }

  /// Whether the payment with a key is settled.
  public func isSettled(_ key: Fingerprint) -> Bool { found(key).high & Fingerprint.mark != 0 }

  /// Marks the payment with a key as not settled.
  public mutating func unsettle(_ key: Fingerprint) {
    let shard = unsafe shards[key.shard]
    unsafe shard.slots[shard.slot(of: key)].high &= ~Fingerprint.mark
  }

  /// Prefetches the memory for a key that will be inserted soon.
  @inline(__always)
  public func prefetch(_ key: Fingerprint) {
    let shard = unsafe shards[key.shard]
    unsafe settle_prefetch(shard.slots + shard.start(of: key))
  }

  /// Keeps only the settled keys, sorted within each shard's table; nothing can be inserted afterwards.
  public mutating func sortSettled(threads: Int) { sort(threads: threads, settled: true) }

  /// Sorts all keys within each shard's table, those of settled payments still marked; nothing can be inserted
  /// afterwards.
  public mutating func sortAll(threads: Int) { sort(threads: threads, settled: false) }

  private func sort(threads: Int, settled: Bool) {
    // Each task uses another shard, and they end before this does.
    nonisolated(unsafe) let shards = unsafe shards
    WorkerThreads.perform(Fingerprint.shardCount, threads: threads) { unsafe shards[$0].sort(settled: settled) }
  }

  /// The sorted keys of a shard: the settled ones, or all, depending on how they were sorted.
  @_lifetime(borrow self)
  public func settled(shard: Int) -> Span<Fingerprint> {
    let keys = unsafe Span(_unsafeStart: shards[shard].slots, count: shards[shard].count)
    return unsafe _overrideLifetime(keys, borrowing: self)
  }
}
