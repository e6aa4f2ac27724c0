/// What a record wants that only one record may have: a key.
///
/// Its verdict depends on earlier claims on that key, in batch order, and on the ledger, and on nothing else
/// (`rules.md`, "Claims").
public struct Claim: BitwiseCopyable, Sendable {
  /// What the key is a key of. Each is a space of its own.
  public enum Space: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// Pay keys: claimed by every payment with a valid one.
    case payKey
  }

  /// The space of the key.
  public let space: Space
  /// The key's fingerprint.
  public let key: Fingerprint
  /// Whether the record keeps the key for later nights, where the claim is granted: its payment is settled.
  public let isSettled: Bool
  /// The earlier run that settled a payment with the key, by the ledger; 0 where none did.
  public let earlierRun: UInt32

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
  private var payKeys = ClaimedKeys()

  /// Nothing is claimed.
  public init() {}

  /// Whether the claim is the first on its key. What it asks of the ledger was answered when it was made.
  public mutating func grants(_ claim: Claim) -> Bool {
    switch claim.space {
    case .payKey: payKeys.insert(claim.key, isSettled: claim.isSettled)
    }
  }

  /// Whether a key was claimed.
  public func hasClaim(_ space: Claim.Space, on key: Fingerprint) -> Bool {
    switch space {
    case .payKey: payKeys.contains(key)
    }
  }

  /// Asks the memory for the place of a key that will be claimed soon.
  public func prefetch(_ claim: Claim) { payKeys.prefetch(claim.key) }

  /// Gives up the claimed pay keys, for those that were settled, once the batch has ended.
  public mutating func takePayKeys() -> ClaimedKeys {
    var taken = ClaimedKeys()
    swap(&taken, &payKeys)
    return taken
  }
}
