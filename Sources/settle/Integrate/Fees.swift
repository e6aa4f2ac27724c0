import ArgumentParser
import Console
import Failures
import Records
import Settlement

/// `settle fees`: the fee schedule in force, or what accounts were charged in a period.
struct Fees: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "fees",
    abstract: "Show the fee schedule in force, or what accounts were charged in a period.",
    discussion: """
      With --ledger, --since and --until: what each account was charged in a period, by currency and name of the fee, \
      for invoices to sellers. The account is the one that bore the fee. payments and refunds count the fees; total is \
      fee and VAT less what came back. Nights by booking day; their figures come from their directories. A night \
      without named fees has the name fee.

      EXAMPLES:
        settle fees
        settle fees --fees fees.json
        settle fees --ledger settled/ledger --since 2026-10-01 --until 2026-10-31 --format csv >fees-2026-10.csv
      """)

  @Option(
    help: ArgumentHelp("Show this fee schedule instead of the built-in one.", valueName: "file"), completion: .file())
  var fees: String?

  @Option(.ledgerOfPeriod) var ledger: String?

  @OptionGroup var period: PeriodOptions

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("In a period, only these accounts, in any letter case.", valueName: "account"))
  var account: [String] = []

  @Option(help: "How the list of a period looks: table, csv or jsonl.")
  var format: ListFormat?

  @OptionGroup var log: LogOptions

  func validate() throws {
    guard ledger != nil else {
      guard !period.areGiven, account.isEmpty, format == nil else {
        throw ValidationError("A period needs --ledger, which keeps its nights.")
      }
      return
    }
    if fees != nil {
      throw ValidationError("--fees shows a schedule, without --ledger; a period shows what its nights charged.")
    }
    guard period.days != nil else { throw ValidationError("A period needs both --since and --until.") }
  }

  func execute() throws(Failure) -> Int32 {
    guard let ledger, let days = period.days else {
      try Terminal.emit(ScheduleText(RuleFile.readFees(fees)).lines)
      return 0
    }
    let charged = PeriodFees(days: days, accounts: account.map { $0.utf8.map(Account.lowercased) })
    try charged.show(.warned(ledger), as: format ?? .table)
    return 0
  }
}
