import ArgumentParser
import Console
import Failures
import FileSystem
import Glibc
import Records
import Returns

/// `settle returns`: reads what banks answer to payments.
struct ReturnsCommand: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "returns",
    abstract: "Read what the bank answers to payments: returns, refusals, debits and corrected accounts.",
    discussion: """
      Reads pain.002, camt.053, camt.054, NACHA files and lists made by hand (reference,reason), finds the payments in \
      the ledger, and compares reference, currency, amount and date. Makes the output directory with returned.csv, which \
      settle payout --returned books; changes.csv, what the payees file should say instead; answers.csv, \
      returns.json and SHA256SUMS. The ledger and the payees are not changed. The same files may be given every night.

      With --confirm it also lists the payments of the payouts from a day on in payments.csv: which of them a debit of \
      the own account confirms, which came back, which are on their way, and which were not seen.

      Ends with 0, or with 1 if someone must look: an answer has a code in answers.csv, the bank asks for another \
      account number, a file's control totals disagree, or a payment was not seen. Ends with 78 if a file has errors; \
      then nothing is published, or, with --skip-errors, the directory is made of the others. settle --help lists the \
      other codes.

      EXAMPLES:
        settle returns status.xml returns.ach --ledger settled/ledger --debtor debtor.json --output answers/2026-11-25
        settle payout --ledger settled/ledger --payees payees.csv --date 2026-11-25 --output payouts/2026-11-25 \
      --returned answers/2026-11-25/returned.csv
        settle returns statements/*.xml --ledger settled/ledger --output answers/october --confirm 2026-10-01 --as-of \
      2026-10-31
      """)

  @Argument(.file("The bank's files, in any order; - is standard input.", valueName: "answer"))
  var answers: [String]

  @Option(.file("The ledger whose payouts are answered; it is only read."))
  var ledger: String

  @Option(.file("The accounts that pay, as settle payout takes them: answers about other accounts are not booked."))
  var debtor: String?

  @Flag(
    help: "Leave out files with errors: the directory is made of the others, and the command ends with 78 all the same."
  )
  var skipErrors = false

  @Option(
    help: ArgumentHelp(
      "List the payments of payouts dated from this day on, and which of them are confirmed.", valueName: "day"),
    transform: CalendarDay.parsedOfLedgers)
  var confirm: CalendarDay?

  @Option(
    help: ArgumentHelp(
      "With --confirm: the last day of payouts, and of answers that count (default: today, UTC).", valueName: "day"),
    transform: CalendarDay.parsedOfLedgers)
  var asOf: CalendarDay?

  @Option(
    help: ArgumentHelp(
      """
      With --confirm: a payment that is not confirmed so many days after its execution date was not seen: 0 to 365 \
      (default: \(ConfirmedPeriod.defaultWithin)).
      """, valueName: "days"))
  var within: Int?

  @Option(.output) var output: String

  @Option(.metrics) var metrics: String?

  @OptionGroup var log: LogOptions

  func validate() throws {
    try BatchOptions.expectOneReader(answers)
    guard confirm != nil || asOf == nil && within == nil else {
      throw ValidationError("--as-of and --within are for the list of payments: give its first day with --confirm.")
    }
    if let within, !ConfirmedPeriod.withinRange.contains(within) {
      throw ValidationError("--within takes 0 to \(ConfirmedPeriod.withinRange.upperBound) days, not \(within).")
    }
    if let period, period.asOf < period.since {
      throw ValidationError("--confirm \(period.since) is after \(asOf == nil ? "today" : "--as-of"), \(period.asOf).")
    }
  }

  /// The payments to list; nil for none.
  private var period: ConfirmedPeriod? {
    confirm.map { since in
      ConfirmedPeriod(
        since: since.text, asOf: (asOf ?? CalendarDay(second: time(nil))).text,
        within: within ?? ConfirmedPeriod.defaultWithin)
    }
  }

  func execute() throws(Failure) -> Int32 {
    let named = [ledger, ledger + "-lock"] + answers + [debtor].compactMap(\.self)
    guard let file = try MetricsFile.named(metrics, .returns, besides: named, outside: output) else {
      return try read().exitCode
    }
    return try file.closing(read, exitCode: \.exitCode) { exitCode, result in
      var figures: ReturnsFigures?
      if case .made(let made) = result { figures = made }
      let now = time(nil)
      return MetricsText.text(
        exitCode: exitCode, endTime: now, lastSuccess: figures == nil ? file.lastSuccess() : now, figures: figures)
    }
  }

  private func read() throws(Failure) -> ReturnsResult {
    var options = Returns.Options(answers: answers, ledger: ledger, output: output)
    (options.debtor, options.confirm, options.skipsErrors) = (debtor, period, skipErrors)
    let result = try Returns.make(options, open: Log.warn, note: Log.warning)
    switch result {
    case .made(let figures): try show(figures)
    case .faulty(let faults): for file in faults { Log.report(file) }
    }
    return result
  }

  private func show(_ figures: ReturnsFigures) throws(Failure) {
    for file in figures.leftOut { Log.report(file) }
    if !figures.leftOut.isEmpty {
      Log.warning(
        "\(Terminal.count(figures.leftOut.count, "file")) left out, because of these errors; what they say is not booked"
      )
    }
    for text in figures.disagreements {
      Log.warning("\(text). Answers may be missing: ask the bank for the whole file")
    }
    if !figures.codes.isEmpty {
      let codes = figures.codes.map { "\($0.code.rawValue) \($0.count)" }.joined(separator: ", ")
      Log.notice("to look at: \(codes). See answers.csv; docs/errors.md says what to do about each code.")
    }
    if figures.results.contains(where: { $0.result == .change }) {
      Log.notice("banks ask for other accounts: correct the payees file as changes.csv says.")
    }
    let notSeen = figures.payments.filter { $0.state == .notSeen }.reduce(0) { $0 + $1.count }
    if notSeen > 0 {
      let count = Terminal.count(notSeen, "payment")
      Log.notice("\(count) not seen: ask the bank whether it got the files. payments.csv names them.")
    }
    let results = figures.results.map { "\($0.result.rawValue) \($0.count)" } + ["others \(figures.others)"]
    var lines = ["Answers: \(results.joined(separator: ", "))."]
    let rows = figures.returned.map { [$0.currency.code, "\($0.payments)", $0.amount.grouped] }
    if !rows.isEmpty { lines += [""] + Table.lines(["currency", "payments", "returned"], rows) + [""] }
    let payments = figures.payments.map {
      [$0.currency.code, $0.state.rawValue, "\($0.count)", $0.amount.grouped]
    }
    if !payments.isEmpty {
      lines += [""] + Table.lines(["currency", "state", "payments", "amount"], payments, texts: 2) + [""]
    }
    lines.append("Files: \(OutputPlace.shown(output))")
    try Terminal.print(lines.joined(separator: "\n"))
  }
}
