/// Remembers pay keys while a settlement is checked again, to find repeated ones.
///
/// Like a run, it stores fingerprints, 21 to 43 bytes per key.
public struct PayKeyMemory: ~Copyable {
  private var seen = ClaimedKeys()
  private let hash = KeyedHash()

  /// Makes an empty memory.
  public init() {}

  /// Remembers the key of `count` bytes. Returns false if it was seen before.
  public mutating func insert(_ key: UnsafePointer<UInt8>, count: Int) -> Bool {
    seen.insert(hash.fingerprint(key, count: count).ofPayKey)
  }

  /// Whether the key of `count` bytes was seen.
  public func contains(_ key: UnsafePointer<UInt8>, count: Int) -> Bool {
    seen.contains(hash.fingerprint(key, count: count).ofPayKey)
  }
}
