import Digests
import Ledger
import Reports
import Rules
import Text

/// An option of the command that decides what becomes of records, and so is part of a run's identity.
public enum RuleOption: String, CaseIterable, Sendable {
  /// The fee schedule (`--fees`).
  case fees
  /// Whether an item's total price below price times count is an error (`--strict-items`).
  case strictItems
  /// The most days between a payment's run and that of its refund (`--refund-window`).
  case refundWindow
  /// How to treat an unknown field (`--unknown-fields`).
  case unknownFields
  /// The profiles of receivers (`--splits`).
  case splits
  /// The tax rates (`--taxes`).
  case taxes

  /// The option on the command line.
  public var flag: String {
    switch self {
    case .strictItems: "--strict-items"
    case .refundWindow: "--refund-window"
    case .unknownFields: "--unknown-fields"
    case .fees, .splits, .taxes: "--\(rawValue)"
    }
  }

  /// Whether its value is a file.
  var isFile: Bool { [.fees, .splits, .taxes].contains(self) }
}

/// The rules of a run by option: for files their SHA-256 in hexadecimal digits, nil if none is used.
struct RunRules: Equatable {
  private(set) var values: [RuleOption: String]

  /// The values that runs before these options existed were settled by; they are not written.
  private static let unwritten: [RuleOption: String] = [.refundWindow: "180", .unknownFields: "note"]

  init(_ rules: SettlementRules) {
    values = [
      .fees: Self.digest(rules.schedule.text), .strictItems: rules.strictItems ? "1" : "0",
      .refundWindow: "\(rules.refundWindow)", .unknownFields: rules.unknownFields.rawValue,
    ]
    if !rules.profiles.text.isEmpty { values[.splits] = Self.digest(rules.profiles.text) }
    values[.taxes] = rules.taxes.map { Self.digest($0.text) }
  }

  /// The rules in an identity.
  init(_ identity: RunIdentity) {
    values = Self.unwritten
    values[.fees] = Hexadecimal.text(identity.schedule)
    for part in identity.options.split(separator: " ") {
      let sides = part.split(separator: "=", maxSplits: 1).map(String.init)
      if let option = RuleOption(rawValue: sides[0]) { values[option] = sides.last }
    }
  }

  /// All except the fee schedule, as written in an identity.
  var identityText: String {
    RuleOption.allCases.filter { $0 != .fees && values[$0] != Self.unwritten[$0] }
      .compactMap { option in values[option].map { "\(option.rawValue)=\($0)" } }.joined(separator: " ")
  }

  static func digest(_ text: [UInt8]) -> String { SHA256.digest(of: text).hexadecimal }

  /// The differences from other rules in some options, nil if they are equal:
  /// `--refund-window 180 (now 90), --splits none (now SHA-256 ...)`.
  func difference(from others: RunRules, _ word: String, in options: [RuleOption] = RuleOption.allCases) -> String? {
    let differing = options.filter { values[$0] != others.values[$0] }
    return differing.isEmpty
      ? nil : differing.map { "\($0.flag) \(shown($0)) (\(word) \(others.shown($0)))" }.joined(separator: ", ")
  }

  private func shown(_ option: RuleOption) -> String {
    guard let value = values[option] else { return "none" }
    if option == .strictItems { return value == "1" ? "yes" : "no" }
    if option == .fees, value == Self.digest(FeeSchedule.published.text) { return "built in" }
    return option.isFile ? "SHA-256 \(value)" : value
  }
}

extension SettlementRules {
  /// The texts that a ledger keeps with a run, by name. The built-in schedule has a name of its own.
  var texts: [(name: String, text: [UInt8])] {
    var texts = [(name: schedule.isBuiltIn ? Self.builtInFees : RuleOption.fees.rawValue, text: schedule.text)]
    if !profiles.text.isEmpty { texts.append((RuleOption.splits.rawValue, profiles.text)) }
    if let taxes { texts.append((RuleOption.taxes.rawValue, taxes.text)) }
    return texts
  }

