import Ledger

/// What a ledger keeps of a run beside its figures.
struct NightEntries {
  /// The pay keys that it settled.
  let keys: SettledKeys
  /// What refunds need of these payments.
  let details: SettledPaymentSorter
  /// The refunds that it made, in batch order.
  let refunds: [RefundEntry]
  /// What it added to agreements.
  let agreements: [AgreementEntry]
}
