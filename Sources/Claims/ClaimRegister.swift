/// What a record wants that only one record may have: a key.
///
/// Its verdict depends on earlier claims on that key, in batch order, and on the ledger, and on nothing else
/// (`rules.md`, "Claims").
public struct Claim: BitwiseCopyable, Sendable {
  /// What the key is a key of. Each is a space of its own.
  public enum Space: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// Pay keys: claimed by every payment with a valid one.
    case payKey = 0
    /// Refund keys: claimed by every refund with a valid one. Their fingerprints are none of pay keys
    /// (`Fingerprint.ofRefundKey`).
    case refundKey = 1
    /// Keys of agreements: every record that makes or changes one has a claim in batch order, which is granted here; the
    /// agreement judges it.
    case preapprovalKey = 2
  }

  /// The key's fingerprint.
  public let key: Fingerprint
  /// The earlier run that settled a payment with the key, by the ledger; 0 if none did.
  public let earlierRun: UInt32
  /// The space of the key.
  public let space: Space
  /// Whether the record keeps the key for later nights, if the claim is granted: its payment is settled.
  public let isSettled: Bool

  /// A claim.
  public init(_ space: Space, _ key: Fingerprint, isSettled: Bool, earlierRun: UInt32) {
    self.space = space
    self.key = key
    self.isSettled = isSettled
    self.earlierRun = earlierRun
  }
}

/// Judges claims in batch order. The only place where one record is told of another.
public struct ClaimRegister: ~Copyable {
  private var keys = ClaimedKeys()

  /// Nothing is claimed.
  public init() {}

  /// Whether the claim is the first on its key. What it asks of the ledger was answered when it was made.
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

  /// Notes that the payment that claimed a pay key first is not settled after all.
  public mutating func unsettle(_ key: Fingerprint) { keys.unsettle(key) }

  /// Asks the memory for the place of a key that will be claimed soon.
  public func prefetch(_ claim: Claim) { keys.prefetch(claim.key) }

  /// Gives up the claimed pay keys, for those that were settled, once the batch has ended.
  public mutating func takePayKeys() -> ClaimedKeys {
    var taken = ClaimedKeys()
    swap(&taken, &keys)
    return taken
  }
}
