import ExactArithmetic
import JSON
import Money
import Records

/// Reads the plans of a fee schedule, and collects the names and categories of their fees.
struct PlanReading {
  private let tables: [FeeTable.Read]
  private let crossBorder: ExactDecimal
  private let returnsFees: Bool
  private(set) var names: [[UInt8]] = []
  private(set) var categories = TextNumbers()
  /// The indices of the tables that plans name, and of those that named fees name.
  private var (tablesOfPlans, tablesOfFees): (Set<Int>, Set<Int>) = ([], [])

  private static let mostFees = 200
  private static let mostNames = 64
  private static let mostNamesOfPlan = 8

  init(tables: [FeeTable.Read], crossBorder: ExactDecimal, returnsFees: Bool) {
    (self.tables, self.crossBorder, self.returnsFees) = (tables, crossBorder, returnsFees)
  }

  mutating func plans(_ node: JSONNode) throws(JSONFault) -> [FeePlan] {
    let entries = try node.entries()
    let areNamed = entries.contains { $0.node.tree["fees"] != nil }
    var plans: [FeePlan] = []
    for (name, node) in entries {
      plans.append(
        node.tree["fees"] == nil ? try plain(name, node, areNamed: areNamed) : try named(name, node))
    }
    guard names.count <= Self.mostNames else {
      throw node.fault("has \(names.count) names of fees; expected at most \(Self.mostNames)")
    }
    guard areNamed else { return plans }
    return plans.map { $0.isNamed ? $0 : $0.naming(number(of: FeeSchedule.plainName), isReturned: returnsFees) }
  }

  /// Throws if a table leaves out currencies, and is not used by named fees alone.
  func checkTables() throws(JSONFault) {
    for (place, table) in tables.enumerated() where !table.table.isWhole {
      if table.table.amounts.allSatisfy({ $0 == nil }) {
        throw table.node.fault("has no currency")
      }
      if tablesOfFees.contains(place), !tablesOfPlans.contains(place) { continue }
      let missing = Currency.all.first { table.table.amounts[Int($0.index)] == nil }!
      throw table.node[missing.code].fault(
        names.isEmpty
          ? "is missing; it is required"
          : "is missing; only a table that named fees alone use may leave out currencies")
    }
  }

  private mutating func number(of name: [UInt8]) -> Int {
    if let number = names.firstIndex(of: name) { return number }
    names.append(name)
    return names.count - 1
  }

  private mutating func table(
    _ node: JSONNode?, _ uses: WritableKeyPath<PlanReading, Set<Int>>
  ) throws(JSONFault) -> FeeTable? {
    guard let node else { return nil }
    let name = try node.string()
    guard let place = tables.firstIndex(where: { $0.table.name.utf8.elementsEqual(name.utf8) }) else {
      throw node.refused(", which is not in fixed")
    }
    self[keyPath: uses].insert(place)
    return tables[place].table
  }

  private mutating func plain(
    _ name: String, _ node: JSONNode, areNamed: Bool
  ) throws(JSONFault) -> FeePlan {
    let fields = try node.object(required: ["rate"], optional: ["fixed", "crossBorder"])
    let rate = try fields["rate"].fraction()
    let table = try table(fields["fixed"].given, \.tablesOfPlans)
    let adds = try fields["crossBorder"].given?.boolean() ?? true
    return FeePlan(
      name: name, rate: rate, crossBorderRate: adds ? rate + crossBorder : rate, addsCrossBorder: adds,
      fixedTable: table?.name, fixed: Currency.all.map { table?.amounts[Int($0.index)] ?? .zero }, isNamed: false,
      fees: [])
  }

  // MARK: Named fees

  private mutating func named(_ name: String, _ node: JSONNode) throws(JSONFault) -> FeePlan {
    let list = try node.object(required: ["fees"])["fees"]
    let elements = try list.elements()
    guard (1...Self.mostFees).contains(elements.count) else {
      throw list.fault("has \(elements.count) fees; expected 1 to \(Self.mostFees)")
    }
    var fees: [NamedFee] = []
    for (place, element) in elements.enumerated() {
      let fee = try fee(element, number: place + 1)
      if let earlier = fees.first(where: { $0.name == fee.name && $0.fitsAll }) {
        throw element.fault(
          "is never reached: \(elements[earlier.number - 1].path.shown) has the same name and fits every payment")
      }
      fees.append(fee)
    }
    let count = Set(fees.map(\.name)).count
    guard count <= Self.mostNamesOfPlan else {
      throw list.fault("has \(count) names; expected at most \(Self.mostNamesOfPlan) in a plan")
    }
    return FeePlan(
      name: name, rate: .zero, crossBorderRate: .zero, addsCrossBorder: fees.contains(where: \.addsCrossBorder),
      fixedTable: nil, fixed: Array(repeating: .zero, count: Currency.count), isNamed: true, fees: fees)
  }

