import Money
import Postings
import Rules
import Text

/// `totals.csv`: a row for each currency with a settled payment or a refund. The trial balance of each is zero.
public enum TotalsReport {
  /// The columns, in their order; in `summary.json` they are the keys.
  public enum Column: String, DescribedColumn {
    /// The currency's code.
    case currency
    /// The settled payments.
    case payments
    /// The sums of the settled payments.
    case senderAmount, senderFees, receiverNet, fees, balance
    case refunds
    /// The sums of the refunds.
    case refunded, receiverDebit, feesReturned

    /// The column of a figure.
    public init(_ figure: Figure<TrialBalance, some Any>) { self = Column(rawValue: figure.name)! }

    /// The contents of its fields.
    public var meaning: ColumnMeaning {
      switch self {
      case .currency: ColumnMeaning(ColumnMeaning.currencies, "The currency of the row.")
      case .payments: ColumnMeaning(.integer, "The number of settled payments.")
      case .senderAmount: ColumnMeaning(.amount, "What the senders sent, without fees.")
      case .senderFees: ColumnMeaning(.amount, "The fees that senders bear on top.")
      case .receiverNet: ColumnMeaning(.amount, "What the receivers get.")
      case .fees: ColumnMeaning(.amount, "All fees, whichever party bears them.")
      case .balance:
        ColumnMeaning(
          .amount,
          "(sender_amount + sender_fees - receiver_net - fees) - (refunded - receiver_debit - fees_returned); zero.")
      case .refunds: ColumnMeaning(.integer, "The number of refunds.")
      case .refunded: ColumnMeaning(.amount, "What the senders get back, fees included.")
      case .receiverDebit: ColumnMeaning(.amount, "What the receivers pay, minus the fees that they get back.")
      case .feesReturned: ColumnMeaning(.amount, "All fees that are returned.")
      }
    }
  }

  /// The fields of the rows, in the order of the currencies.
  public static func rows(_ totals: ControlTotals) -> [[String]] {
    zip(Currency.all, totals.currencies).filter { $1.moved.isUsed }.map { currency, sums in
      let texts = Dictionary(uniqueKeysWithValues: sums.moved.texts.map { ($0.name, $0.text) })
      return Column.allCases.map { column in
        switch column {
        case .currency: currency.code
        case .balance: sums.moved.balance.description
        default: texts[column.key]!
        }
      }
    }
  }

  /// The whole file.
  public static func write(_ totals: ControlTotals, to text: inout TextBuffer) {
    ReportKind.totals.append(rows(totals), to: &text)
  }
}
