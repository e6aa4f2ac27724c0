/// 128 bits that stand for a text, by a secret-keyed pseudo-random function: whatever the texts are, that two of ten
/// million share one has a chance below 10^-24.
///
/// Those of pay keys have the lowest bit of `high` clear and are never zero.
@frozen
public struct Fingerprint: Hashable, Sendable, BitwiseCopyable {
  /// The lower half.
  public var low: UInt64
  /// The upper half: fingerprints are sorted by it first, and its upper bits tell the shard.
  public var high: UInt64

  /// The bit of `high` that no pay key's fingerprint uses.
  @inlinable public static var mark: UInt64 { 1 }

  /// A fingerprint of two halves.
  @inlinable
  public init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// The fingerprint of no pay key.
  @inlinable public static var none: Fingerprint { Fingerprint(low: 0, high: 0) }

  /// As the fingerprint of a pay key: the mark taken away, and the neighbour of zero in its stead.
  @inlinable public var ofPayKey: Fingerprint {
    let key = Fingerprint(low: low, high: high & ~Self.mark)
    return key.low == 0 && key.high == 0 ? Fingerprint(low: 1, high: 0) : key
  }

  /// As the fingerprint of a refund key: that of no pay key with the same text.
  @inlinable public var ofRefundKey: Fingerprint {
    Fingerprint(low: low ^ 0x9E37_79B9_7F4A_7C15, high: high).ofPayKey
  }

  /// The number of shards that pay keys are divided into.
  @inlinable public static var shardCount: Int { 64 }

  /// The shard, by the uppermost six bits.
  @inlinable public var shard: Int { Int(high >> 58) }
}

extension Fingerprint: Comparable {
  /// By the upper half, then the lower.
  @inlinable
  public static func < (left: Fingerprint, right: Fingerprint) -> Bool {
    left.high == right.high ? left.low < right.low : left.high < right.high
  }
}
