import ExactArithmetic
import Money
import Records

/// A fee plan: a rate of what the receiver keeps, and a fixed fee in each currency.
public struct FeePlan: Sendable {
  public let name: String
  /// The rate, from 0 to 1.
  public let rate: ExactDecimal
  /// The rate of a cross-border payment: the plain one if the plan opts out.
  public let crossBorderRate: ExactDecimal
  /// Whether the schedule's cross-border rate is added for cross-border payments.
  public let addsCrossBorder: Bool
  /// The name of its table of fixed fees, or nil if it has none.
  public let fixedTable: String?
  /// The fixed fee by `Currency.index`; zero if the plan has no table.
  public let fixed: [ExactDecimal]
}

/// What payments cost: plans, and the rules that choose a plan (`rules.md`, "Fee schedule").
public struct FeeSchedule: Sendable {
  /// The text it was read from. A ledger stores its SHA-256 to see whether runs used the same schedule.
  public let text: [UInt8]
  /// Whether it is the built-in schedule, not one from a file.
  public var isBuiltIn = false
  /// How an assessed fee is rounded to the currency's decimals.
  public let rounding: RoundingMode
  /// The plans, in the order of the schedule.
  public let plans: [FeePlan]
  /// The rate that is added for a cross-border payment.
  public let crossBorder: ExactDecimal
  /// The index in `plans` of the plan that applies if no other does.
  public let defaultPlan: Int
  /// Indices in `plans` of the plans of personal payments, by `FundingSource.number`.
  public let personalPlans: [Int]
  /// Indices in `plans` by `PaymentSubType.number`; -1 if a subtype has no plan of its own.
  public let subTypePlans: [Int]
  /// Whether refunds return fees (`refunds.md`, "Fees").
  public let returnsFees: Bool
  /// The accounts that have a plan of their own, in lower case, in the order of the schedule.
  public let accountPlans: AccountPlans
  /// Indices in `plans` of the plans of payments with a card, by `CardEntry.number`; empty if the schedule treats
  /// cards like any other funding source (`cards.md`).
  public let cardPlans: [Int]

  /// Why a plan applies, in the order in which the rules are tried.
  public enum Choice: UInt8, Sendable {
    /// The payment is personal: the funding source's plan.
    case personal
    /// The account has a plan of its own.
    case account
    /// The payment's subtype has a plan of its own.
    case subType
    /// The payment was made with a card: the plan for how the card was read applies.
    case card
    /// No other plan applies.
    case otherwise
  }

  /// A receiver's plan, as an index in `plans`, and why it applies.
  ///
  /// - Parameters:
  ///   - account: the receiver's account in lower case.
  ///   - entry: how the payment's card was read; nil if it has none.
  public func plan(
    type: PaymentType, subType: PaymentSubType, fundingSource: FundingSource, account: Span<UInt8>, entry: CardEntry?
  ) -> (place: Int, choice: Choice) {
    if type == .personal { return (personalPlans[Int(fundingSource.number)], .personal) }
    if !accountPlans.isEmpty, let place = accountPlans.plan(of: account) {
      return (place, .account)
    }
    let place = subTypePlans[Int(subType.number)]
    if place >= 0 { return (place, .subType) }
    if let entry, !cardPlans.isEmpty { return (cardPlans[Int(entry.number)], .card) }
    return (defaultPlan, .otherwise)
  }
}

public struct AccountPlans: Sendable {
  /// The accounts in lower case, each with the index of its plan.
  public private(set) var entries: [(account: [UInt8], plan: Int)] = []
  /// Indices in `entries` by a hash of the account, so that a look-up creates no key.
  private var places: [UInt64: [Int]] = [:]

  /// No accounts.
  public init() {}

  /// Whether no account has a plan of its own.
  public var isEmpty: Bool { entries.isEmpty }

  /// Adds an account in lower case. Returns false if it is already present.
  mutating func insert(_ account: [UInt8], plan: Int) -> Bool {
    guard self.plan(of: account.span) == nil else { return false }
    places[Self.hash(account.span), default: []].append(entries.count)
    entries.append((account, plan))
    return true
  }

  /// The plan of an account in lower case; nil if it has no plan of its own.
  func plan(of account: Span<UInt8>) -> Int? {
    for place in places[Self.hash(account)] ?? [] {
      let entry = entries[place]
      if entry.account.span.isEqual(to: account) { return entry.plan }
    }
    return nil
  }

  // FNV-1a: the schedule is the operator's own, so not hostile.
  private static func hash(_ account: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for place in account.indices { hash = (hash ^ UInt64(account[place])) &* 0x100_0000_01B3 }
    return hash
  }
}

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
  /// Throws if the text is not JSON, lacks a key, has an unknown key or a key twice, names a plan, table, subtype or
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
      subTypePlans[Int(subType.number)] = try place(node)
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
