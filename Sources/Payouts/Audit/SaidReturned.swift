import Failures
import Ledger
import Documents

/// What a payout's directory says because the ledger cannot know it: which balances wait as `RETURNED`, and how many
/// payments went to another bank account.
final class SaidReturned {
  let changedAccounts: Int?
  /// Nil without a `carried.csv`, which is a finding elsewhere.
  private let rows: BalanceRows?
  private var hasRow = false

  init(_ summary: PayoutSummary, _ folder: ReportFolder) throws(Failure) {
    changedAccounts = summary.changedAccounts
    let log = FindingLog()
    rows = try folder.open(PayoutReport.carried.fileName, log).map { lines throws(Failure) in
      try BalanceRules(summary).carried(lines, log)
    }
    hasRow = try rows?.next() ?? false
  }

  /// Whether the directory says that a book's current balance came back. Call in ascending order.
  func isReturned(_ book: BookReading) throws(Failure) -> Bool {
    guard let rows else { return false }
    let account = book.account
    while hasRow {
      let order = rows.compare(account.span, book.currency)
      if order >= 0 {
        return order == 0 && rows.row.text(CarriedReport.Column.reason) == CarriedReason.returned.rawValue
      }
      hasRow = try rows.next()
    }
    return false
  }
}
