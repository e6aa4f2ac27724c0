import ExactArithmetic
import Failures
import Money
import Postings
import Documents

/// What was refunded, by the run that settled the payments and by currency.
struct RefundedNights {
  /// The payments that were refunded: this batch's come first, then those of the latest run.
  struct Origin: Hashable, Comparable {
    /// The run that settled the payments; nil if the batch itself did.
    let run: Int?
    let currency: Currency

    static func < (left: Origin, right: Origin) -> Bool {
      let (leftRun, rightRun) = (left.run ?? .max, right.run ?? .max)
      return leftRun == rightRun ? left.currency < right.currency : leftRun > rightRun
    }
  }
  /// The sums of some rows.
  struct Sums {
    var refunds = 0
    var amount: ExactDecimal
    var feesReturned: ExactDecimal
  }

  private(set) var sums: [Origin: Sums] = [:]

  /// Reads `refunds.csv`.
  init(_ rows: ReportRows) throws(Failure) {
    typealias Column = RefundsReport.Column
    while try rows.next() {
      let currency = try rows.currency(Column.currency)
      let (amount, fees) = (try rows.amount(Column.amount, currency), try rows.amount(Column.feesReturned, currency))
      let run = rows.text(Column.run).isEmpty ? nil : try rows.count(Column.run)
      let zero = ExactDecimal.zero(at: -currency.settlementExponent)
      var night = sums[Origin(run: run, currency: currency)] ?? Sums(amount: zero, feesReturned: zero)
      night.refunds += 1
      night.amount.add(amount)
      night.feesReturned.add(fees)
      sums[Origin(run: run, currency: currency)] = night
    }
  }

  /// Whether the refunds in a currency, and the fees that they return, are those of `totals.csv`.
  func agree(with moved: TrialBalance, _ currency: Currency) -> Bool {
    let own = sums.filter { $0.key.currency == currency }.values
    return own.reduce(0) { $0 + $1.refunds } == moved.refunds
      && own.reduce(.zero) { $0 + $1.feesReturned } == moved.feesReturned
  }
}
