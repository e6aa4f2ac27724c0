import BasicContainers

/// Pay keys that one worker saw recently, each in the one slot that its fingerprint selects.
///
/// A worker takes some of the records, in batch order. So a key that is found here was seen before, and its record
/// repeats it. If a key is not found, it may still be a repetition, and the commit decides.
public struct RecentClaims: ~Copyable {
  /// So few that they stay in a processor's cache.
  private static let count = 1 << 10

  private var keys: RigidArray<Fingerprint>

  /// Makes an empty table.
  public init() {
    // No pay key has this fingerprint.
    keys = RigidArray(repeating: .none, count: Self.count)
  }

  /// Stores the fingerprint of a pay key (`Fingerprint.ofPayKey`). Returns true if it was there already.
  @inline(__always)
  public mutating func meets(_ key: Fingerprint) -> Bool {
    let place = Int(truncatingIfNeeded: key.low) & (Self.count - 1)
    if keys[place] == key { return true }
    keys[place] = key
    return false
  }
}
