import BatchFile
import Money
import Settlement

/// `totals.csv`: a row for each currency with a settled payment; the trial balance of each is zero.
public enum TotalsReport {
  /// The file's name.
  public static let fileName = "totals.csv"

  /// The whole file.
  public static func write(_ totals: ControlTotals, to text: inout TextBuffer) {
    text.append("currency,payments,sender_amount,sender_fees,receiver_net,fees,balance\n")
    for (currency, sums) in zip(Currency.all, totals.currencies) where sums.payments > 0 {
      text.append(currency.code)
      text.append(UInt8(ascii: ","))
      text.append(number: sums.payments)
      for figure in [sums.senderAmount, sums.senderFees, sums.receiverNet, sums.fees, sums.balance] {
        text.append(UInt8(ascii: ","))
        text.append(figure)
      }
      text.append(UInt8(ascii: "\n"))
    }
  }
}

/// `control.csv`: a row for each currency with a control amount; where the batch's money went.
public enum ControlReport {
  /// The file's name.
  public static let fileName = "control.csv"

  /// The whole file.
  public static func write(_ totals: ControlTotals, to text: inout TextBuffer) {
    text.append("currency,records,amount,settled,pending,held,rejected\n")
    for (currency, sums) in zip(Currency.all, totals.currencies) where sums.records > 0 {
      text.append(currency.code)
      text.append(UInt8(ascii: ","))
      text.append(number: sums.records)
      for figure in [sums.amount, sums[.settled], sums[.pending], sums[.held], sums[.rejected]] {
        text.append(UInt8(ascii: ","))
        text.append(figure)
      }
      text.append(UInt8(ascii: "\n"))
    }
  }
}
