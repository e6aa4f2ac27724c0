import Money
import Rules
import Text

/// `control.csv`: a row for each currency with a control amount, showing where the batch's money went.
public enum ControlReport {
  /// The columns, in their order.
  public enum Column: String, DescribedColumn {
    /// The currency's code.
    case currency
    /// The records with a control amount.
    case records
    /// The sum of all control amounts, then that sum by outcome.
    case amount, settled, pending, held, rejected

    /// The contents of its fields.
    public var meaning: ColumnMeaning {
      switch self {
      case .currency: ColumnMeaning(ColumnMeaning.currencies, "The currency of the row.")
      case .records: ColumnMeaning(.integer, "The number of records with a control amount.")
      case .amount: ColumnMeaning(.amount, "The sum of all control amounts.")
      case .settled: ColumnMeaning(.amount, "The part of it that was settled.")
      case .pending: ColumnMeaning(.amount, "The part of it that waits for the payment to be completed.")
      case .held: ColumnMeaning(.amount, "The part of it that is held, in another state.")
      case .rejected: ColumnMeaning(.amount, "The part of it that was rejected.")
      }
    }
  }

  /// The whole file.
  public static func write(_ totals: ControlTotals, to text: inout TextBuffer) {
    let rows = zip(Currency.all, totals.currencies).filter { $1.records > 0 }.map { currency, sums in
      Column.allCases.map { column in
        switch column {
        case .currency: currency.code
        case .records: "\(sums.records)"
        case .amount: sums.amount.description
        case .settled: sums[.settled].description
        case .pending: sums[.pending].description
        case .held: sums[.held].description
        case .rejected: sums[.rejected].description
        }
      }
    }
    ReportKind.control.append(rows, to: &text)
  }
}
