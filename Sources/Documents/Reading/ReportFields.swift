import ExactArithmetic
import Failures
import Money
import Postings

/// The fields of a row of a CSV report. Fields that never need quotes are read strictly.
package protocol ReportFields {
  /// The row, with all fields of the report.
  var row: ReportRow { get }
  /// The failure for a row that is not valid; the message has no text of the row.
  func fault(_ reason: String) -> Failure
}

extension ReportFields {
  /// A field as written, with quotes.
  package func bytes(_ column: some ReportColumn) -> [UInt8] { row.bytes(column) }

  /// A field as written.
  package func text(_ column: some ReportColumn) -> String { row.text(column) }

  /// A whole number from 0.
  package func count(_ column: some ReportColumn) throws(Failure) -> Int {
    let row = row
    guard let count = ReportField.count(row[column]) else { throw fault(column, "a whole number") }
    return count
  }

  package func currency(_ column: some ReportColumn) throws(Failure) -> Currency {
    let row = row
    guard let currency = Currency.find(row[column]) else {
      throw fault(column, "a code that settle currencies lists")
    }
    return currency
  }

  /// An amount with the currency's decimals.
  package func amount(_ column: some ReportColumn, _ currency: Currency) throws(Failure) -> ExactDecimal {
    let row = row
    guard let amount = ReportField.amount(row[column], currency) else {
      throw fault(column, "an amount in \(currency.code) with \(currency.settlementExponent) decimals")
    }
    return amount
  }

  /// The row, if the report is `exceptions.csv`.
  package func exception() throws(Failure) -> ExceptionRow {
    do throws(RowFault) { return try ExceptionRow(row) } catch { throw fault("\(error.column): \(error.reason)") }
  }

  /// The sums of the row, if the report is `totals.csv`.
  package func moved() throws(Failure) -> (currency: Currency, moved: TrialBalance) {
    typealias Column = TotalsReport.Column
    let currency = try currency(Column.currency)
    var moved = TrialBalance(exponent: -currency.settlementExponent)
    for part in TrialBalance.parts {
      moved[keyPath: part.count.path] = try count(Column(part.count))
      for sum in part.sums { moved[keyPath: sum.path] = try amount(Column(sum), currency) }
    }
    return (currency, moved)
  }

  private func fault(_ column: some ReportColumn, _ expected: String) -> Failure {
    fault("\(column.name): expected \(expected)")
  }
}
