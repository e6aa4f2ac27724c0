import ExactArithmetic
import Money

/// An amount that an account is given; below zero if it is taken from it.
public struct AccountAmount: Sendable, Equatable {
  /// The account, in lower case.
  public let account: [UInt8]
  /// The currency of the amount.
  public let currency: Currency
  public let amount: ExactDecimal

  public init(account: [UInt8], currency: Currency, amount: ExactDecimal) {
    (self.account, self.currency, self.amount) = (account, currency, amount)
  }

  /// The current entry of a list.
  init(_ stream: AccountStream) {
    self.init(account: stream.account, currency: stream.currency, amount: stream.amount)
  }
}
