import BatchRun
import ExactArithmetic
import Money
import Reports
import Verification

/// How the agreements that the batch changed or used stand, by currency.
struct ReportedAgreements {
  /// Those of a currency.
  struct OfCurrency {
    let currency: Currency
    /// How many there are of each status, in the order of ``statuses``.
    var counts = Array(repeating: 0, count: statuses.count)
    /// What was used of them, in all nights; exactly, as a count may be anything below 10^18.
    var payments = ExactDecimal.zero
    var amount: ExactDecimal
  }

  /// Where an agreement can be in its life.
  static let statuses = ["PENDING", "ACTIVE", "CANCELED"]

  private(set) var byCurrency: [Currency: OfCurrency] = [:]

  /// Reads `preapprovals.csv`.
  init(_ rows: ReportRows) throws(RunFailure) {
    typealias Column = PreapprovalsReport.Column
    while try rows.next() {
      let currency = try rows.currency(Column.currency)
      guard let status = Self.statuses.firstIndex(of: rows.text(Column.status)) else {
        throw rows.fault("status: expected \(Self.statuses.joined(separator: ", "))")
      }
      let (payments, sum) = (try rows.count(Column.payments), try rows.amount(Column.amount, currency))
      var all = byCurrency[currency] ?? OfCurrency(currency: currency, amount: .zero(at: -currency.settlementExponent))
      all.counts[status] += 1
      all.payments.add(ExactDecimal(payments))
      all.amount.add(sum)
      byCurrency[currency] = all
    }
  }
}
