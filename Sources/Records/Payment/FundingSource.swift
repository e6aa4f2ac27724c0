/// The sender's source of the money. It decides the plan of personal payments.
public enum FundingSource: FixedText, WireValue {
  /// The sender's account balance.
  case balance = "BALANCE"
  /// The sender's bank account.
  case bank = "BANK"
  /// The sender's credit or debit card.
  case card = "CARD"
}
