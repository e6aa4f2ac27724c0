import BatchFile
import Money
import Settlement

/// `control.csv`: a row for each currency with a control amount; where the batch's money went.
public enum ControlReport {
  /// The file's name.
  public static let fileName = "control.csv"

  /// The header row.
  public static var header: StaticString { "currency,records,amount,settled,pending,held,rejected\n" }

  /// The whole file.
  public static func write(_ totals: ControlTotals, to text: inout TextBuffer) {
    text.append(header)
    for (currency, sums) in zip(Currency.all, totals.currencies) where sums.records > 0 {
      CSV.appendRow(
        currency, count: sums.records,
        figures: [sums.amount, sums[.settled], sums[.pending], sums[.held], sums[.rejected]], to: &text)
    }
  }
}
