/// Pay keys that one worker saw recently, each in the one slot that its fingerprint selects.
///
/// A worker takes some of the records, in batch order. So a key that is found here was seen before, and its record
/// repeats it. If a key is not found, it may still be a repetition, and the commit decides.
public struct RecentClaims: ~Copyable {
  private static let count = 1 << 12

  private let keys: UnsafeMutablePointer<Fingerprint>

  /// Makes an empty table.
  public init() {
    keys = .allocate(capacity: Self.count)
    // No pay key has this fingerprint.
    keys.initialize(repeating: .none, count: Self.count)
  }

  deinit { keys.deallocate() }

  /// Stores the fingerprint of a pay key (`Fingerprint.ofPayKey`). Returns true if it was there already.
  @inline(__always)
  public mutating func meets(_ key: Fingerprint) -> Bool {
    let place = keys + Int(truncatingIfNeeded: key.low) & (Self.count - 1)
    if place.pointee == key { return true }
    place.pointee = key
    return false
  }
}
