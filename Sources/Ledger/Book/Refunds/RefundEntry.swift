import Claims

/// A refund, as a run enters it.
public struct RefundEntry: Sendable, Equatable {
  /// Its refund key: 1 to 64 bytes.
  public var refundKey: String
  /// The fingerprint of the payment's pay key, from `Fingerprint.ofPayKey`.
  public var payment: Fingerprint
  /// What it took from each receiver, and the fees it returned: bytes that only their writer interprets.
  public var taken: [UInt8]

  public init(refundKey: String, payment: Fingerprint, taken: [UInt8]) {
    self.refundKey = refundKey
    self.payment = payment
    self.taken = taken
  }
}

/// A refund that an earlier run made.
public struct RefundOfRun: Sendable, Equatable {
  /// The run that made it.
  public let run: Int
  /// Its place among the run's refunds, from 0.
  public let place: Int
  /// What was entered.
  public let entry: RefundEntry
}
