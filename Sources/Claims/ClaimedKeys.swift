import CByteScan
import Threads

/// The pay keys seen so far, by fingerprint, and which of them were settled: 21 bytes per key when three quarters full,
/// at most 43 after growing.
///
/// It has 64 open-addressing tables, chosen by the upper bits. They grow one at a time, so the whole is never doubled.
public struct ClaimedKeys: ~Copyable {
  private struct Shard {
    var slots: UnsafeMutablePointer<Fingerprint>
    var mask: Int
    var count = 0
  }

  private let shards: UnsafeMutablePointer<Shard>

  /// Makes an empty table.
  public init() {
    shards = .allocate(capacity: Fingerprint.shardCount)
    for shard in 0..<Fingerprint.shardCount {
      (shards + shard).initialize(to: Shard(slots: Self.makeSlots(64), mask: 63))
    }
  }

  deinit {
    for shard in 0..<Fingerprint.shardCount { shards[shard].slots.deallocate() }
    shards.deallocate()
  }

  /// Remembers the fingerprint of a pay key (`Fingerprint.ofPayKey`). Returns false if it was seen before.
  ///
  /// - Parameter isSettled: whether the payment with the key is settled.
  public mutating func insert(_ key: Fingerprint, isSettled: Bool = false) -> Bool {
    let shard = shards + key.shard
    var slot = Int(truncatingIfNeeded: key.low) & shard.pointee.mask
    while shard.pointee.slots[slot] != .none {
      let other = shard.pointee.slots[slot]
      if other.low == key.low, other.high & ~Fingerprint.mark == key.high { return false }
      slot = (slot + 1) & shard.pointee.mask
    }
    shard.pointee.slots[slot] = Fingerprint(low: key.low, high: isSettled ? key.high | Fingerprint.mark : key.high)
    shard.pointee.count += 1
    if shard.pointee.count * 4 > (shard.pointee.mask + 1) * 3 { grow(shard) }
    return true
  }

  /// Whether a key was seen.
  public func contains(_ key: Fingerprint) -> Bool { slot(of: key) != nil }

  /// Whether the payment with a key is settled.
  public func isSettled(_ key: Fingerprint) -> Bool {
    slot(of: key).map { $0.pointee.high & Fingerprint.mark != 0 } ?? false
  }

  /// Marks the payment with a key as not settled.
  public mutating func unsettle(_ key: Fingerprint) { slot(of: key)?.pointee.high &= ~Fingerprint.mark }

  private func slot(of key: Fingerprint) -> UnsafeMutablePointer<Fingerprint>? {
    let shard = shards[key.shard]
    var slot = Int(truncatingIfNeeded: key.low) & shard.mask
    while shard.slots[slot] != .none {
      let other = shard.slots[slot]
      if other.low == key.low, other.high & ~Fingerprint.mark == key.high { return shard.slots + slot }
      slot = (slot + 1) & shard.mask
    }
    return nil
  }

  /// Prefetches the memory for a key that will be inserted soon.
  @inline(__always)
  public func prefetch(_ key: Fingerprint) {
    let shard = shards + key.shard
    settle_prefetch(shard.pointee.slots + (Int(truncatingIfNeeded: key.low) & shard.pointee.mask))
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
    nonisolated(unsafe) let shards = shards
    WorkerThreads.perform(Fingerprint.shardCount, threads: threads) { number in
      let shard = shards + number
      var count = 0
      for slot in 0...shard.pointee.mask {
        guard let key = kept(shard.pointee.slots[slot]) else { continue }
        shard.pointee.slots[count] = key
        count += 1
      }
      shard.pointee.count = count
      var keys = UnsafeMutableBufferPointer(start: shard.pointee.slots, count: count)
      keys.sort()
    }
  }

  /// The sorted keys of a shard: the settled ones, or all, depending on how they were sorted.
  public func settled(shard: Int) -> UnsafeBufferPointer<Fingerprint> {
    UnsafeBufferPointer(start: shards[shard].slots, count: shards[shard].count)
  }

  private func grow(_ shard: UnsafeMutablePointer<Shard>) {
    let old = shard.pointee
    let capacity = (old.mask + 1) * 2
    shard.pointee = Shard(slots: Self.makeSlots(capacity), mask: capacity - 1, count: old.count)
    for index in 0...old.mask where old.slots[index] != .none {
      var slot = Int(truncatingIfNeeded: old.slots[index].low) & shard.pointee.mask
      while shard.pointee.slots[slot] != .none { slot = (slot + 1) & shard.pointee.mask }
      shard.pointee.slots[slot] = old.slots[index]
    }
    old.slots.deallocate()
  }

  private static func makeSlots(_ count: Int) -> UnsafeMutablePointer<Fingerprint> {
    let slots = UnsafeMutablePointer<Fingerprint>.allocate(capacity: count)
    slots.initialize(repeating: .none, count: count)
    return slots
  }
}
