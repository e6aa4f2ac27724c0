import JSON
import Money

extension ControlTotals {
  /// The trailer that a batch with these totals should have (`batch.md`), as JSON; without `refundTotals` if no refund has
  /// a control amount.
  ///
  /// - Parameter recordCount: the number of records between header and trailer.
  public func trailer(recordCount: Int) -> JSONTree {
    let currencies = zip(Currency.all, currencies)
    let payments = currencies.filter { $1.records > 0 }.map { ($0.code, JSONTree.string("\($1.amount)")) }
    let refunds = currencies.filter { $1.refundRecords > 0 }.map { ($0.code, JSONTree.string("\($1.refundControl)")) }
    return .object(
      [("type", .string("trailer")), ("recordCount", .number(recordCount)), ("totals", .object(payments))]
        + (refunds.isEmpty ? [] : [("refundTotals", .object(refunds))]))
  }
}