  /// The name of the text of the built-in fee schedule.
  static let builtInFees = "builtInFees"

  /// The rules of a run in a ledger.
  ///
  /// - Parameters:
  ///   - own: rules whose texts need no lookup.
  ///   - find: returns the text with a SHA-256; nil if the ledger lacks it.
  init(
    of run: RunEntry, own: SettlementRules, find: ([UInt8]) throws(RunFailure) -> [UInt8]?
  ) throws(RunFailure) {
    self = own
    let (rules, mine) = (RunRules(run.identity), RunRules(own))
    func text(_ option: RuleOption) throws(RunFailure) -> [UInt8]? {
      guard let digest = rules.values[option] else { return [] }
      if digest == mine.values[option] { return nil }
      if let text = try find(Hexadecimal.bytes(digest.utf8) ?? []) { return text }
      if option == .fees, digest == RunRules.digest(FeeSchedule.published.text) { return FeeSchedule.published.text }
      throw .configuration(
        "run \(run.number) was entered before the ledger kept rules: give its \(option.flag), SHA-256 \(digest)")
    }
    do {
      if let fees = try text(.fees) { schedule = try FeeSchedule(json: fees) }
      if let splits = try text(.splits) {
        profiles = splits.isEmpty ? SplitProfiles() : try SplitProfiles(json: splits)
      }
      if let taxes = try text(.taxes) { self.taxes = taxes.isEmpty ? nil : try TaxTable(json: taxes) }
    } catch let error as FeeScheduleError {
      throw .configuration("the rules of run \(run.number) cannot be read: \(error)")
    } catch {
      throw error as? RunFailure ?? .inputOutput("\(error)")
    }
    strictItems = rules.values[.strictItems] == "1"
    refundWindow = rules.values[.refundWindow].flatMap { Int($0) } ?? refundWindow
    unknownFields = rules.values[.unknownFields].flatMap { UnknownFields(rawValue: $0) } ?? unknownFields
    if !run.rules.isEmpty { schedule.isBuiltIn = run.rules[Self.builtInFees] != nil }
  }
}

extension SummaryReport.SettledBy {
  /// The rules of a run in a ledger. If it was entered before rules were kept, it is unknown whether its fee schedule
  /// was built in.
  public init(of run: RunEntry) {
    self.init(SettlementRules()) { _ in "" }
    let rules = RunRules(run.identity).values
    fees = run.rules[SettlementRules.builtInFees] == nil ? rules[.fees] : nil
    (splits, taxes) = (rules[.splits], rules[.taxes])
    refundWindow = rules[.refundWindow].flatMap { Int($0) } ?? refundWindow
    strictItems = rules[.strictItems] == "1"
    unknownFields = rules[.unknownFields].flatMap { UnknownFields(rawValue: $0) } ?? unknownFields
  }
}

extension RunFailure {
  /// Why a run does not settle a batch: an earlier run settled the same texts by other rules.
  static func rulesChanged(_ run: RunEntry, _ identity: RunIdentity, _ envelope: BatchEnvelope) -> RunFailure {
    let difference = RunRules(run.identity).difference(from: RunRules(identity), "now") ?? ""
    return .batch(
      BatchError(
        .batchRulesChanged,
        "run \(run.number) settled this batch by other rules: \(difference)",
        file: envelope.headerPlace?.file, line: envelope.headerPlace?.line))
  }

  /// Why a run does not settle a batch: an earlier run settled other content under the same id.
  static func batchIDReused(_ id: String, by run: Int, _ envelope: BatchEnvelope) -> RunFailure {
    .batch(
      BatchError(
        .batchIDReused, "run \(run) settled other content under the batch id \(id)",
        file: envelope.headerPlace?.file, line: envelope.headerPlace?.line))
  }
}
