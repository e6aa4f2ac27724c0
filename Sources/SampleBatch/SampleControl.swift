import ExactArithmetic
import Money

/// The numbers of a trailer.
struct SampleControl {
  var records = 0
  /// By currency, the sum of the payments' control amounts, if it is above zero.
  var totals: [Currency: ExactDecimal] = [:]
  var refundTotals: [Currency: ExactDecimal] = [:]

  /// Adds the numbers of other records.
  mutating func merge(_ other: SampleControl) {
    records += other.records
    totals.merge(other.totals, uniquingKeysWith: +)
    refundTotals.merge(other.refundTotals, uniquingKeysWith: +)
  }
}
