/// The sender's source of the money. It decides the plan of personal payments.
public enum FundingSource: UInt8, WireValue {
  /// The sender's account balance.
  case balance
  /// The sender's bank account.
  case bank
  /// The sender's credit or debit card.
  case card

  /// Its spelling in a batch and in the fee schedule.
  @inlinable
  public var spelling: StaticString {
    switch self {
    case .balance: "BALANCE"
    case .bank: "BANK"
    case .card: "CARD"
    }
  }
}
