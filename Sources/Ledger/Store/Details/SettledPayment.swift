import Claims

/// A payment that an earlier run settled.
public struct SettledPayment: Sendable, Hashable, Comparable {
  /// The run that settled it.
  public let run: Int
  /// The fingerprint of its pay key, from `Fingerprint.ofPayKey`.
  public let key: Fingerprint

  /// A payment of a run.
  public init(run: Int, key: Fingerprint) {
    self.run = run
    self.key = key
  }

  /// Compares runs, then fingerprints.
  public static func < (left: SettledPayment, right: SettledPayment) -> Bool {
    left.run == right.run ? left.key < right.key : left.run < right.run
  }
}
