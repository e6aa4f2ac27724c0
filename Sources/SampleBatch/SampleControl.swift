import ExactArithmetic
import Money
import Records

/// The numbers of a trailer.
struct SampleControl {
  /// The number of records.
  var records = 0
  /// By currency, the sum of the payments' control amounts, if it is above zero.
  var totals: [Currency: ExactDecimal] = [:]
  /// The same for refunds.
  var refundTotals: [Currency: ExactDecimal] = [:]

  /// Adds the numbers of other records.
  mutating func merge(_ other: SampleControl) {
    records += other.records
    totals.merge(other.totals, uniquingKeysWith: +)
    refundTotals.merge(other.refundTotals, uniquingKeysWith: +)
  }
}

extension CalendarDay {
  /// The day on which the payments of a night are made; the batch is made the day after.
  static func ofSamples(night: Int) -> CalendarDay { CalendarDay(number: 20_775 + night) }
}