  private mutating func fee(_ node: JSONNode, number: Int) throws(JSONFault) -> NamedFee {
    let fields = try node.object(
      required: ["name"],
      optional: [
        "rate", "fixed", "min", "max", "base", "crossBorder", "vat", "refunds", "categories", "countries", "currencies",
        "fundingSources",
      ])
    let name = Array(try fields["name"].string().utf8)
    guard FeeSchedule.isName(name) else {
      throw fields["name"].refused("; expected 1 to 32 of a-z, 0-9 and hyphen, beginning with a letter")
    }
    func fraction(_ key: String) throws(JSONFault) -> ExactDecimal {
      try fields[key].given?.fraction() ?? .zero
    }
    let rate = try fraction("rate")
    let adds = try fields["crossBorder"].given?.boolean() ?? false
    let (minimum, maximum) = (
      try table(fields["min"].given, \.tablesOfFees), try table(fields["max"].given, \.tablesOfFees)
    )
    if let minimum, let maximum { try Self.checkBounds(minimum, maximum, fields["min"]) }
    let categories = try fields["categories"].given?.values("\(PayKey.expected)") { text in
      PayKey.isValid(text) ? Array(text) : nil
    }
    return NamedFee(
      name: self.number(of: name), number: number, rate: rate, crossBorderRate: adds ? rate + crossBorder : rate,
      addsCrossBorder: adds, base: try fields["base"].given?.choice(FeeBase.self) ?? .kept,
      fixed: try table(fields["fixed"].given, \.tablesOfFees), minimum: minimum, maximum: maximum,
      vat: try fraction("vat"), isReturned: try fields["refunds"].given?.returns() ?? returnsFees,
      categories: categories.map { $0.map { self.number(ofCategory: $0) } },
      countries: try fields["countries"].given?.values("a country code of two capital letters") { Country.find($0) },
      currencies: try fields["currencies"].given?.values("one of the 24 currency codes") { Currency.find($0) },
      fundingSources: try fields["fundingSources"].given?.values("BALANCE, BANK or CARD") { FundingSource.find($0) })
  }

  private mutating func number(ofCategory category: [UInt8]) -> Int {
    _ = categories.insert(category, categories.entries.count)
    return categories.number(of: category.span)!
  }

  private static func checkBounds(
    _ minimum: FeeTable, _ maximum: FeeTable, _ node: JSONNode
  ) throws(JSONFault) {
    for currency in Currency.all {
      let place = Int(currency.index)
      if let least = minimum.amounts[place], let most = maximum.amounts[place], least > most {
        throw node.refused(", which has \(least) in \(currency.code); the max, \(maximum.name), has only \(most)")
      }
    }
  }
}

extension FeePlan {
  /// The same plan with its rate and fixed fee as one named fee.
  fileprivate func naming(_ name: Int, isReturned: Bool) -> FeePlan {
    var plan = self
    plan.fees = [
      NamedFee(
        name: name, number: 0, rate: rate, crossBorderRate: crossBorderRate, addsCrossBorder: addsCrossBorder,
        base: .kept, fixed: fixedTable.map { FeeTable(name: $0, amounts: fixed) }, minimum: nil, maximum: nil,
        vat: .zero, isReturned: isReturned, categories: nil, countries: nil, currencies: nil, fundingSources: nil)
    ]
    return plan
  }
}

extension FeeTable {
  /// A table and its place in the schedule.
  struct Read {
    let table: FeeTable
    let node: JSONNode
  }

  /// The tables of a schedule, in their order.
  static func all(_ node: JSONNode) throws(JSONFault) -> [Read] {
    var tables: [Read] = []
    for (name, node) in try node.entries() {
      let fees = try node.object(required: [], optional: Currency.all.map(\.code))
      var amounts: [ExactDecimal?] = []
      for currency in Currency.all { amounts.append(try fees[currency.code].given?.zeroOrMore()) }
      tables.append(Read(table: FeeTable(name: name, amounts: amounts), node: node))
    }
    return tables
  }
}
