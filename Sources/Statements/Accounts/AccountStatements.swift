import Documents
import Accounts
import Failures
import Ledger
import Records

/// Statements of accounts over nights: what changed their balances, from the ledger and the directories of its nights.
public struct AccountStatements {
  /// What they show.
  private enum Subject {
    case period(ClosedRange<CalendarDay>)
    /// The payments of a payout, or one of them.
    case payout(PayoutEntry, only: PaymentReference?)
  }

  private let subject: Subject
  private let format: StatementFormat
  private let locale: StatementLocale
  private let payee: ((_ account: [UInt8]) -> PagePayee?)?
  private let selected: SelectedAccounts?
  private let rows: NightRowKind?

  /// Statements over a period.
  ///
  /// - Parameters:
  ///   - days: the first and the last day, both included.
  ///   - format: csv or html.
  ///   - locale: the language of pages and their way of writing amounts.
  ///   - payee: the payee with an account, whose language comes before `locale`; nil to show no payees.
  ///   - selected: the accounts; nil for all that have a row.
  ///   - rows: how much of nights to show, which comes from their directories; nil to read no directory.
  package init(
    _ days: ClosedRange<CalendarDay>, as format: StatementFormat, locale: StatementLocale?,
    payee: ((_ account: [UInt8]) -> PagePayee?)? = nil, accounts selected: SelectedAccounts?, rows: NightRowKind?
  ) {
    precondition(format != .stl, "a settlement report is of one night")
    (subject, self.format, self.locale) = (.period(days), format, locale ?? .default)
    (self.payee, self.selected, self.rows) = (payee, selected, rows)
  }

  /// Statements of the payments of a payout.
  ///
  /// - Parameter only: one of them; nil for all.
  package init(
    _ payout: PayoutEntry, only: PaymentReference?, as format: StatementFormat, locale: StatementLocale?,
    rows: NightRowKind?
  ) {
    (subject, self.format, self.locale) = (.payout(payout, only: only), format, locale ?? .default)
    (payee, selected, self.rows) = (nil, nil, rows)
  }

  /// Publishes the statements, all or nothing: as the directory `output`, as an archive of the same files, or, of a
  /// payout, as one CSV file with the rows of all.
  ///
  /// - Parameter threads: how many read nights, and write files.
  /// - Returns: the numbers of statements and rows. The output is published when this returns.
  package func write(
    _ ledger: LedgerReading, output: String, threads: Int
  ) throws(Failure) -> (accounts: Int, rows: Int) {
    for account in selected?.accounts ?? [] { try ledger.expectKnown(account, readsNights: rows != nil) }
    let table = isTable(output) ? AccountRows(rows, namesTransfer: true) : nil
    return try Statements.publish(output, table: table?.header, threads: threads) { makeSpool throws(Failure) in
      let sections = try sections(ledger, rows.map { NightReading($0, threads: threads, makeSpool: makeSpool) })
      return Statements.Prepared(sections, StatementNames(format: format, day: day), exitCode: 0)
    } write: { sections, names, files throws(Failure) in
      let accounts = AccountFiles(to: files, names: names, selected: selected)
      let rows =
        format == .html
        ? try write(sections, to: accounts, AccountPage(locale, lines, self.rows, payee: payee))
        : try write(sections, to: accounts, table ?? AccountRows(self.rows))
      try ledger.expectUnchanged()
      return (accounts.count, rows)
    }
  }

  private func isTable(_ output: String) -> Bool {
    if case .payout = subject { output.hasSuffix(".csv") } else { false }
  }

  /// The day of an archive.
  private var day: UTCTime {
    let shown =
      switch subject {
      case .period(let days): days.upperBound
      case .payout(let payout, _): CalendarDay(payout.identity.date)!
      }
    let (year, month, day) = shown.date
    return UTCTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0)
  }

  private func sections(_ ledger: LedgerReading, _ reading: NightReading?) throws(Failure) -> any AccountSections {
    switch subject {
    case .period(let days):
      try AccountPeriod(
        ledger, since: days.lowerBound, until: days.upperBound,
        of: selected.map { .these(Set($0.accounts)) } ?? .all, reading)
    case .payout(let payout, let only): try PayoutContents(ledger, of: payout, only: only, reading)
    }
  }

  /// What a page is about.
  private func lines(_ locale: StatementLocale) -> [(StatementWord, String)] {
    switch subject {
    case .period(let days):
      [(.period, [days.lowerBound, days.upperBound].map { locale.date($0.text) }.joined(separator: " – "))]
    case .payout(let payout, _): [(.payout, "\(payout.number)"), (.date, locale.date(payout.identity.date))]
    }
  }

  private func write<Writer: AccountWriter>(
    _ sections: any AccountSections, to files: AccountFiles, _ writer: Writer
  ) throws(Failure) -> Int {
    var writer = writer
    var rows = 0
    let section = sections.section
    while try sections.next() {
      if files.isOpen, !files.isCurrent(section.account.span) { try end(files, &writer) }
      if !files.isOpen { try begin(section.account, files, &writer) }
      rows += try append(section, to: files, &writer)
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

  /// Writes a section, piece by piece: it may have a row for each payment of many nights.
  ///
  /// - Returns: the number of its rows.
  private func append(
    _ section: AccountSection, to files: AccountFiles, _ writer: inout some AccountWriter
  ) throws(Failure) -> Int {
    var rows = 2
    try files.append { writer.begin(section, to: &$0) }
    for row in section.rows {
      guard section.showsPayments(of: row) else {
        try files.append { writer.append(row, of: section, to: &$0) }
        rows += 1
        continue
      }
      do throws(Failure) {
        try section.forEachPayment(of: row) { payment throws(Failure) in
          try files.append { writer.append(payment, row, of: section, to: &$0) }
          rows += 1
        }
      } catch { throw error }
    }
    try files.append { writer.end(section, to: &$0) }
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
