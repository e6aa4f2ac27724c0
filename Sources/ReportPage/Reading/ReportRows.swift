import BatchFile
import BatchRun
import ExactArithmetic
import Money
import Verification

/// The rows of a CSV report without quotes in it, one after the other, their fields read strictly.
final class ReportRows {
  private let lines: ReportLines
  private let columns: ReportColumns
  private let shownFolder: String
  private var row = ReportRow()

  /// Takes the header row.
  init(_ lines: ReportLines, _ columns: ReportColumns, shownFolder: String) throws(RunFailure) {
    self.lines = lines
    self.columns = columns
    self.shownFolder = shownFolder
    let log = FindingLog()
    try lines.takeHeader(columns, log)
    try PublishedReports.refuse(log, shownFolder)
  }

  /// Goes to the next row; false where there is none.
  func next() throws(RunFailure) -> Bool {
    guard try lines.next() else { return false }
    let log = FindingLog()
    guard lines.isProperLine(log) else {
      try PublishedReports.refuse(log, shownFolder)
      return false
    }
    row.split(lines.line, count: lines.length)
    guard row.count == columns.names.count else { throw fault("is no row of \(columns.names.count) fields") }
    return true
  }

  /// A field as it stands.
  func text(_ column: Int) -> String { String(decoding: row[column], as: UTF8.self) }

  /// A whole number from 0.
  func count(_ column: Int) throws(RunFailure) -> Int {
    guard let count = ReportField.count(row[column]) else { throw fault(column, "a whole number") }
    return count
  }

  /// A currency.
  func currency(_ column: Int) throws(RunFailure) -> Currency {
    guard let currency = ReportField.currency(row[column]) else { throw fault(column, "one of the 24 currencies") }
    return currency
  }

  /// An amount with the currency's decimals; its text is the field's.
  func amount(_ column: Int, _ currency: Currency) throws(RunFailure) -> ExactDecimal {
    guard let amount = ReportField.amount(row[column], currency) else {
      throw fault(column, "an amount in \(currency.code) with \(currency.settlementExponent) decimals")
    }
    return amount
  }

  /// The failure that the row is not as it must be; no text of it is in the message.
  func fault(_ reason: String) -> RunFailure {
    .inputOutput("\(shownFolder)/\(columns.file):\(lines.number): \(reason)")
  }

  private func fault(_ column: Int, _ expected: String) -> RunFailure {
    fault("\(columns.names[column]): expected \(expected)")
  }
}
