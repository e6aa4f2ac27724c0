import Console
import Money
import Records
import Rules
import Text

/// A fee schedule in words and tables.
struct ScheduleText {
  private let schedule: FeeSchedule

  init(_ schedule: FeeSchedule) { self.schedule = schedule }

  var lines: [String] {
    var lines = [
      "Fees are rounded \(schedule.rounding.rawValue). Cross-border payments add \(schedule.crossBorder) to the rate, "
        + "personal payments never do.",
      "",
    ]
    let plain = schedule.plans.filter { !$0.isNamed }
    if !plain.isEmpty {
      lines += Table.lines(
        ["plan", "rate", "cross-border rate", "fixed fees"],
        plain.map { plan in
          [
            shown(plan.name), plan.rate.description,
            plan.addsCrossBorder ? plan.crossBorderRate.description : "as the rate",
            plan.fixedTable.map(shown) ?? "none",
          ]
        })
    }
    for plan in schedule.plans where plan.isNamed {
      if lines.last != "" { lines.append("") }
      lines += named(plan)
    }
    return lines + choices + tables
  }

  private func shown(_ text: String) -> String { MessageText.escapedName(Array(text.utf8)) }

  // MARK: Named fees

  private func named(_ plan: FeePlan) -> [String] {
    ["Plan \(shown(plan.name)) has these fees. Of each name the first that fits is charged:"]
      + Table.lines(
        ["", "name", "rate", "of", "fixed", "min", "max", "VAT", "refunds", "for"],
        plan.fees.map { fee in
          [
            "\(fee.number)", String(decoding: schedule.names[fee.name], as: UTF8.self), rate(fee), base(fee),
            fee.fixed.map { shown($0.name) } ?? "none", fee.minimum.map { shown($0.name) } ?? "none",
            fee.maximum.map { shown($0.name) } ?? "none", fee.vat.description, fee.isReturned ? "RETURN" : "KEEP",
            conditions(fee),
          ]
        }, texts: 10)
  }

  private func rate(_ fee: NamedFee) -> String {
    fee.addsCrossBorder ? "\(fee.rate) (cross-border \(fee.crossBorderRate))" : fee.rate.description
  }

  private func base(_ fee: NamedFee) -> String {
    switch fee.base {
    case .kept: "what is kept"
    case .withoutTax: "that without tax"
    case .withoutShipping: "that without shipping"
    case .items: "the items"
    }
  }

  private func conditions(_ fee: NamedFee) -> String {
    let conditions: [(String, [String]?)] = [
      ("categories", schedule.categories(of: fee)), ("countries", fee.countries?.map(\.code)),
      ("currencies", fee.currencies?.map(\.code)), ("funding", fee.fundingSources?.map(\.name.description)),
    ]
    let given = conditions.compactMap { name, values in values.map { "\(name) \($0.joined(separator: ", "))" } }
    return given.isEmpty ? "any" : given.joined(separator: "; ")
  }

  // MARK: Plans of receivers

  private var choices: [String] {
    var lines = ["", "Plan of a receiver, the first that applies:"]
    for source in FundingSource.allCases {
      lines.append(
        "  TYPE_PERSONAL from \(source.name): \(name(schedule.personalPlans[Int(source.number)])), "
          + "without the cross-border rate")
    }
    for entry in schedule.accountPlans.entries {
      lines.append("  \(String(decoding: entry.text, as: UTF8.self)): \(name(entry.number))")
    }
    for subType in PaymentSubType.allCases where schedule.subTypePlans[Int(subType.number)] >= 0 {
      lines.append("  \(subType.name): \(name(schedule.subTypePlans[Int(subType.number)]))")
    }
    for (entry, plan) in zip(CardEntry.allCases, schedule.cardPlans) {
      lines.append("  card \(entry.name): \(name(plan))")
    }
    lines.append("  otherwise: \(name(schedule.defaultPlan))")
    return lines
  }

  private func name(_ place: Int) -> String { shown(schedule.plans[place].name) }

  private var tables: [String] {
    var tables: [(name: String, amounts: [String])] = []
    func add(_ name: String, _ amounts: [String]) {
      if !tables.contains(where: { $0.name == name }) { tables.append((name, amounts)) }
    }
    for plan in schedule.plans {
      if let name = plan.fixedTable { add(shown(name), plan.fixed.map(\.description)) }
      for table in plan.fees.flatMap({ [$0.fixed, $0.minimum, $0.maximum] }).compactMap(\.self) {
        add(shown(table.name), table.amounts.map { $0?.description ?? "-" })
      }
    }
    if tables.isEmpty { return [] }
    return ["", schedule.hasNames ? "Fixed fees, least and most:" : "Fixed fees:"]
      + Table.lines(
        ["currency"] + tables.map(\.name),
        Currency.all.map { currency in [currency.code] + tables.map { $0.amounts[Int(currency.index)] } })
  }
}
