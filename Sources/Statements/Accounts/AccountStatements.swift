import Documents
import Accounts
import Failures
import Records

/// Statements of accounts over a period: everything that changed their balances, from the ledger and the directories of
/// its nights.
public struct AccountStatements {
  /// The first and the last day, both included.
  private let days: ClosedRange<CalendarDay>
  private let format: StatementFormat
  private let locale: StatementLocale
  private let payee: ((_ account: [UInt8]) -> PagePayee?)?
  private let selected: SelectedAccounts?
  private let readsNights: Bool

  /// - Parameters:
  ///   - days: the first and the last day.
  ///   - format: csv or html.
  ///   - locale: the language of pages and their way of writing amounts.
  ///   - payee: the payee with an account, whose language comes before `locale`; nil to show no payees.
  ///   - selected: the accounts; nil for all that have a row.
  ///   - readsNights: whether to show the figures of nights, which come from their directories.
  public init(
    _ days: ClosedRange<CalendarDay>, as format: StatementFormat, locale: StatementLocale?,
    payee: ((_ account: [UInt8]) -> PagePayee?)? = nil, accounts selected: SelectedAccounts?, readsNights: Bool
  ) {
    precondition(format != .stl, "a settlement report is of one night")
    (self.days, self.format, self.locale) = (days, format, locale ?? .default)
    self.payee = payee
    (self.selected, self.readsNights) = (selected, readsNights)
  }

  /// Publishes the statements, all or nothing: as the directory `output`, or as an archive of the same files.
  ///
  /// - Parameter threads: how many write files.
  /// - Returns: the numbers of statements and rows. The output is published when this returns.
  package func write(
    _ ledger: AccountLedger, output: String, threads: Int
  ) throws(Failure) -> (accounts: Int, rows: Int) {
    for account in selected?.accounts ?? [] { try ledger.expectKnown(account, readsNights: readsNights) }
    let (year, month, day) = days.upperBound.date
    let names = StatementNames(
      format: format, day: UTCTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0))
    return try Statements.publish(output, threads: threads) { spool throws(Failure) in
      let places = ledger.order.places(since: days.lowerBound, until: days.upperBound)
      let period = try AccountPeriod(
        ledger, places, isSelected: { [selected] in selected?.number(of: $0) != nil || selected == nil },
        spool: readsNights ? spool : nil)
      return Statements.Prepared(period, names, exitCode: 0)
    } write: { period, names, files throws(Failure) in
      let accounts = AccountFiles(to: files, names: names, selected: selected)
      let rows =
        format == .html
        ? try write(period, to: accounts, AccountPage(locale, days, payee: payee))
        : try write(period, to: accounts, AccountRows(days))
      try ledger.expectUnchanged()
      return (accounts.count, rows)
    }
  }

  private func write<Writer: AccountWriter>(
    _ period: AccountPeriod, to files: AccountFiles, _ writer: Writer
  ) throws(Failure) -> Int {
    var writer = writer
    var rows = 0
    while try period.next() {
      if files.isOpen, !files.isCurrent(period.account.span) { try end(files, &writer) }
      if !files.isOpen { try begin(period.account, files, &writer) }
      try files.append { writer.append(period, to: &$0) }
      rows += period.rows.count + 2
    }
    if files.isOpen { try end(files, &writer) }
    do throws(Failure) {
      try files.finish { account throws(Failure) in
        try begin(account, files, &writer)
        try end(files, &writer)
      }
    } catch { throw error }
    return rows
  }

  private func begin(
    _ account: [UInt8], _ files: AccountFiles, _ writer: inout some AccountWriter
  ) throws(Failure) {
    try files.begin(account.span)
    try files.append { writer.begin(account, to: &$0) }
  }

  private func end(_ files: AccountFiles, _ writer: inout some AccountWriter) throws(Failure) {
    try files.append { writer.end(to: &$0) }
    try files.end()
  }
}
