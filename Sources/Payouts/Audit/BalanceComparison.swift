import ExactArithmetic
import Failures
import Ledger
import Documents
import Text

/// The balances of a ledger, compared with the rows of a payout.
final class BalanceComparison {
  private let book: BookReading
  private let shown: String
  private let comparesRuns: Bool
  private var isAtBalance = false
  private var hasBegun = false

  /// - Parameters:
  ///   - shown: the ledger's path, for messages.
  ///   - comparesRuns: whether balances must exist since the runs that the rows state.
  init(_ book: BookReading, shown: String, comparesRuns: Bool = true) {
    (self.book, self.shown, self.comparesRuns) = (book, shown, comparesRuns)
  }

  /// Goes to the next balance that is not zero, and adds each balance on the way to the totals.
  private func advance(_ totals: inout RunningTotals) throws(Failure) {
    repeat {
      isAtBalance = try book.next()
      if isAtBalance { totals.add(book) }
    } while isAtBalance && book.closing.isZero
  }

  /// Compares a balance with its payment's row and its row in `carried.csv`, which are of one account and currency.
  ///
  /// - Parameters:
  ///   - paid: nil if nothing is paid.
  ///   - carried: nil if nothing is carried.
  func compare(
    _ paid: BalanceRows?, _ carried: BalanceRows?, _ totals: inout RunningTotals, _ log: FindingLog
  ) throws(Failure) {
    let (rows, report) = (carried ?? paid!, carried == nil ? PayoutReport.payouts : .carried)
    if !hasBegun { try advance(&totals) }
    hasBegun = true
    while isAtBalance, order(rows) > 0 {
      miss(log)
      try advance(&totals)
    }
    guard isAtBalance, order(rows) == 0 else {
      return log.add(report.fileName, line: rows.line, "the ledger has no such balance")
    }
    let rest = paid == nil || carried == nil ? book.closing : book.closing - paid!.amount
    if rows.amount != rest {
      log.add(
        report.fileName, line: rows.line, field: report == .payouts ? "amount" : "balance", found: "\(rows.amount)",
        expected: "\(rest)", "the balance that the ledger has" + (rest == book.closing ? "" : ", less the payment"))
    }
    if let since = carried?.since, comparesRuns, since != book.since {
      log.add(
        report.fileName, line: rows.line, field: "since", found: "\(since)", expected: "\(book.since)",
        "the run that the ledger has")
    }
    try advance(&totals)
  }

  /// Ends the comparison: the ledger must have no balance left.
  func finish(_ totals: inout RunningTotals, _ log: FindingLog) throws(Failure) {
    if !hasBegun { try advance(&totals) }
    while isAtBalance {
      miss(log)
      try advance(&totals)
    }
  }

  /// Negative, zero or positive if a row comes before, belongs to, or comes after the current balance.
  private func order(_ rows: BalanceRows) -> Int {
    let account = book.account
    return rows.compare(account.span, book.currency)
  }

  private func miss(_ log: FindingLog) {
    let account = MessageText.identifier(book.account)
    log.add(
      PayoutReport.carried.fileName, expected: "\(account), \(book.currency.code) \(book.closing)",
      "the ledger has this balance, but there is no row for it")
  }
}
