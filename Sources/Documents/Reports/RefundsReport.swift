import Rules
import Text

/// `refunds.csv`: a row for each refund that was made, in batch order.
public enum RefundsReport {
  /// The columns, in the order in which `append` writes them.
  public enum Column: String, DescribedColumn {
    /// The refund's key and its payment's.
    case refundKey, payKey
    /// The run that settled the payment.
    case run
    /// The currency of the amounts.
    case currency
    /// What is refunded, and what remains.
    case amount, feesReturned, remaining

    /// The contents of its fields.
    public var meaning: ColumnMeaning {
      switch self {
      case .refundKey: ColumnMeaning(.text, "The refund's key.")
      case .payKey: ColumnMeaning(.text, "The key of the payment.")
      case .run:
        ColumnMeaning(
          .integer, "The run that settled the payment; empty for a payment of this batch.", isOptional: true)
      case .currency: ColumnMeaning(ColumnMeaning.currencies, "The payment's currency.")
      case .amount: ColumnMeaning(.amount, "What the sender gets back, without fees.")
      case .feesReturned: ColumnMeaning(.amount, "The fees that are returned, whichever party bore them.")
      case .remaining: ColumnMeaning(.amount, "What remains of the payment after the refund.")
      }
    }
  }

  /// Appends the row of a refund.
  ///
  /// - Parameter run: the run that settled the payment; 0 if it is in this batch.
  public static func append(
    _ refund: MadeRefund, refundKey: [UInt8], payKey: [UInt8], run: Int, to text: inout TextBuffer
  ) {
    for key in [refundKey, payKey] {
      text.append(String(decoding: key, as: UTF8.self))
      text.append(UInt8(ascii: ","))
    }
    if run > 0 { text.append(number: run) }
    text.append(UInt8(ascii: ","))
    text.append(refund.payment.currency.code)
    for amount in [refund.amount, refund.feesReturned, refund.remaining] {
      text.append(UInt8(ascii: ","))
      text.append(amount)
    }
    text.append(UInt8(ascii: "\n"))
  }
}
