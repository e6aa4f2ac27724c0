import Claims
import Ledger

/// The pay keys that a run settled, in the order in which a ledger takes them.
final class SettledKeys {
  private let seen: ClaimedKeys

  init(_ seen: consuming ClaimedKeys, threads: Int) {
    seen.sortSettled(threads: threads)
    self.seen = seen
  }

  /// Those of a shard, in ascending order.
  func shard(_ number: Int) -> UnsafeBufferPointer<Fingerprint> { seen.settled(shard: number) }

  var count: Int { (0..<Fingerprint.shardCount).reduce(0) { $0 + seen.settled(shard: $1).count } }
}
