import BatchRun
import ExactArithmetic
import Ledger
import Money
import Reports
import Verification

extension PayoutFigures {
  /// The figures of a published payout, from its directory.
  ///
  /// - Parameter ledger: the payout's ledger, which has the times of the runs.
  /// - Returns: nil if the directory does not contain exactly what a payout writes.
  public static func published(_ path: String, ledger: String) throws(RunFailure) -> PayoutFigures? {
    let audit = PayoutAudit(try ReportFolder(path: path))
    try audit.readSummary()
    try audit.readReturns()
    try audit.readBalances(nil)
    guard audit.log.count == 0, let summary = audit.summary else { return nil }
    var figures = PayoutFigures(number: summary.number)
    figures.totals = summary.totals.compactMap(Total.init)
    figures.reasons = CarriedReason.allCases.compactMap { reason in
      summary.reasons[reason].map { (reason: reason, count: $0) }
    }
    figures.files = summary.files
    if let since = audit.oldestDebt,
      let run = try RunHistory(ledger: ledger).runs.first(where: { $0.number == since })
    {
      figures.oldestDebt = (since, run.entry.time)
    }
    return figures
  }
}

extension PayoutFigures.Total {
  fileprivate init?(_ entry: PayoutEntry.Total) {
    guard let currency = Currency(code: entry.currency) else { return nil }
    self.init(currency)
    func amount(_ text: String) -> ExactDecimal { ExactDecimal(text)! }
    (opening, settled, returned) = (amount(entry.opening), amount(entry.settled), amount(entry.returned))
    (paid, carried, owing) = (amount(entry.paid), amount(entry.carried), amount(entry.owing))
    (instructions, accountsCarried) = (entry.instructions, entry.accountsCarried)
    accountsOwing = entry.accountsOwing
  }
}
