import Bytes
import Text

/// 128 bits that represent a text, by a pseudo-random function with a secret key. For any ten million texts, the chance
/// that two have the same fingerprint is below 10^-24.
///
/// Fingerprints of pay keys have the lowest bit of `high` clear and are never zero.
@frozen
public struct Fingerprint: Hashable, Sendable, BitwiseCopyable {
  /// The lower half.
  public var low: UInt64
  /// The upper half. Fingerprints are sorted by it first, and its uppermost bits choose the shard.
  public var high: UInt64

  /// The bit of `high` that no pay key's fingerprint uses.
  @inlinable public static var mark: UInt64 { 1 }

  /// A fingerprint of two halves.
  @inlinable
  public init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// A value that is not the fingerprint of any pay key.
  @inlinable public static var none: Fingerprint { Fingerprint(low: 0, high: 0) }

  /// This fingerprint in the form for pay keys: with the mark cleared, and never zero.
  @inlinable public var ofPayKey: Fingerprint {
    let key = Fingerprint(low: low, high: high & ~Self.mark)
    return key.low == 0 && key.high == 0 ? Fingerprint(low: 1, high: 0) : key
  }

  /// This fingerprint in the form for refund keys: different from the pay key with the same text.
  @inlinable public var ofRefundKey: Fingerprint {
    Fingerprint(low: low ^ 0x9E37_79B9_7F4A_7C15, high: high).ofPayKey
  }

  /// The number of shards that pay keys are divided into.
  @inlinable public static var shardCount: Int { 1 << shardBits }

  /// The uppermost bits, which give the shard.
  @inlinable static var shardBits: Int { 6 }

  /// The shard, given by the uppermost bits.
  @inlinable public var shard: Int { Int(high >> UInt64(64 - Self.shardBits)) }
}

extension Fingerprint {
  /// The bytes that a stored fingerprint takes up: the lower half, then the upper half, each with its lowest byte first.
  public static var length: Int { 16 }

  /// The stored fingerprint that begins at a place of a text.
  @inlinable
  public init(_ text: Span<UInt8>, at place: Int) {
    self.init(
      low: text.littleEndian(at: place, as: UInt64.self), high: text.littleEndian(at: place + 8, as: UInt64.self))
  }

  /// Appends it as it is stored.
  @inlinable
  public func append(to text: inout TextBuffer) {
    text.append(littleEndian: low)
    text.append(littleEndian: high)
  }
}

extension Fingerprint: Comparable {
  /// Orders by the upper half, then by the lower.
  @inlinable
  public static func < (left: Fingerprint, right: Fingerprint) -> Bool {
    left.high == right.high ? left.low < right.low : left.high < right.high
  }
}
