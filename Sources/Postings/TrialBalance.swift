import ExactArithmetic

/// What settled payments and refunds moved in a currency; all sums have the currency's decimals.
public struct TrialBalance: Sendable, Equatable {
  /// The number of settled payments.
  public var payments = 0
  /// What senders send, without fees.
  public var senderAmount: ExactDecimal
  public var senderFees: ExactDecimal
  /// What receivers get after fees.
  public var receiverNet: ExactDecimal
  /// All fees of these payments.
  public var fees: ExactDecimal
  /// The number of refunds that were made.
  public var refunds = 0
  /// What senders get back: their net.
  public var refunded: ExactDecimal
  /// What receivers pay: their net with the opposite sign.
  public var receiverDebit: ExactDecimal
  /// The fees that these refunds return.
  public var feesReturned: ExactDecimal

  /// The payments, or the refunds: their number and their sums.
  public struct Part: Sendable {
    /// The number of records.
    public let count: Figure<TrialBalance, Int>
    public let sums: [Figure<TrialBalance, ExactDecimal>]
  }

  public static let paymentPart = Part(
    count: Figure("payments", \.payments),
    sums: [
      Figure("senderAmount", \.senderAmount), Figure("senderFees", \.senderFees),
      Figure("receiverNet", \.receiverNet), Figure("fees", \.fees),
    ])
  public static let refundPart = Part(
    count: Figure("refunds", \.refunds),
    sums: [
      Figure("refunded", \.refunded), Figure("receiverDebit", \.receiverDebit),
      Figure("feesReturned", \.feesReturned),
    ])
  /// All figures, in the order of every file.
  public static let parts = [paymentPart, refundPart]

  public init(exponent: Int) {
    let zero = ExactDecimal.zero(at: exponent)
    (senderAmount, senderFees, receiverNet, fees) = (zero, zero, zero, zero)
    (refunded, receiverDebit, feesReturned) = (zero, zero, zero)
  }

  /// `sender amount + sender fees - receiver net - fees`, which is zero.
  public var paymentBalance: ExactDecimal { senderAmount + senderFees - receiverNet - fees }

  /// `refunded - receiver debit - fees returned`, which is zero.
  public var refundBalance: ExactDecimal { refunded - receiverDebit - feesReturned }

  public var balance: ExactDecimal { paymentBalance - refundBalance }

  /// What receivers get after refunds.
  public var receiverBalance: ExactDecimal { receiverNet - receiverDebit }

  /// What senders get back, less what they send with their fees.
  public var senderBalance: ExactDecimal { refunded - senderAmount - senderFees }

  public var feesKept: ExactDecimal { fees - feesReturned }

  /// Whether a payment was settled or a refund made.
  public var isUsed: Bool { payments > 0 || refunds > 0 }

  /// Whether a figure is not zero. Changes to sums may be zero records, and have an amount.
  public var isTouched: Bool {
    Self.parts.contains { part in
      self[keyPath: part.count.path] != 0 || part.sums.contains { !self[keyPath: $0.path].isZero }
    }
  }

  /// Adds what others moved.
  public mutating func add(_ other: TrialBalance) {
    for part in Self.parts {
      self[keyPath: part.count.path] += other[keyPath: part.count.path]
      for sum in part.sums { self[keyPath: sum.path].add(other[keyPath: sum.path]) }
    }
  }

  public var texts: [(name: String, text: String)] {
    Self.parts.flatMap { part in
      [(part.count.name, "\(self[keyPath: part.count.path])")]
        + part.sums.map { ($0.name, self[keyPath: $0.path].description) }
    }
  }
}
