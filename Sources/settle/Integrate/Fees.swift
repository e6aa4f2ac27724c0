import ArgumentParser
import Console
import Failures
import Money
import Records
import Rules
import Settlement
import Text

/// `settle fees`: the fee schedule in force.
struct Fees: SettleCommand {
  static let configuration = CommandConfiguration(
    commandName: "fees",
    abstract: "Show the fee schedule in force.",
    discussion: """
      EXAMPLES:
        settle fees
        settle fees --fees fees.json
      """)

  @Option(
    help: ArgumentHelp("Show this fee schedule instead of the built-in one.", valueName: "file"), completion: .file())
  var fees: String?

  func execute() throws(Failure) -> Int32 {
    try Terminal.emit(lines(RuleFile.readFees(fees)))
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
