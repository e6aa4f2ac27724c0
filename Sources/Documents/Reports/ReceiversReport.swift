import ExactArithmetic
import Postings
import Text

/// `receivers.csv`: a row for each receiver account and currency, sorted by account, then currency.
public enum ReceiversReport {
  /// The columns, in the order in which `append` writes them.
  public enum Column: String, DescribedColumn {
    /// The columns by which the rows are sorted.
    case account, currency
    /// The payments to the account.
    case payments
    /// The sums of those payments.
    case gross, passedOn, fee, net
    /// The refunds that the account contributed to, and what they cost it.
    case refunds, refundNet
    /// The amount to pay to the account.
    case payout

    /// The contents of its fields.
    public var meaning: ColumnMeaning {
      switch self {
      case .account: ColumnMeaning(.text, "The receiver: an email address in lower case, or a phone number.")
      case .currency: ColumnMeaning(ColumnMeaning.currencies, "The currency of the row.")
      case .payments: ColumnMeaning(.integer, "The number of settled payments to the account.")
      case .gross: ColumnMeaning(.amount, "The amounts of these payments, before fees.")
      case .passedOn: ColumnMeaning(.amount, "What the account passed on to secondary receivers.")
      case .fee: ColumnMeaning(.amount, "The fees that the account bears.")
      case .net: ColumnMeaning(.amount, "gross - passed_on - fee.")
      case .refunds: ColumnMeaning(.integer, "The number of refunds with a part from the account.")
      case .refundNet: ColumnMeaning(.amount, "What these refunds give to it; below zero if they take money.")
      case .payout: ColumnMeaning(.amount, "net + refund_net; below zero if the account owes.")
      }
    }
  }

  /// Appends the row of an account and currency without refunds.
  public static func append(_ balance: AccountBalance, to text: inout TextBuffer) {
    _ = append(balance, refunds: nil, to: &text)
  }

  /// Appends the row of an account and currency.
  ///
  /// - Parameter refunds: the sums of its refunds; nil if it has none.
  /// - Returns: the payout.
  public static func append(
    _ balance: AccountBalance, refunds: AccountSums?, to text: inout TextBuffer
  ) -> ExactDecimal {
    let sums = balance.sums
    text.append(balance.account)
    text.append(UInt8(ascii: ","))
    text.append(balance.currency.code)
    text.append(UInt8(ascii: ","))
    text.append(number: sums.payments)
    text.append(UInt8(ascii: ","))
    text.append(sums.gross)
    text.append(UInt8(ascii: ","))
    text.append(sums.passedOn)
    text.append(UInt8(ascii: ","))
    text.append(sums.fee)
    text.append(UInt8(ascii: ","))
    let net = sums.net
    let refundNet = refunds?.net ?? .zero(at: net.exponent)
    text.append(net)
    text.append(UInt8(ascii: ","))
    text.append(number: refunds?.payments ?? 0)
    text.append(UInt8(ascii: ","))
    text.append(refundNet)
    text.append(UInt8(ascii: ","))
    let payout = net + refundNet
    text.append(payout)
    text.append(UInt8(ascii: "\n"))
    return payout
  }
}
