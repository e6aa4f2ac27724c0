import ExactArithmetic
import JSON
import Records

extension FeeSchedule {
  /// Reads a schedule from its JSON text.
  ///
  /// Throws if the text is not JSON, lacks a key, has an unknown key or a key twice, names a plan, table, subtype or
  /// rounding mode that does not exist, holds a value outside its table, or has named fees that `fees.md` refuses.
  public init(json: [UInt8]) throws(FeeScheduleError) {
    self = try FeeScheduleError.reading(json) { root throws(JSONFault) in try FeeSchedule(root, text: json) }
  }

  private init(_ document: JSONNode, text: [UInt8]) throws(JSONFault) {
    let root = try document.object(
      required: ["rounding", "plans", "default", "personal", "subTypes", "accounts", "crossBorder", "fixed"],
      optional: ["cards", "refunds"])
    let rounding = try root["rounding"].choice(RoundingMode.self)
    let crossBorder = try root["crossBorder"].fraction()
    let returnsFees = try root["refunds"].given?.returns() ?? false
    var reading = PlanReading(
      tables: try FeeTable.all(root["fixed"]), crossBorder: crossBorder, returnsFees: returnsFees)
    let plans = try reading.plans(root["plans"])
    try reading.checkTables()
    func place(_ node: JSONNode) throws(JSONFault) -> Int {
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
        throw node.fault("is not a subtype")
      }
      subTypePlans[Int(subType.number)] = try place(node)
    }
    var accountPlans = TextNumbers()
    for (name, node) in try root["accounts"].entries() {
      guard let account = Account.canonical(name.utf8) else {
        throw node.fault("is not an account; expected an email address or a phone number")
      }
      guard accountPlans.insert(account, try place(node)) else {
        throw node.fault("is given twice (letter case does not count)")
      }
    }
    var cardPlans: [Int] = []
    if let cards = try root["cards"].given?.object(required: CardEntry.allCases.map(\.name)) {
      for entry in CardEntry.allCases { cardPlans.append(try place(cards[entry.name])) }
    }
    self.init(
      text: text, rounding: rounding, plans: plans, crossBorder: crossBorder, defaultPlan: try place(root["default"]),
      personalPlans: personalPlans, subTypePlans: subTypePlans, returnsFees: returnsFees, accountPlans: accountPlans,
      cardPlans: cardPlans, names: reading.names, categories: reading.categories)
  }
}
