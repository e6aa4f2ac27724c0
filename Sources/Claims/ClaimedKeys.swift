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
  @safe
  private struct Shard {
    var slots: UnsafeMutablePointer<Fingerprint>
    var mask: Int
    var count = 0
  }

  private let shards: UnsafeMutablePointer<Shard>

  /// Makes an empty table.
  public init() {
    unsafe shards = .allocate(capacity: Fingerprint.shardCount)
    for shard in 0..<Fingerprint.shardCount {
      unsafe (shards + shard).initialize(to: Shard(slots: Self.makeSlots(64), mask: 63))
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
    let shard = unsafe shards + key.shard
    var slot = unsafe Int(truncatingIfNeeded: key.low) & shard.pointee.mask
    while unsafe shard.pointee.slots[slot] != .none {
      let other = unsafe shard.pointee.slots[slot]
      if other.low == key.low, other.high & ~Fingerprint.mark == key.high { return false }
      slot = unsafe (slot + 1) & shard.pointee.mask
    }
    unsafe shard.pointee.slots[slot] = Fingerprint(
      low: key.low, high: isSettled ? key.high | Fingerprint.mark : key.high)
    unsafe shard.pointee.count += 1
    if unsafe shard.pointee.count * 4 > (shard.pointee.mask + 1) * 3 { unsafe grow(shard) }
    return true
  }

  /// Whether a key was seen.
  public func contains(_ key: Fingerprint) -> Bool { unsafe slot(of: key) != nil }

  /// Whether the payment with a key is settled.
  public func isSettled(_ key: Fingerprint) -> Bool {
    unsafe slot(of: key).map { unsafe $0.pointee.high & Fingerprint.mark != 0 } ?? false
  }

  /// Marks the payment with a key as not settled.
  public mutating func unsettle(_ key: Fingerprint) { unsafe slot(of: key)?.pointee.high &= ~Fingerprint.mark }

  private func slot(of key: Fingerprint) -> UnsafeMutablePointer<Fingerprint>? {
    let shard = unsafe shards[key.shard]
    var slot = Int(truncatingIfNeeded: key.low) & shard.mask
    while unsafe shard.slots[slot] != .none {
      let other = unsafe shard.slots[slot]
      if other.low == key.low, other.high & ~Fingerprint.mark == key.high { return unsafe shard.slots + slot }
      slot = (slot + 1) & shard.mask
    }
    return nil
  }

  /// Prefetches the memory for a key that will be inserted soon.
  @inline(__always)
  public func prefetch(_ key: Fingerprint) {
    let shard = unsafe shards + key.shard
    unsafe settle_prefetch(shard.pointee.slots + (Int(truncatingIfNeeded: key.low) & shard.pointee.mask))
  }

  /// Keeps only the settled keys, sorted within each shard's table; nothing can be inserted afterwards.
  public mutating func sortSettled(threads: Int) {
    sort(threads: threads) {
      $0.high & Fingerprint.mark != 0 ? Fingerprint(low: $0.low, high: $0.high & ~Fingerprint.mark) : nil
    }
  }

  /// Sorts all keys within each shard's table, those of settled payments still marked; nothing can be inserted
  /// afterwards.
  public mutating func sortAll(threads: Int) { sort(threads: threads) { $0 == .none ? nil : $0 } }

  private func sort(threads: Int, kept: @Sendable (Fingerprint) -> Fingerprint?) {
    // Each task uses another shard, and they end before this does.
    nonisolated(unsafe) let shards = unsafe shards
    WorkerThreads.perform(Fingerprint.shardCount, threads: threads) { number in
      let shard = unsafe shards + number
      var count = 0
      for slot in unsafe 0...shard.pointee.mask {
        guard let key = unsafe kept(shard.pointee.slots[slot]) else { continue }
        unsafe shard.pointee.slots[count] = key
        count += 1
      }
      unsafe shard.pointee.count = count
      var keys = unsafe UnsafeMutableBufferPointer(start: shard.pointee.slots, count: count)
      unsafe keys.sort()
    }
  }

  /// The sorted keys of a shard: the settled ones, or all, depending on how they were sorted.
  @_lifetime(borrow self)
  public func settled(shard: Int) -> Span<Fingerprint> {
    let keys = unsafe Span(_unsafeStart: shards[shard].slots, count: shards[shard].count)
    return unsafe _overrideLifetime(keys, borrowing: self)
  }

  private func grow(_ shard: UnsafeMutablePointer<Shard>) {
    let old = unsafe shard.pointee
    let capacity = (old.mask + 1) * 2
    unsafe shard.pointee = unsafe Shard(slots: Self.makeSlots(capacity), mask: capacity - 1, count: old.count)
    for index in 0...old.mask where unsafe old.slots[index] != .none {
      var slot = unsafe Int(truncatingIfNeeded: old.slots[index].low) & shard.pointee.mask
      while unsafe shard.pointee.slots[slot] != .none { slot = unsafe (slot + 1) & shard.pointee.mask }
      unsafe shard.pointee.slots[slot] = unsafe old.slots[index]
    }
    unsafe old.slots.deallocate()
  }

  private static func makeSlots(_ count: Int) -> UnsafeMutablePointer<Fingerprint> {
    let slots = UnsafeMutablePointer<Fingerprint>.allocate(capacity: count)
    unsafe slots.initialize(repeating: .none, count: count)
    return unsafe slots
  }
}
