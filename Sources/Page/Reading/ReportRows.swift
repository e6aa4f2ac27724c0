import BatchRun
import ExactArithmetic
import Money
import Reports
import Verification

/// The rows of a CSV report without quotes in it, one after the other, their fields read strictly.
final class ReportRows {
  private let lines: ReportLines
  private let shownFolder: String
  private var row = ReportRow()

  /// Takes the header row.
  init(_ lines: ReportLines, shownFolder: String) throws(RunFailure) {
    self.lines = lines
    self.shownFolder = shownFolder
    let log = FindingLog()
    try lines.takeHeader(log)
    try PublishedReports.refuse(log, shownFolder)
  }

  /// Goes to the next row; false where there is none.
  func next() throws(RunFailure) -> Bool {
    guard try lines.next() else { return false }
    let log = FindingLog()
    _ = lines.split(into: &row, log)
    try PublishedReports.refuse(log, shownFolder)
    return true
  }

  /// A field as it stands.
  func text(_ column: some ReportColumn) -> String { String(decoding: row.fields[column.place], as: UTF8.self) }

  /// A whole number from 0.
  func count(_ column: some ReportColumn) throws(RunFailure) -> Int {
    guard let count = ReportField.count(row.fields[column.place]) else { throw fault(column, "a whole number") }
    return count
  }

  /// A currency.
  func currency(_ column: some ReportColumn) throws(RunFailure) -> Currency {
    guard let currency = Currency.find(row.fields[column.place]) else {
      throw fault(column, "a code that settle currencies lists")
    }
    return currency
  }

  /// An amount with the currency's decimals; its text is the field's.
  func amount(_ column: some ReportColumn, _ currency: Currency) throws(RunFailure) -> ExactDecimal {
    guard let amount = ReportField.amount(row.fields[column.place], currency) else {
      throw fault(column, "an amount in \(currency.code) with \(currency.settlementExponent) decimals")
    }
    return amount
  }

  /// The failure that the row is not as it must be; no text of it is in the message.
  func fault(_ reason: String) -> RunFailure {
    .inputOutput("\(shownFolder)/\(lines.name):\(lines.number): \(reason)")
  }

  private func fault(_ column: some ReportColumn, _ expected: String) -> RunFailure {
    fault("\(column.name): expected \(expected)")
  }
}
