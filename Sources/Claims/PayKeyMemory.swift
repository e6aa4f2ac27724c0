/// Remembers pay keys while a settlement is checked again, to find repeated ones.
///
/// Like a run, it stores fingerprints, 21 to 43 bytes per key.
public struct PayKeyMemory: ~Copyable {
  private var seen = ClaimedKeys()
  private let hash = KeyedHash()

  /// Makes an empty memory.
  public init() {}

  /// Remembers a key. Returns false if it was seen before.
  public mutating func insert(_ key: Span<UInt8>) -> Bool {
    seen.insert(hash.fingerprint(key).ofPayKey)
  }

  /// Whether a key was seen.
  public func contains(_ key: Span<UInt8>) -> Bool {
    seen.contains(hash.fingerprint(key).ofPayKey)
  }
}
