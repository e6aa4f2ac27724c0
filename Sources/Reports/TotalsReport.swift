import BatchFile
import Money
import Settlement

/// `totals.csv`: a row for each currency with a settled payment; the trial balance of each is zero.
public enum TotalsReport {
  /// The file's name.
  public static let fileName = "totals.csv"

  /// The header row.
  public static var header: StaticString { "currency,payments,sender_amount,sender_fees,receiver_net,fees,balance\n" }

  /// The whole file.
  public static func write(_ totals: ControlTotals, to text: inout TextBuffer) {
    text.append(header)
    for (currency, sums) in zip(Currency.all, totals.currencies) where sums.payments > 0 {
      CSV.appendRow(
        currency, count: sums.payments,
        figures: [sums.senderAmount, sums.senderFees, sums.receiverNet, sums.fees, sums.balance], to: &text)
    }
  }
}
