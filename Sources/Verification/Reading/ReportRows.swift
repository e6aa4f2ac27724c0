import BatchRun
import ExactArithmetic
import Money
import Reports

/// The rows of a CSV report, one after the other; fields that never need quotes are read strictly.
package final class ReportRows {
  private let lines: ReportLines
  private let shownFolder: String
  private let failure: (String) -> RunFailure
  private let log = FindingLog()
  /// The row it is at; good until `next`.
  private var row = ReportRow()

  /// Takes the header row.
  ///
  /// - Parameter failure: what a report that is none fails with.
  init(_ lines: ReportLines, shownFolder: String, failure: @escaping (String) -> RunFailure) throws(RunFailure) {
    self.lines = lines
    self.shownFolder = shownFolder
    self.failure = failure
    try lines.takeHeader(log)
    guard log.count == 0 else { throw log.failure(shownFolder, failure) }
  }

  /// Goes to the next row; false if there is none.
  package func next() throws(RunFailure) -> Bool {
    guard try lines.next() else { return false }
    guard lines.split(into: &row, log) else { throw log.failure(shownFolder, failure) }
    return true
  }

  /// A field as it stands, quotes included.
  package func bytes(_ column: some ReportColumn) -> UnsafeBufferPointer<UInt8> { row.fields[column.place] }

  /// A field as it stands.
  package func text(_ column: some ReportColumn) -> String { String(decoding: row.fields[column.place], as: UTF8.self) }

  /// A whole number from 0.
  package func count(_ column: some ReportColumn) throws(RunFailure) -> Int {
    guard let count = ReportField.count(row.fields[column.place]) else { throw fault(column, "a whole number") }
    return count
  }

  /// A currency.
  package func currency(_ column: some ReportColumn) throws(RunFailure) -> Currency {
    guard let currency = Currency.find(row.fields[column.place]) else {
      throw fault(column, "a code that settle currencies lists")
    }
    return currency
  }

  /// An amount with the currency's decimals; its text is the field's.
  package func amount(_ column: some ReportColumn, _ currency: Currency) throws(RunFailure) -> ExactDecimal {
    guard let amount = ReportField.amount(row.fields[column.place], currency) else {
      throw fault(column, "an amount in \(currency.code) with \(currency.settlementExponent) decimals")
    }
    return amount
  }

  /// The row, where the report is `exceptions.csv`.
  package func exception() throws(RunFailure) -> ExceptionRow {
    do throws(RowFault) { return try ExceptionRow(row) } catch { throw fault("\(error.column): \(error.reason)") }
  }

  /// The failure that the row is not as it must be; no text of it is in the message.
  package func fault(_ reason: String) -> RunFailure {
    failure("\(shownFolder)/\(lines.name):\(lines.number): \(reason)")
  }

  private func fault(_ column: some ReportColumn, _ expected: String) -> RunFailure {
    fault("\(column.name): expected \(expected)")
  }
}
