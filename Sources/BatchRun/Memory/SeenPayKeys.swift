import CByteScan

/// The pay keys seen so far, by fingerprint: 21 bytes a key at three quarters full, at most 43 after growing.
///
/// 64 open-addressing tables by the upper bits, which grow one at a time, so that growing never doubles the whole.
struct SeenPayKeys: ~Copyable {
  private struct Shard {
    var slots: UnsafeMutablePointer<Fingerprint>
    var mask: Int
    var count = 0
  }

  private static let shardBits: UInt64 = 6
  private static let empty = Fingerprint(low: 0, high: 0)
  private let shards: UnsafeMutablePointer<Shard>

  init() {
    let count = 1 << Int(Self.shardBits)
    shards = .allocate(capacity: count)
    for shard in 0..<count {
      (shards + shard).initialize(to: Shard(slots: Self.makeSlots(64), mask: 63))
    }
  }

  deinit {
    for shard in 0..<1 << Int(Self.shardBits) { shards[shard].slots.deallocate() }
    shards.deallocate()
  }

  /// Remembers a key; false where it was seen before.
  mutating func insert(_ key: Fingerprint) -> Bool {
    // The all-zero fingerprint marks an empty slot; its one neighbour stands for it.
    let key = key == Self.empty ? Fingerprint(low: 1, high: 0) : key
    let shard = shards + Int(key.high >> (64 - Self.shardBits))
    var slot = Int(truncatingIfNeeded: key.low) & shard.pointee.mask
    while shard.pointee.slots[slot] != Self.empty {
      if shard.pointee.slots[slot] == key { return false }
      slot = (slot + 1) & shard.pointee.mask
    }
    shard.pointee.slots[slot] = key
    shard.pointee.count += 1
    if shard.pointee.count * 4 > (shard.pointee.mask + 1) * 3 { grow(shard) }
    return true
  }

  /// Asks for the place of a key that will be inserted soon.
  @inline(__always)
  func prefetch(_ key: Fingerprint) {
    let shard = shards + Int(key.high >> (64 - Self.shardBits))
    settle_prefetch(shard.pointee.slots + (Int(truncatingIfNeeded: key.low) & shard.pointee.mask))
  }

  private func grow(_ shard: UnsafeMutablePointer<Shard>) {
    let old = shard.pointee
    let capacity = (old.mask + 1) * 2
    shard.pointee = Shard(slots: Self.makeSlots(capacity), mask: capacity - 1, count: old.count)
    for index in 0...old.mask where old.slots[index] != Self.empty {
      var slot = Int(truncatingIfNeeded: old.slots[index].low) & shard.pointee.mask
      while shard.pointee.slots[slot] != Self.empty { slot = (slot + 1) & shard.pointee.mask }
      shard.pointee.slots[slot] = old.slots[index]
    }
    old.slots.deallocate()
  }

  private static func makeSlots(_ count: Int) -> UnsafeMutablePointer<Fingerprint> {
    let slots = UnsafeMutablePointer<Fingerprint>.allocate(capacity: count)
    slots.initialize(repeating: empty, count: count)
    return slots
  }
}
