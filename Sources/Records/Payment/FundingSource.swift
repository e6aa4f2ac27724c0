/// What the sender pays from; it chooses the plan of personal payments.
public enum FundingSource: UInt8, WireValue {
  /// The sender's account balance.
  case balance
  /// The sender's bank account.
  case bank
  /// The sender's credit or debit card.
  case card

  /// How the batch, and the fee schedule, write this source.
  @inlinable
  public var spelling: StaticString {
    switch self {
    case .balance: "BALANCE"
    case .bank: "BANK"
    case .card: "CARD"
    }
  }
}
