import ExactArithmetic
import Money

/// What a refund asks for, once it has no error of its own (`refunds.md`).
public struct RefundTerms: Sendable {
  /// What a refund asks for.
  public init(currency: Currency?, asked: Asked) {
    self.currency = currency
    self.asked = asked
  }

  /// A part of a refund that is asked of one receiver.
  public struct Part: Sendable {
    /// A part.
    public init(account: [UInt8], amount: ExactDecimal, index: Int) {
      self.account = account
      self.amount = amount
      self.index = index
    }

    /// The receiver's account in lower case.
    public var account: [UInt8]
    /// What it gives.
    public var amount: ExactDecimal
    /// Its index in `receivers`.
    public var index: Int
  }

  /// From whom how much goes back.
  public enum Asked: Sendable {
    /// All of the payment.
    case full
    /// So much, from all receivers.
    case amount(ExactDecimal)
    /// So much from each of these, nothing from the others.
    case receivers([Part])
  }

  /// The currency, if it is given.
  public var currency: Currency?
  /// From whom how much.
  public var asked: Asked
}
