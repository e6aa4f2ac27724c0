import ExactArithmetic
import Failures
import Money
import Records
import Documents

/// The rows of `payouts.csv` or `carried.csv`, each with the account and currency of a balance, in order. A row that
/// cannot be read is a finding.
final class BalanceRows {
  /// The current row; valid until the next one.
  private(set) var row = ReportRow()
  private(set) var currency = Currency.all[0]
  private(set) var amount = ExactDecimal.zero
  /// Whether each row so far could be read.
  private(set) var isWhole = true
  /// The account of the row.
  private(set) var account: [UInt8] = []

  private let lines: ReportLines
  private let log: FindingLog
  /// The places of account, currency and amount.
  private let columns: (account: Int, currency: Int, amount: Int)
  private let check: (BalanceRows) throws(RowFault) -> Void
  private var lastCurrency: Currency?

  /// Reads the header.
  ///
  /// - Parameters:
  ///   - all: all columns; nil for those that the report always has.
  ///   - check: throws if a field that only this report has is not valid.
  init(
    _ lines: ReportLines, _ account: some ReportColumn, _ currency: some ReportColumn, _ amount: some ReportColumn,
    _ log: FindingLog, all: [String]? = nil, check: @escaping (BalanceRows) throws(RowFault) -> Void
  ) throws(Failure) {
    (self.lines, self.log, self.check) = (lines, log, check)
    columns = (account.place, currency.place, amount.place)
    try lines.readHeader(log, columns: all)
  }

  /// The number of the line.
  var line: Int { lines.number }

  /// The run that a row of `carried.csv` states.
  var since: Int? {
    let row = row
    return ReportField.count(row[CarriedReport.Column.since])
  }

  /// Goes to the next row that can be read; false after the last.
  func next() throws(Failure) -> Bool {
    while try lines.next() {
      if lines.split(into: &row, log) {
        do throws(RowFault) {
          try read()
          return true
        } catch {
          lines.note(error, in: row, log)
        }
      }
      isWhole = false
    }
    return false
  }

  private func read() throws(RowFault) {
    let (row, before) = (row, self.account)
    let account = row[columns.account]
    guard Account.isCanonical(account) else { throw fault(columns.account, "no report has such an account") }
    guard let currency = Currency.find(row[columns.currency]) else {
      throw fault(columns.currency, "settle currencies lists no such code")
    }
    guard let amount = ReportField.amount(row[columns.amount], currency), !amount.isZero else {
      throw fault(columns.amount, "expected an amount, not zero, with the currency's decimals")
    }
    (self.currency, self.amount) = (currency, amount)
    let order = Self.compare(before.span, lastCurrency, account, currency)
    self.account = [UInt8](account)
    lastCurrency = currency
    guard order < 0 else { throw fault(columns.account, "rows are sorted by account and currency") }
    try check(self)
  }

  private func fault(_ place: Int, _ reason: String) -> RowFault { RowFault(lines.columns[place], at: place, reason) }

  /// Compares the accounts and currencies of two current rows.
  func compare(_ other: BalanceRows) -> Int {
    let account = other.account
    return compare(account.span, other.currency)
  }

  /// Negative, zero or positive if its row comes before, belongs to, or comes after an account and currency.
  func compare(_ other: Span<UInt8>, _ otherCurrency: Currency) -> Int {
    let account = account
    return Self.compare(account.span, currency, other, otherCurrency)
  }

  private static func compare(
    _ left: Span<UInt8>, _ leftCurrency: Currency?, _ right: Span<UInt8>, _ rightCurrency: Currency
  ) -> Int {
    guard let leftCurrency else { return -1 }
    let order = left.compare(right)
    return order == 0 ? Int(leftCurrency.index) - Int(rightCurrency.index) : order
  }
}
