/// Pay keys that one desk met lately, each in the one place its fingerprint gives it.
///
/// A desk takes records in batch order, if not all of them. So a key that is found here was met before, and its record
/// repeats it; of one that is not found nothing is known, and the commit decides.
public struct RecentClaims: ~Copyable {
  private static let count = 1 << 12

  private let keys: UnsafeMutablePointer<Fingerprint>

  /// No key was met.
  public init() {
    keys = .allocate(capacity: Self.count)
    // No pay key has this fingerprint.
    keys.initialize(repeating: .none, count: Self.count)
  }

  deinit { keys.deallocate() }

  /// Notes the fingerprint of a pay key (`Fingerprint.ofPayKey`); true if it was met before.
  @inline(__always)
  public mutating func meets(_ key: Fingerprint) -> Bool {
    let place = keys + Int(truncatingIfNeeded: key.low) & (Self.count - 1)
    if place.pointee == key { return true }
    place.pointee = key
    return false
  }
}
