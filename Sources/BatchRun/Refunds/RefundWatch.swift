import Synchronization

/// Tells the workers of a run whether they keep what refunds need of the payments that they settle.
///
/// A ledger wants it of all payments. Without one a batch may have no refund, so it is kept from the first refund on that
/// a worker meets; for the payments before, the batch is read a second time (`SecondReading`).
final class RefundWatch: Sendable {
  private let isOn: Atomic<Bool>

  /// - Parameter keepsAll: whether it is kept of all payments.
  init(keepsAll: Bool) { isOn = Atomic(keepsAll) }

  /// Whether what refunds need is kept now. Workers may learn late that it is.
  var keeps: Bool { isOn.load(ordering: .relaxed) }

  /// Told of a refund that may be made.
  func meetRefund() { isOn.store(true, ordering: .relaxed) }
}
