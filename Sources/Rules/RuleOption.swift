import JSON

/// An option of the command that decides what becomes of records, and so is part of a run's identity.
///
/// Its name is its key in JSON and in the identities that ledgers keep, which have the options in this order. Its row
/// says everything else about it.
public enum RuleOption: String, CaseIterable, Sendable {
  case fees, strictItems, strictTexts, refundWindow, unknownFields, splits, taxes

  private var row: (flag: String, place: Place, unwritten: RuleValue?) {
    switch self {
    case .fees: ("--fees", .file({ $0.schedule.text }, SettlementRules.setFees), nil)
    case .strictItems: ("--strict-items", .flag(\.strictItems), nil)
    case .strictTexts: ("--strict-texts", .laterFlag(\.strictTexts), .beforeOption)
    case .refundWindow: ("--refund-window", .days(\.refundWindow), .days(SettlementRules.defaultRefundWindow))
    case .unknownFields: ("--unknown-fields", .policy(\.unknownFields), .policy(.note))
    case .splits: ("--splits", .file({ $0.profiles.text }, SettlementRules.setSplits), nil)
    case .taxes: ("--taxes", .file({ $0.taxes?.text ?? [] }, SettlementRules.setTaxes), nil)
    }
  }

  /// Where rules have the value of an option. A file's text is empty if none is used.
  private enum Place {
    case file((SettlementRules) -> [UInt8], (inout SettlementRules, [UInt8]) throws(FeeScheduleError) -> Void)
    case flag(WritableKeyPath<SettlementRules, Bool>)
    /// A flag that changed rules when it came: nil in runs from before it.
    case laterFlag(WritableKeyPath<SettlementRules, Bool?>)
    case days(WritableKeyPath<SettlementRules, Int>)
    case policy(WritableKeyPath<SettlementRules, UnknownFields>)
  }

  /// The options in the order of `summary.json`: files first, then by name.
  static let reported = allCases.sorted { ($0.isFile ? 0 : 1, $0.rawValue) < ($1.isFile ? 0 : 1, $1.rawValue) }

  /// The option on the command line.
  public var flag: String { row.flag }

  /// The value that identities do not write: runs from before the option existed were settled by it.
  var unwritten: RuleValue? { row.unwritten }

  /// Whether its value is a file.
  public var isFile: Bool { if case .file = row.place { true } else { false } }

  /// The file's text in rules; nil if none is used, or the value is not a file.
  public func text(in rules: SettlementRules) -> [UInt8]? {
    guard case .file(let read, _) = row.place else { return nil }
    let text = read(rules)
    return text.isEmpty ? nil : text
  }

  /// Reads a file's text into rules; an empty text means no file. Other options ignore it.
  public func set(_ text: [UInt8], in rules: inout SettlementRules) throws(FeeScheduleError) {
    if case .file(_, let write) = row.place { try write(&rules, text) }
  }

  public func value(in rules: SettlementRules) -> RuleValue {
    switch row.place {
    case .file: .file(text(in: rules).map(RuleValue.digest))
    case .flag(let path): .flag(rules[keyPath: path])
    case .laterFlag(let path): rules[keyPath: path].map(RuleValue.flag) ?? .beforeOption
    case .days(let path): .days(rules[keyPath: path])
    case .policy(let path): .policy(rules[keyPath: path])
    }
  }

  /// Sets the value in rules; a file needs its text.
  public func set(_ value: RuleValue, in rules: inout SettlementRules) {
    switch (row.place, value) {
    case (.flag(let path), .flag(let flag)): rules[keyPath: path] = flag
    case (.laterFlag(let path), .flag(let flag)): rules[keyPath: path] = flag
    case (.laterFlag(let path), .beforeOption): rules[keyPath: path] = nil
    case (.days(let path), .days(let days)): rules[keyPath: path] = days
    case (.policy(let path), .policy(let policy)): rules[keyPath: path] = policy
    default: break
    }
  }

  /// Reads a value as identities write it; nil if no run writes it.
  func value(written text: String) -> RuleValue? {
    switch row.place {
    case .file: .file(text)
    case .flag, .laterFlag: .flag(text == "1")
    case .days: Int(text).map(RuleValue.days)
    case .policy: UnknownFields(rawValue: text).map(RuleValue.policy)
    }
  }

  /// The value in JSON; nil if no run writes it.
  public func value(_ json: JSONTree) -> RuleValue? {
    switch (row.place, json) {
    case (.file, .null): .file(nil)
    case (.file, _): json.string.flatMap { RuleValue.isDigest($0) ? .file($0) : nil }
    case (.flag, .boolean(let flag)), (.laterFlag, .boolean(let flag)): .flag(flag)
    case (.days, _): json.count.map(RuleValue.days)
    case (.policy, _): json.string.flatMap(UnknownFields.init).map(RuleValue.policy)
    default: nil
    }
  }
}

extension SettlementRules {
  /// The name of the text of the built-in fee schedule.
  public static let builtInFees = "builtInFees"

  /// The texts that a ledger keeps with a run, by name. The built-in schedule has a name of its own.
  public var texts: [(name: String, text: [UInt8])] {
    RuleOption.allCases.compactMap { option in
      let name = option == .fees && schedule.isBuiltIn ? Self.builtInFees : option.rawValue
      return option.text(in: self).map { (name, $0) }
    }
  }

  fileprivate static func setFees(_ rules: inout Self, _ text: [UInt8]) throws(FeeScheduleError) {
    rules.schedule = text.isEmpty ? .published : try FeeSchedule(json: text)
  }

  fileprivate static func setSplits(_ rules: inout Self, _ text: [UInt8]) throws(FeeScheduleError) {
    rules.profiles = text.isEmpty ? SplitProfiles() : try SplitProfiles(json: text, schedule: rules.schedule)
  }

  fileprivate static func setTaxes(_ rules: inout Self, _ text: [UInt8]) throws(FeeScheduleError) {
    rules.taxes = text.isEmpty ? nil : try TaxTable(json: text)
  }
}
