import ArgumentParser
import Console
import Failures
import Journals
import Ledger
import Records

/// `settle journal`: the settled payments and refunds of a batch for programs of plain-text accounting.
struct JournalCommand: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract: "Write a batch, or the books of a period, as a journal for hledger, ledger or beancount.",
    discussion: """
      Settles the batch again. Writes one transaction a payment, then one a refund: assets:senders:ACCOUNT, \
      liabilities:receivers:ACCOUNT of each receiver, and income:fees; accounts and commodities are declared, and all \
      balances asserted at the end. Amounts above zero are debits: what is owed to receivers, and what was earned, is \
      below zero. \
      Transactions have the day of their own createdAt in UTC, else the settlement day. With --ledger, payments that \
      an earlier run settled are left out, as this batch's own run rejected them, and their refunds are included.

      Without a batch, --ledger, --since and --until write the books of a period: opening balances, then one \
      transaction for each run and currency, each payment that came back, each adjustment and each payment of a payout, \
      by booking day. So assets:payouts is what was sent to banks, income:fees what was earned, and all of \
      liabilities:receivers what is owed, as settle balances shows it. With --book-since, the journal goes on where \
      journals of the days before ended: without opening balances, and without what they declare.

      EXAMPLES:
        settle journal night.jsonl.lz4 --format hledger --output night.journal
        settle journal night.jsonl.lz4 --format ledger --output - | ledger -f - --pedantic balance liabilities
        settle journal night.jsonl.lz4 --format beancount --output night.beancount --date 2026-11-20
        settle journal --ledger settled/ledger --since 2026-10-01 --until 2026-10-31 --format hledger --output october
        settle journal --ledger settled/ledger --since 2026-11-01 --until 2026-11-30 --book-since 2026-10-01 --format hledger --output november
      """)

  @Argument(help: .batchOrPeriod, completion: .file())
  var batch: [String] = []

  @OptionGroup var period: PeriodOptions

  @Option(.dayOfLedger("The first day of the book that the journal of a period goes on; default: that of the period."))
  var bookSince: CalendarDay?

  @OptionGroup var rules: RuleOptions
  @OptionGroup var threads: ThreadOption

  @Option(help: "The program to write for: hledger, ledger or beancount.")
  var format: JournalFormat

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to make; it must not exist. - is standard output.", valueName: "file"),
    completion: .file())
  var output: String

  @Option(
    .day(
      "The settlement day, for payments and refunds without createdAt; default: that of the header's createdAt in UTC.")
  )
  var date: CalendarDay?

  @OptionGroup var ledger: ReadLedgerOption
  @Option(help: ControlTotalsPolicy.help) var controlTotals = ControlTotalsPolicy.enforce
  @OptionGroup var log: LogOptions

  func validate() throws {
    try BatchOptions.expectOneReader(batch)
    try period.expectBoth()
    try period.expectOne(or: batch)
    if output.isEmpty { throw ValidationError("--output needs the name of a file.") }
    if period.days != nil {
      try period.expectAlone(rules, controlTotals, date: date, ledger: ledger.ledger)
    }
    guard let bookSince else { return }
    guard let days = period.days else {
      throw ValidationError("--book-since is for a period; the journal of a batch is a book of its own.")
    }
    guard bookSince <= days.lowerBound else {
      throw ValidationError(
        "--book-since \(bookSince.text) is after --since \(days.lowerBound.text): a book begins with its first journal."
      )
    }
  }

  func execute() throws(Failure) -> Int32 {
    if let days = period.days { return try write(over: days, LedgerReading.warned(ledger.ledger!)) }
    var options = try rules.runOptions(for: batch, threads: threads.count, controlTotals: controlTotals)
    let file = try OutputFile(path: output, replaces: false)
    options.scratch = file.scratchPath
    let ledger = try ledger.open(batch, &options)
    let result = try Journal.write(
      batch, as: format, settlementDay: date?.start, options: options,
      ledger: ledger, progress: ProgressLine.forTerminal(),
      output: { bytes throws(Failure) in try file.write(bytes) })
    try file.publish()
    if let mismatch = result.controlMismatch { Log.warning(mismatch) }
    let totals = result.totals
    Log.notice(
      "\(Terminal.count(totals.recordsRead, "record")): \(Terminal.count(totals[.settled] + totals[.refunded], "transaction")); "
        + "\(totals[.rejected]) rejected, \(totals[.pending]) pending, \(totals[.held]) held; "
        + "control totals \(result.controlTotals.rawValue)")
    return result.exitCode
  }

  private func write(over days: ClosedRange<CalendarDay>, _ ledger: LedgerReading) throws(Failure) -> Int32 {
    ledger.noticeEmpty(days)
    ledger.noticeOpen(days.upperBound)
    let file = try OutputFile(path: output, replaces: false)
    let count = try PeriodJournal(days, ofBookSince: bookSince, as: format).write(ledger, scratch: file.scratchPath) {
      bytes throws(Failure) in try file.write(bytes)
    }
    try file.publish()
    Log.notice("\(Terminal.count(count, "transaction")): \(file.shown)")
    return 0
  }
}

extension JournalFormat: ExpressibleByArgument {}
