import ArgumentParser
import Console
import Failures
import FileSystem
import FoundationEssentials
import Glibc
import Logging
import Payouts
import Records

/// `settle payout`: turns balances into payments and bank files; or, with `adopt`, enters an earlier payout.
struct PayoutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "payout",
    abstract: "Turn the balances of a ledger into payments and bank files.",
    subcommands: [MakePayout.self, AdoptPayout.self],
    defaultSubcommand: MakePayout.self)
}

/// `settle payout adopt`: enters a payout whose directory exists.
struct AdoptPayout: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "adopt",
    abstract: "Enter a payout that a ledger lacks, from its directory.",
    discussion: """
      A ledger that was restored or made again may lack payouts that were made. Their money must not be paid again, so \
      settle payout refuses until each of them is entered, or given up with settle ledger adopt. This enters one under \
      its own number, after its directory is verified. If it is entered already, it says so.

      EXAMPLES:
        settle payout adopt payouts/2026-11-24 --ledger settled/ledger
      """)

  @Argument(.directory("The directory of the payout."))
  var directory: String

  @Option(.ledger) var ledger: String

  @Option(.witness) var witness: String?
  @OptionGroup var log: LogOptions

  func execute() throws(Failure) -> Int32 {
    try OutputPlace.expectOwn(witness: witness, besides: [ledger, ledger + "-lock"], output: directory)
    let outcome = try PayoutAdoption.adopt(directory, ledger: ledger, witness: witness, note: Log.warning)
    let shown = OutputPlace.shown(directory)
    if outcome.wasEntered {
      try Terminal.print("\(shown): is already entered in the ledger as payout \(outcome.number)")
      return 0
    }
    for warning in outcome.warnings { Log.warning(warning) }
    try Terminal.print("\(shown): entered in the ledger as payout \(outcome.number)")
    return 0
  }
}

