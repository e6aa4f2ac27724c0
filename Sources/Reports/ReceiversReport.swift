import Postings
import Text

/// `receivers.csv`: a row for each receiver account and currency, sorted by account, then currency.
public enum ReceiversReport {
  /// The columns, in the order in which `append` writes them.
  public enum Column: String, ReportColumn {
    /// By which the rows are sorted.
    case account, currency
    /// The payments to the account.
    case payments
    /// The sums of those payments.
    case gross, passedOn, fee, net
  }

  /// Appends the row of an account and currency.
  public static func append(_ balance: AccountBalance, to text: inout TextBuffer) {
    let (account, sums) = (balance.account, balance.sums)
    text.append(account.baseAddress.unsafelyUnwrapped, count: account.count)
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
    text.append(sums.net)
    text.append(UInt8(ascii: "\n"))
  }
}
