import ExactArithmetic
import Money
import Records

/// What a trailer says of the records before it.
struct SampleControl {
  /// How many there are.
  var records = 0
  /// By currency, the sum of the payments' control amounts, if it is above zero.
  var totals: [Currency: ExactDecimal] = [:]
  /// The same of the refunds.
  var refundTotals: [Currency: ExactDecimal] = [:]

  /// Adds what other records come to.
  mutating func merge(_ other: SampleControl) {
    records += other.records
    totals.merge(other.totals, uniquingKeysWith: +)
    refundTotals.merge(other.refundTotals, uniquingKeysWith: +)
  }
}

extension CalendarDay {
  /// The day on which the payments of a night are made; the batch is of the day after.
  static func ofSamples(night: Int) -> CalendarDay { CalendarDay(number: 20_775 + night) }
}
