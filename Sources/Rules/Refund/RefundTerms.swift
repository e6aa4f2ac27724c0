import ExactArithmetic
import Money

/// What a refund asks for, if it has no error of its own (`refunds.md`).
public struct RefundTerms: Sendable {
  /// What a refund asks for.
  public init(currency: Currency?, asked: Asked) {
    self.currency = currency
    self.asked = asked
  }

  /// The part of a refund that one receiver is to return.
  public struct Part: Sendable {
    public init(account: [UInt8], amount: ExactDecimal, index: Int) {
      self.account = account
      self.amount = amount
      self.index = index
    }

    /// The receiver's account in lower case.
    public var account: [UInt8]
    /// What it returns.
    public var amount: ExactDecimal
    public var index: Int
  }

  /// What is to be returned, and by which receivers.
  public enum Asked: Sendable {
    /// The whole payment.
    case full
    case amount(ExactDecimal)
    /// These amounts from these receivers, nothing from the others.
    case receivers([Part])
  }

  /// The currency; nil if it is not given.
  public var currency: Currency?
  /// What is to be returned.
  public var asked: Asked
}
