import ExactArithmetic
import Failures
import Money
import Documents

/// The state of the agreements that the batch changed or used, by currency.
struct ReportedAgreements {
  /// The agreements of a currency.
  struct OfCurrency {
    let currency: Currency
    /// The number of agreements with each status, in the order of ``statuses``.
    var counts = Array(repeating: 0, count: statuses.count)
    /// The payments made under them in all runs. It is a decimal because a count may be any number below 10^18.
    var payments = ExactDecimal.zero
    var amount: ExactDecimal
  }

  /// The statuses that an agreement can have.
  static let statuses = ["PENDING", "ACTIVE", "CANCELED"]

  private(set) var byCurrency: [Currency: OfCurrency] = [:]

  /// Reads `preapprovals.csv`.
  init(_ rows: ReportRows) throws(Failure) {
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
