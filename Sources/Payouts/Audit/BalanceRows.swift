import BatchRun
import ExactArithmetic
import Failures
import Glibc
import Ledger
import Money
import Records
import Reports
import Verification

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
  var account: UnsafeBufferPointer<UInt8> { row.fields[columns.account] }

  private let lines: ReportLines
  private let log: FindingLog
  /// The places of account, currency and amount.
  private let columns: (account: Int, currency: Int, amount: Int)
  private let check: (BalanceRows) throws(RowFault) -> Void
  private var last: [UInt8] = []
  private var lastCurrency: Currency?

  /// Reads the header.
  ///
  /// - Parameter check: throws if a field that only this report has is not valid.
  init(
    _ lines: ReportLines, _ account: some ReportColumn, _ currency: some ReportColumn, _ amount: some ReportColumn,
    _ log: FindingLog, check: @escaping (BalanceRows) throws(RowFault) -> Void
  ) throws(Failure) {
    (self.lines, self.log, self.check) = (lines, log, check)
    columns = (account.place, currency.place, amount.place)
    try lines.takeHeader(log)
  }

  /// The number of the line.
  var line: Int { lines.number }

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
    let account = account
    guard Account.isCanonical(account.span) else { throw fault(columns.account, "no report has such an account") }
    guard let currency = Currency.find(row.fields[columns.currency].span) else {
      throw fault(columns.currency, "settle currencies lists no such code")
    }
    guard let amount = ReportField.amount(row.fields[columns.amount], currency), !amount.isZero else {
      throw fault(columns.amount, "expected an amount, not zero, with the currency's decimals")
    }
    (self.currency, self.amount) = (currency, amount)
    let order = Self.compare(last.span, lastCurrency, account.span, currency)
    last.removeAll(keepingCapacity: true)
    last.append(contentsOf: account)
    lastCurrency = currency
    guard order < 0 else { throw fault(columns.account, "rows are sorted by account and currency") }
    try check(self)
  }

  private func fault(_ place: Int, _ reason: String) -> RowFault { RowFault(lines.columns[place], at: place, reason) }

  /// Negative, zero or positive if its row comes before, belongs to, or comes after an account and currency.
  func compare(_ other: Span<UInt8>, _ otherCurrency: Currency) -> Int {
    Self.compare(account.span, currency, other, otherCurrency)
  }

  private static func compare(
    _ left: Span<UInt8>, _ leftCurrency: Currency?, _ right: Span<UInt8>, _ rightCurrency: Currency
  ) -> Int {
    guard let leftCurrency else { return -1 }
    let order = left.compare(right)
    return order == 0 ? Int(leftCurrency.index) - Int(rightCurrency.index) : order
  }
}