/// `settle payout` without a subcommand: makes a payout.
struct MakePayout: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "make",
    abstract: "Turn the balances of a ledger into payments and bank files.",
    discussion: """
      Makes the output directory with payouts.csv, carried.csv, returned.csv, adjusted.csv, payouts.json, SHA256SUMS \
      and, with --debtor, pain.001 and NACHA files, all or nothing, and enters the payout in the ledger. An account that \
      owes is not paid, and nothing is paid twice. The directory contains bank accounts: only you can read it.

      With --dry-run all checks and decisions are made, and nothing is entered, published or changed, not even a \
      ledger of an earlier version: standard output gets a row of CSV for each balance. --output is then only looked \
      at, and may be left out.

      With --terms a balance is paid as far as it is free: the file says for each account, or * for all, how many days \
      earnings wait, which part is reserved for how long, and what stays on the account. Once a payout had terms, the \
      later ones need them. With --no-payments returns and adjustments are booked and no one is paid: for opening \
      balances, and to close a month.

      Ends with 0, or with 1 if a balance waits for someone to act: a payment came back, a payee or an account that \
      pays is missing, or an amount is too large. Ends with 3 if the same payout was made before into another \
      directory, or its files are gone or changed; with 78 if an input file has errors. settle --help lists the other \
      codes.

      The word make may be left out. settle payout adopt enters a payout that a ledger lacks.

      EXAMPLES:
        settle payout --ledger settled/ledger --payees payees.csv --date 2026-11-24 --output payouts/2026-11-24
        settle payout --ledger settled/ledger --payees payees.csv --date 2026-11-25 --debtor debtor.json \
      --returned returned.csv --minimum USD=1 --output payouts/2026-11-25
        settle payout --ledger settled/ledger --payees payees.csv --date 2026-11-26 --debtor debtor.json \
      --terms terms.csv --output payouts/2026-11-26
        settle payout --ledger settled/ledger --payees payees.csv --date 2026-12-01 --no-payments \
      --output payouts/2026-12-01
      """)

  @Option(.ledger) var ledger: String

  @Option(.witness) var witness: String?

  @Option(.file("Who is paid, and where: a CSV file."))
  var payees: String

  @Option(.dayOfLedger("The day of the payout.", name: .customLong("date")))
  var dates: [CalendarDay]

  @Option(.dayOfLedger("The day the bank is to pay: the day of the payout or later. Default: the day of the payout."))
  var executionDate: CalendarDay?

  @Option(help: ArgumentHelp("The last run that counts. Default: the last one entered.", valueName: "run"))
  var until: Int?

  @Option(
    help: ArgumentHelp(
      "In the first payout, the first run that counts: earlier runs were paid by hand.", valueName: "run"))
  var since: Int?

  @Option(
    name: .customLong("minimum"),
    help: ArgumentHelp("The least balance that is paid in a currency, such as USD=1.", valueName: "cur=amount"),
    transform: Minimum.parsed)
  var minimums: [Minimum] = []

  @Option(.file("Payments that came back: a CSV file, or several."))
  var returned: [String] = []

  @Option(.file("What was decided outside of batches, such as a debt that is written off: a CSV file, or several."))
  var adjustments: [String] = []

  @Option(.file("The accounts that pay: a JSON file. Needed to make the files for the bank."))
  var debtor: String?

  @Option(
    .file(
      "What is not free yet: delays, reserves and minimum balances of accounts, a CSV file.", name: .customLong("terms")
    ))
  var termsFiles: [String] = []

  @Flag(help: "Book returns and adjustments, and pay no one.")
  var noPayments = false

  @Option(.output) var output: String?

  @Flag(help: "Show what would be paid and why not, as CSV, and make nothing.")
  var dryRun = false

  @Flag(help: "Publish the files of an earlier payout again, in this directory; no second one is entered.")
  var republish = false

  @Option(.metrics) var metrics: String?

  @OptionGroup var log: LogOptions

  func validate() throws {
    guard dryRun || output != nil else { throw ValidationError("Missing expected argument '--output <dir>'") }
    for (option, isGiven) in [("--republish", republish), ("--metrics", metrics != nil)] where dryRun && isGiven {
      throw ValidationError("--dry-run makes nothing; leave out \(option).")
    }
    guard dates.count == 1 else { throw ValidationError("--date is given \(dates.count) times; expected one day.") }
    guard termsFiles.count <= 1 else {
      throw ValidationError("--terms is given \(termsFiles.count) times; expected one file.")
    }
    if let executionDate, executionDate < date {
      throw ValidationError("--execution-date takes the day of the payout or a later one.")
    }
    for (place, minimum) in minimums.enumerated()
    where minimums[..<place].contains(where: { $0.currency == minimum.currency }) {
      throw ValidationError("--minimum is given twice for \(minimum.currency.code).")
    }
  }

  private var date: CalendarDay { dates[0] }

  func execute() throws(Failure) -> Int32 {
    let kept =
      [ledger, ledger + "-lock", payees] + returned + adjustments + termsFiles + [debtor].compactMap(\.self)
    try OutputPlace.expectOwn(witness: witness, besides: kept, output: output)
    let used = kept + [witness].compactMap(\.self)
    guard let file = try MetricsFile.named(metrics, .payout, besides: used, outside: output) else {
      return try pay().exitCode
    }
    var isWitnessBehind: Bool?
    return try file.closing({ () throws(Failure) in try pay { isWitnessBehind = $0 } }, exitCode: \.exitCode) {
      metricsText($0, $1, lastSuccess: file.lastSuccess(), isWitnessBehind: isWitnessBehind)
    }
  }

  private func metricsText(
    _ exitCode: Int32, _ result: PayoutResult?, lastSuccess: Int?, isWitnessBehind: Bool?
  ) -> String {
    let now = time(nil)
    var (lastSuccess, isSuccess, figures) = (lastSuccess, true, PayoutFigures?.none)
    // Unless it is refused, the ledger lacks none. After another failure that is not known.
    var missing: Int? = result == nil ? nil : 0
    switch result {
    case .made(let made): (figures, lastSuccess) = (made, now)
    case .earlier(let earlier, let published, _):
      isSuccess = earlier.files == .inPlace || earlier.files == .publishedAgain
      figures = published
      let made = isSuccess ? try? Date(earlier.entry.time, strategy: .iso8601) : nil
      lastSuccess = [lastSuccess, made.map { Int($0.timeIntervalSince1970) }].compactMap(\.self).max()
    case .lacking(let refusal): (isSuccess, missing) = (false, refusal.count)
    case .faulty, .tried, nil: isSuccess = false
    }
    return MetricsText.text(
      exitCode: exitCode, isSuccess: isSuccess, endTime: now, lastSuccess: lastSuccess, missing: missing,
      gone: try? GoneDirectories(ledger: ledger).count, isWitnessBehind: isWitnessBehind, figures: figures)
  }

  private func pay(witnessed: (Bool) -> Void = { _ in }) throws(Failure) -> PayoutResult {
    var options = Payout.Options(
      ledger: ledger, payees: payees, date: date.text, executionDate: (executionDate ?? date).text, output: output)
    (options.untilRun, options.since) = (until, since)
    (options.returned, options.debtor, options.republishes) = (returned, debtor, republish)
    (options.adjustments, options.witness, options.isTrial) = (adjustments, witness, dryRun)
    (options.terms, options.hasNoPayments) = (termsFiles.first, noPayments)
    for minimum in minimums { options.minimums[minimum.currency] = minimum.amount }
    if dryRun, output == nil { Log.notice("the place of the payout was not looked at: --output is not given") }
    let result = try Payout.make(options, note: Log.warning, witnessed: witnessed, show: Terminal.emit)
    switch result {
    case .made(let figures): if let output { try PayoutClosing.print(figures, output: output) }
    case .tried(let figures): PayoutClosing.logReasons(figures)
    case .earlier(let earlier, _, let unpaid):
      let toldOutput = dryRun && earlier.files != .inPlace ? nil : output
      if dryRun, earlier.files == .inPlace {
        Log.notice("already made as \(earlier.entry.id), \(earlier.entry.time); its files are in place")
      } else {
        try earlier.report(output: toldOutput, rest: rest(unpaid))
      }
    case .faulty(let faults): for file in faults { Log.report(file) }
    case .lacking(let refusal):
      Log.logger.error("\(refusal.message)", metadata: ["exitCode": .stringConvertible(result.exitCode)])
    }
    return result
  }

  /// Says what an earlier payout left unpaid.
  private func rest(_ unpaid: [UnpaidBalances]) -> String {
    let sums = unpaid.map { "\($0.currency.code) \($0.amount) of \(Terminal.count($0.accounts, "account"))" }
    return sums.isEmpty
      ? "Nothing is unpaid"
      : "Still unpaid: \(sums.joined(separator: ", ")); another --date or another input makes a new payout of it"
  }
}
