/// Pay keys that were met, for those who look at a settlement again: which come twice.
///
/// Remembers as a run does, by fingerprint, 21 to 43 bytes a key.
public struct PayKeyMemory: ~Copyable {
  private var seen = ClaimedKeys()
  private let hash = KeyedHash()

  /// No key was met.
  public init() {}

  /// Remembers the key of `count` bytes; false if it was met before.
  public mutating func insert(_ key: UnsafePointer<UInt8>, count: Int) -> Bool {
    seen.insert(hash.fingerprint(key, count: count).ofPayKey)
  }

  /// Whether the key of `count` bytes was met.
  public func contains(_ key: UnsafePointer<UInt8>, count: Int) -> Bool {
    seen.contains(hash.fingerprint(key, count: count).ofPayKey)
  }
}
