/// A record's claim on something that only one record may have: a key.
///
/// Whether it is granted depends only on earlier claims on that key, in batch order, and on the ledger (`rules.md`,
/// "Claims").
public struct Claim: BitwiseCopyable, Sendable {
  /// The kind of the key. Keys of different kinds never conflict.
  public enum Space: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// Pay keys, claimed by every payment with a valid one.
    case payKey = 0
    /// Refund keys, claimed by every refund with a valid one. Their fingerprints are never those of pay keys
    /// (`Fingerprint.ofRefundKey`).
    case refundKey = 1
    /// Keys of agreements. Every record that creates or changes an agreement claims its key, in batch order. The claim
    /// is granted here; the agreement judges the record.
    case preapprovalKey = 2
  }

  public let key: Fingerprint
  /// The number of the earlier run that settled a payment with the key, according to the ledger; 0 if none did.
  public let earlierRun: UInt32
  public let space: Space
  /// Whether later runs must respect the key if the claim is granted: its payment is settled.
  public let isSettled: Bool

  /// Makes a claim.
  public init(_ space: Space, _ key: Fingerprint, isSettled: Bool, earlierRun: UInt32) {
    self.space = space
    self.key = key
    self.isSettled = isSettled
    self.earlierRun = earlierRun
  }
}

/// Judges claims in batch order. Only here does one record affect another.
public struct ClaimRegister: ~Copyable {
  private var keys = ClaimedKeys()

  /// Makes a register without claims.
  public init() {}

  /// Whether the claim is the first on its key. What the ledger says was looked up when the claim was made.
  public mutating func grants(_ claim: Claim) -> Bool {
    switch claim.space {
    case .payKey, .refundKey: keys.insert(claim.key, isSettled: claim.isSettled)
    case .preapprovalKey: true
    }
  }

  /// Whether a pay key or refund key was claimed.
  public func hasClaim(on key: Fingerprint) -> Bool { keys.contains(key) }

  /// Whether the payment that claimed a pay key first is settled.
  public func isSettled(_ key: Fingerprint) -> Bool { keys.isSettled(key) }

  /// Marks the payment that claimed a pay key first as not settled.
  public mutating func unsettle(_ key: Fingerprint) { keys.unsettle(key) }

  /// Prefetches the memory for a key that will be claimed soon.
  public func prefetch(_ claim: Claim) { keys.prefetch(claim.key) }

  /// Releases the claimed pay keys to the code that stores the settled ones, after the batch has ended.
  public mutating func removePayKeys() -> ClaimedKeys {
    var removed = ClaimedKeys()
    swap(&removed, &keys)
    return removed
  }
}
