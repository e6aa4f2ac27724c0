/// The party that is to bear the fees of a payment (`rules.md`, "Fees"). The ledger keeps its number.
///
/// An example: a payment of 100.00 USD at 2.9 % + 0.30 to a primary receiver that passes on 60.00, so that the primary
/// keeps 40.00 (fee 1.46) and the secondary 60.00 (fee 2.04):
///
/// | fee payer | primary gets | secondary gets |
/// |---|---|---|
/// | each receiver | 38.54 | 57.96 |
/// | primary receiver | 36.50 | 60.00 |
/// | secondary only | 40.00 | 56.50 |
/// | sender | not allowed for chained payments | |
public enum FeePayer: FixedText, WireValue {
  /// Each receiver bears its own fee. Allowed for all kinds.
  case eachReceiver = "FEEPAYER_EACHRECEIVER"
  /// The sender bears all fees on top of the sender amount. Simple and parallel payments only.
  case sender = "FEEPAYER_SENDER"
  /// The primary receiver bears all fees. Chained payments only.
  case primaryReceiver = "FEEPAYER_PRIMARYRECEIVER"
  /// The only secondary receiver bears all fees. Chained payments with exactly one secondary receiver only.
  case secondaryOnly = "FEEPAYER_SECONDARYONLY"

  /// Whether it is allowed for payments of a kind with a number of receivers.
  @inlinable
  public func isAllowed(for kind: PaymentKind, receivers: Int) -> Bool {
    switch self {
    case .eachReceiver: true
    case .sender: kind != .chained
    case .primaryReceiver: kind == .chained
    case .secondaryOnly: kind == .chained && receivers == 2
    }
  }
}
