import Accounts
import ArgumentParser
import Console
import Failures
import Money
import Records
import Rules
import Settlement
import Text

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

  @Option(
    help: ArgumentHelp("For a period: the ledger, as settle run --ledger made it.", valueName: "file"),
    completion: .file(), transform: named)
  var ledger: String?

  @Option(
    help: ArgumentHelp("The first day of the period, by booking day.", valueName: "YYYY-MM-DD"),
    transform: CalendarDay.parsedOfLedgers)
  var since: CalendarDay?

  @Option(
    help: ArgumentHelp("The last day of the period.", valueName: "YYYY-MM-DD"), transform: CalendarDay.parsedOfLedgers)
  var until: CalendarDay?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("In a period, only these accounts, in any letter case.", valueName: "account"))
  var account: [String] = []

  @Option(help: "How the list of a period looks: table, csv or jsonl.")
  var format: ListFormat?

  @OptionGroup var log: LogOptions

  func validate() throws {
    try CalendarDay.expectPeriod(since, until)
    guard ledger != nil else {
      guard since == nil, until == nil, account.isEmpty, format == nil else {
        throw ValidationError("A period needs --ledger, which keeps its nights.")
      }
      return
    }
    if fees != nil {
      throw ValidationError("--fees shows a schedule, without --ledger; a period shows what its nights charged.")
    }
    guard since != nil, until != nil else { throw ValidationError("A period needs both --since and --until.") }
  }

  func execute() throws(Failure) -> Int32 {
    guard let ledger, let since, let until else {
      try Terminal.emit(lines(RuleFile.readFees(fees)))
      return 0
    }
    let period = PeriodFees(days: since...until, accounts: account.map { $0.utf8.map(Account.lowercased) })
    try period.show(.opened(ledger), as: format ?? .table)
    return 0
  }

  private func lines(_ schedule: FeeSchedule) -> [String] {
    var lines = [
      "Fees are rounded \(schedule.rounding.rawValue). Cross-border payments add \(schedule.crossBorder) to the rate, "
        + "personal payments never do.",
      "",
    ]
    lines += Table.lines(
      ["plan", "rate", "cross-border rate", "fixed fees"],
      schedule.plans.map { plan in
        [
          shown(plan.name), plan.rate.description,
          plan.addsCrossBorder ? plan.crossBorderRate.description : "as the rate",
          plan.fixedTable.map(shown) ?? "none",
        ]
      })
    lines += ["", "Plan of a receiver, the first that applies:"]
    for source in FundingSource.allCases {
      lines.append(
        "  TYPE_PERSONAL from \(source.name): \(name(schedule.personalPlans[Int(source.number)], schedule)), "
          + "without the cross-border rate")
    }
    for entry in schedule.accountPlans.entries {
      lines.append("  \(String(decoding: entry.account, as: UTF8.self)): \(name(entry.plan, schedule))")
    }
    for subType in PaymentSubType.allCases where schedule.subTypePlans[Int(subType.number)] >= 0 {
      lines.append("  \(subType.name): \(name(schedule.subTypePlans[Int(subType.number)], schedule))")
    }
    for (entry, plan) in zip(CardEntry.allCases, schedule.cardPlans) {
      lines.append("  card \(entry.name): \(name(plan, schedule))")
    }
    lines.append("  otherwise: \(name(schedule.defaultPlan, schedule))")
    var tables: [(name: String, plan: FeePlan)] = []
    for plan in schedule.plans {
      if let name = plan.fixedTable, !tables.contains(where: { $0.name == name }) { tables.append((name, plan)) }
    }
    guard !tables.isEmpty else { return lines }
    lines += ["", "Fixed fees:"]
    lines += Table.lines(
      ["currency"] + tables.map { shown($0.name) },
      Currency.all.map { currency in
        [currency.code] + tables.map { $0.plan.fixed[Int(currency.index)].description }
      })
    return lines
  }

  private func name(_ place: Int, _ schedule: FeeSchedule) -> String { shown(schedule.plans[place].name) }

  private func shown(_ text: String) -> String { MessageText.escapedName(Array(text.utf8)) }
}
