import BatchRun
import ExactArithmetic
import Money
import Reports

/// The receivers that are paid most, of each currency some.
struct LargestReceivers {
  /// A row of `receivers.csv`.
  struct Receiver {
    let account: String
    let payments: Int
    let (gross, passedOn, fee, net): (ExactDecimal, ExactDecimal, ExactDecimal, ExactDecimal)
  }
  /// Of a currency, how many receivers there are, and the largest: by net, the greatest first, of equal ones in the
  /// order of the report.
  struct OfCurrency {
    var count = 0
    var largest: [Receiver] = []
  }

  private(set) var byCurrency: [Currency: OfCurrency] = [:]

  /// Reads `receivers.csv`.
  init(_ rows: ReportRows) throws(RunFailure) {
    typealias Column = ReceiversReport.Column
    while try rows.next() {
      let currency = try rows.currency(Column.currency)
      let net = try rows.amount(Column.net, currency)
      byCurrency[currency, default: OfCurrency()].count += 1
      let largest = byCurrency[currency]?.largest ?? []
      let place = largest.firstIndex { $0.net < net } ?? largest.count
      guard place < ReportPage.receiversOfEachCurrency else { continue }
      let receiver = Receiver(
        account: rows.text(Column.account), payments: try rows.count(Column.payments),
        gross: try rows.amount(Column.gross, currency), passedOn: try rows.amount(Column.passedOn, currency),
        fee: try rows.amount(Column.fee, currency), net: net)
      byCurrency[currency]?.largest.insert(receiver, at: place)
      if largest.count == ReportPage.receiversOfEachCurrency { byCurrency[currency]?.largest.removeLast() }
    }
  }
}
