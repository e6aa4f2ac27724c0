import ExactArithmetic
import Failures
import Money
import Documents

/// The receivers that are paid most, a few for each currency.
struct LargestReceivers {
  /// A row of `receivers.csv`.
  struct Receiver {
    let account: String
    let payments: Int
    let (gross, passedOn, fee): (ExactDecimal, ExactDecimal, ExactDecimal)
    let (refundNet, payout): (ExactDecimal, ExactDecimal)
  }
  /// For a currency, the number of receivers, and the largest ones: by payout, the greatest first; equal ones in the
  /// order of the report.
  struct OfCurrency {
    var count = 0
    var largest: [Receiver] = []
  }

  private(set) var byCurrency: [Currency: OfCurrency] = [:]

  /// Reads `receivers.csv`.
  init(_ rows: ReportRows) throws(Failure) {
    typealias Column = ReceiversReport.Column
    while try rows.next() {
      let currency = try rows.currency(Column.currency)
      let payout = try rows.amount(Column.payout, currency)
      byCurrency[currency, default: OfCurrency()].count += 1
      let largest = byCurrency[currency]?.largest ?? []
      let place = largest.firstIndex { $0.payout < payout } ?? largest.count
      guard place < ReportPage.receiversOfEachCurrency else { continue }
      let receiver = Receiver(
        account: rows.text(Column.account), payments: try rows.count(Column.payments),
        gross: try rows.amount(Column.gross, currency), passedOn: try rows.amount(Column.passedOn, currency),
        fee: try rows.amount(Column.fee, currency), refundNet: try rows.amount(Column.refundNet, currency),
        payout: payout)
      byCurrency[currency]?.largest.insert(receiver, at: place)
      if largest.count == ReportPage.receiversOfEachCurrency { byCurrency[currency]?.largest.removeLast() }
    }
  }
}
