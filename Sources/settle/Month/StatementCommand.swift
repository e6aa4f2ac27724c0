import Documents
import BatchRun
import Accounts
import ArgumentParser
import Console
import Failures
import FileSystem
import Ledger
import Payouts
import Records
import Statements
import Text

/// `settle statement`: writes what each account received, and what it returned in refunds, as files.
struct StatementCommand: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "statement",
    abstract: "Write statements of accounts, of a batch or of a period.",
    discussion: """
      Settles the batch again, by the same rules, and makes the output directory with a statement for each account and \
      accounts.csv, which lists whose file is which: names of files are numbers, never accounts. An output whose name \
      ends in .tar is an archive of the same files instead, accounts.csv first; it is made faster than many files. \
      Payments come first, then refunds, each with its payment; payments of earlier runs are known only with --ledger. \
      With --ledger, payments that an earlier run settled are left out, as this batch's own run rejected them.

      Format stl is PayPal's Settlement Report, version 009: NUMBER/STL-YYYYMMDD.01.009.CSV. Format csv is NUMBER.csv. Format \
      html is NUMBER.html, a page to read and print, in the words and with the amounts and dates of --locale.

      Without a batch, --ledger, --since and --until make statements over a period, in csv or html: the opening \
      balance, each night, each payout, each payment that came back, each adjustment, and the closing balance. With \
      --rows payments each payment and refund has a row instead of its night. Nights are read from their directories; \
      with --no-nights no directory is read.

      With --payout, the statements show what the payments of a payout consist of, or one of them: everything since the \
      last payment to that account in that currency. An output whose name ends in .csv is one file with the rows of all.

      EXAMPLES:
        settle statement night.jsonl.lz4 --account shop@mail.example --format stl --output statement
        settle statement night.jsonl.lz4 --all-accounts --format csv --output statements --date 2026-11-20
        settle statement night.jsonl.lz4 --all-accounts --format stl --output statements.tar
        settle statement night.jsonl.lz4 --account shop@mail.example --format html --locale de_DE --output statement
        settle statement --ledger settled/ledger --payout P12-345 --format csv --output P12-345
        settle statement --ledger settled/ledger --payout 12 --format csv --output payout-12.csv
        settle statement --ledger settled/ledger --since 2026-10-01 --until 2026-10-31 --all-accounts --format csv \
      --output october
      """)

  @Argument(help: .batchOrPeriod, completion: .file())
  var batch: [String] = []

  @OptionGroup var period: PeriodOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var threads: ThreadOption

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "The accounts, in any letter case; one without payments gets a statement, too.", valueName: "account"))
  var account: [String] = []

  @Flag(help: "Make a statement for every account that received something.")
  var allAccounts = false

  @Option(help: "How the statements look: stl, csv or html.")
  var format: StatementFormat

  @Option(help: ArgumentHelp("The locale of words, amounts and dates on pages, such as de_DE; default: en_US."))
  var locale: StatementLocale?

  @Option(.file("The payees of the payouts: pages of a period show the name and address, in the payee's language."))
  var payees: String?

  @Option(
    help: ArgumentHelp(
      "The payout whose payments are shown with their contents, or one of them by its reference, such as P12-345.",
      valueName: "payout"), transform: AskedPayout.parsed)
  var payout: AskedPayout?

  @Option(
    name: .customLong("rows"),
    help: ArgumentHelp(
      "In a period or payout, a row for each night, or for each payment and refund: nights or payments. Default: nights in "
        + "a period, payments in a payout."))
  var nightRows: NightRowKind?

  @Flag(help: "In a period or payout, leave out the figures of nights, and read no directory.")
  var noNights = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The directory, or .tar archive, to make; its parent must exist.", valueName: "dir"),
    completion: .directory)
  var output: String

  @Option(
    help: ArgumentHelp("The settlement day; default: the day of the batch's header, in UTC.", valueName: "yyyy-mm-dd"),
    transform: CalendarDay.parsed)
  var date: CalendarDay?

  @OptionGroup var ledger: ReadLedgerOption
  @Option(help: ControlTotalsPolicy.help) var controlTotals = ControlTotalsPolicy.enforce
  @OptionGroup var log: LogOptions

  func validate() throws {
    try BatchOptions.expectOneReader(batch)
    try period.expectBoth()
    if output.isEmpty { throw ValidationError("--output needs the name of a directory or archive.") }
    if output.lowercased().hasSuffix(".zip") { throw ValidationError("An archive is written as .tar, never as .zip.") }
    if payout == nil {
      try period.expectOne(or: batch, ", or a payout with --payout")
    } else {
      try validatePayout()
    }
    if account.isEmpty != (allAccounts || payout != nil) {
      throw ValidationError("Give either --account with the accounts, or --all-accounts.")
    }
    if locale != nil, format != .html {
      throw ValidationError("--locale is for --format html; other formats are for programs, and the same everywhere.")
    }
    if payees != nil, format != .html || period.days == nil {
      throw ValidationError("--payees is for pages of a period: with --format html, --since and --until.")
    }
    if period.days != nil {
      if format == .stl {
        throw ValidationError("--format stl is PayPal's report of one night; a period has --format csv or html.")
      }
      try period.expectAlone(rules, controlTotals, date: date, ledger: ledger.ledger)
    } else if payout == nil, noNights || nightRows != nil {
      throw ValidationError(
        "\(noNights ? "--no-nights" : "--rows") is for a period, with --since and --until, or a payout, with --payout; a "
          + "statement of a batch has a row for each payment.")
    }
    if noNights, nightRows == .payments {
      throw ValidationError("--rows payments reads the directories of nights; leave out --no-nights.")
    }
    if let invalid = account.first(where: { Account.canonical($0.utf8) == nil }) {
      throw ValidationError(
        "--account takes email addresses and phone numbers; \(OutputPlace.shown(invalid)) is neither.")
    }
  }

  private func validatePayout() throws {
    guard batch.isEmpty, period.days == nil, account.isEmpty, !allAccounts, date == nil, payees == nil else {
      throw ValidationError(
        "--payout shows the payments of a payout: leave out the batch, --since, --until, --account, --all-accounts, --date "
          + "and --payees.")
    }
    if rules.areGiven || controlTotals == .warn {
      throw ValidationError("Options of rules are for a batch; a payout shows what its nights settled.")
    }
    if ledger.ledger == nil { throw ValidationError("--payout needs --ledger, which keeps its nights and payouts.") }
    if format == .stl {
      throw ValidationError("--format stl is PayPal's report of one night; a payout has --format csv or html.")
    }
    if format == .html, output.hasSuffix(".csv") {
      throw ValidationError(
        "\(OutputPlace.shown(output)) is one CSV file; pages are files of a directory or .tar archive.")
    }
  }

  func execute() throws(Failure) -> Int32 {
    if let days = period.days { return try write(over: days) }
    if let payout { return try write(payout) }
    var options = try rules.runOptions(for: batch, threads: threads.count, controlTotals: controlTotals)
    options.scratch = output
    let ledger = try ledger.open(batch, &options)
    let (result, counts) = try Statements.write(
      batch, as: format, locale: locale, accounts: allAccounts ? nil : SelectedAccounts(account),
      day: date?.start, output: output, options: options,
      ledger: ledger, progress: ProgressLine.forTerminal())
    log(result, counts)
    return result.exitCode
  }

  private func write(over days: ClosedRange<CalendarDay>) throws(Failure) -> Int32 {
    var payees: PagePayees?
    if let path = self.payees {
      let read = try PagePayees.read(path)
      if let faults = read.faults {
        Log.report(faults)
        return PayoutResult.faulty([faults]).exitCode
      }
      payees = read.payees
    }
    let ledger = try LedgerReading.warned(self.ledger.ledger!)
    ledger.noticeEmpty(days)
    ledger.noticeOpen(days.upperBound)
    let statements = AccountStatements(
      days, as: format, locale: locale, payee: payees?.payee, accounts: allAccounts ? nil : SelectedAccounts(account),
      rows: noNights ? nil : nightRows ?? .nights)
    return try write(statements, ledger)
  }

  private func write(_ payout: AskedPayout) throws(Failure) -> Int32 {
    let ledger = try LedgerReading.warned(self.ledger.ledger!)
    let statements = AccountStatements(
      try payout.entry(in: ledger), only: payout.payment, as: format, locale: locale,
      rows: noNights ? nil : nightRows ?? .payments)
    return try write(statements, ledger)
  }

  private func write(_ statements: AccountStatements, _ ledger: LedgerReading) throws(Failure) -> Int32 {
    let (accounts, rows) = try statements.write(ledger, output: output, threads: threads.count)
    Log.notice(
      "\(Terminal.count(accounts, "statement")) of \(Terminal.count(rows, "row")): \(OutputPlace.shown(output))")
    return 0
  }

  private func log(_ result: RunResult, _ counts: Statements.Counts) {
    if let mismatch = result.controlMismatch { Log.warning(mismatch) }
    if counts.textsWithoutBackslashes > 0 {
      Log.warning(
        "\(Terminal.count(counts.textsWithoutBackslashes, "Custom Field")) written without backslashes at the end or "
          + "before a quote, which some readers stumble over")
    }
    if counts.textsLeftOut > 0 {
      Log.warning(
        "\(Terminal.count(counts.textsLeftOut, "Custom Field")) left out: more than 20 bytes without a dot, "
          + "which some readers stumble over")
    }
    if counts.rowsMasked > 0 {
      Log.warning("\(Terminal.count(counts.rowsMasked, "row")) written with a card number masked")
    }
    let totals = result.totals
    Log.notice(
      "\(Terminal.count(totals.recordsRead, "record")): \(totals[.settled]) settled\(ClosingTable.others(totals)), "
        + "\(totals[.rejected]) rejected; "
        + "\(Terminal.count(counts.accounts, "statement")) of \(Terminal.count(counts.rows, "row")): "
        + OutputPlace.shown(output))
  }
}

extension StatementFormat: ExpressibleByArgument {}

extension NightRowKind: ExpressibleByArgument {}

extension StatementLocale: ExpressibleByArgument {
  /// The locale with a name.
  public init?(argument: String) { self.init(argument) }

  /// The names of all locales.
  public static var allValueStrings: [String] { all.map(\.name) }

  /// Shells complete the names.
  public static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
