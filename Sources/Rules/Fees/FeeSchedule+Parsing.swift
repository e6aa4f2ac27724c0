import ExactArithmetic
import JSON
import Money
import Records

extension FeeSchedule {
  /// The published schedule that is built into the engine (`data/fees.json`).
  public static let published: FeeSchedule = {
    do {
      var schedule = try FeeSchedule(json: PublishedFees.json)
      schedule.isBuiltIn = true
      return schedule
    } catch {
      preconditionFailure("the built-in fee schedule is broken: \(error)")
    }
  }()

  /// Reads a schedule from its JSON text.
  ///
  /// Throws if the text is no JSON, lacks a key, has an unknown one or one twice, names a plan, table, subtype or
  /// rounding mode that does not exist, or holds a value outside its table.
  public init(json: [UInt8]) throws(FeeScheduleError) {
    let root = try FeeScheduleNode(parsing: json).object(
      required: ["rounding", "plans", "default", "personal", "subTypes", "accounts", "crossBorder", "fixed"],
      optional: ["cards", "refunds"])
    let rounding = try root["rounding"].roundingMode()
    let crossBorder = try root["crossBorder"].fraction()
    let tables = try Self.fixedTables(root["fixed"])
    let plans = try Self.plans(root["plans"], tables: tables, crossBorder: crossBorder)
    func place(_ node: FeeScheduleNode) throws(FeeScheduleError) -> Int {
      let name = try node.string()
      guard let place = plans.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
        throw node.refused(", which is not in plans")
      }
      return place
    }
    let personal = try root["personal"].object(required: FundingSource.allCases.map(\.name))
    var personalPlans: [Int] = []
    for source in FundingSource.allCases { personalPlans.append(try place(personal[source.name])) }
    var subTypePlans = Array(repeating: -1, count: PaymentSubType.allCases.count)
    for (name, node) in try root["subTypes"].entries() {
      guard let subType = PaymentSubType.find(name) else {
        throw FeeScheduleError(path: node.path, reason: "is not a subtype")
      }
      subTypePlans[Int(subType.rawValue)] = try place(node)
    }
    var accountPlans = AccountPlans()
    for (name, node) in try root["accounts"].entries() {
      guard let account = Account.canonical(name.utf8) else {
        throw FeeScheduleError(
          path: node.path, reason: "is not an account; expected an email address or a phone number")
      }
      guard accountPlans.insert(account, plan: try place(node)) else {
        throw FeeScheduleError(path: node.path, reason: "is given twice (letter case does not count)")
      }
    }
    var cardPlans: [Int] = []
    if let cards = try root.optional("cards")?.object(required: CardEntry.allCases.map(\.name)) {
      for entry in CardEntry.allCases { cardPlans.append(try place(cards[entry.name])) }
    }
    let returnsFees = try root.optional("refunds").map { node throws(FeeScheduleError) in
      let policy = try node.string()
      guard ["KEEP", "RETURN"].contains(policy) else {
        throw node.refused("; expected KEEP or RETURN")
      }
      return policy == "RETURN"
    }
    self.init(
      text: json, rounding: rounding, plans: plans, crossBorder: crossBorder, defaultPlan: try place(root["default"]),
      personalPlans: personalPlans, subTypePlans: subTypePlans, returnsFees: returnsFees ?? false,
      accountPlans: accountPlans, cardPlans: cardPlans)
  }

  private static func fixedTables(_ node: FeeScheduleNode) throws(FeeScheduleError) -> [(String, [ExactDecimal])] {
    var tables: [(String, [ExactDecimal])] = []
    for (name, table) in try node.entries() {
      let fees = try table.object(required: Currency.all.map(\.code))
      var fixed: [ExactDecimal] = []
      for currency in Currency.all { fixed.append(try fees[currency.code].zeroOrMore()) }
      tables.append((name, fixed))
    }
    return tables
  }

  private static func plans(
    _ node: FeeScheduleNode, tables: [(String, [ExactDecimal])], crossBorder: ExactDecimal
  ) throws(FeeScheduleError) -> [FeePlan] {
    var plans: [FeePlan] = []
    for (name, node) in try node.entries() {
      let fields = try node.object(required: ["rate"], optional: ["fixed", "crossBorder"])
      let rate = try fields["rate"].fraction()
      var fixedTable: String?
      var fixed = Array(repeating: ExactDecimal.zero, count: Currency.count)
      if let table = fields.optional("fixed") {
        let tableName = try table.string()
        guard let found = tables.first(where: { $0.0.utf8.elementsEqual(tableName.utf8) }) else {
          throw table.refused(", which is not in fixed")
        }
        fixedTable = tableName
        fixed = found.1
      }
      let adds = try fields.optional("crossBorder").map { node throws(FeeScheduleError) in try node.boolean() } ?? true
      plans.append(
        FeePlan(
          name: name, rate: rate, crossBorderRate: adds ? rate + crossBorder : rate, addsCrossBorder: adds,
          fixedTable: fixedTable, fixed: fixed))
    }
    return plans
  }
}
