import Bytes
import Failures
import Ledger
import Rules

extension RuleValues {
  /// The rules in an identity.
  public init(_ identity: RunIdentity) {
    self.init(fees: Hexadecimal.text(identity.schedule), identityText: identity.options)
  }

  /// The differences from other rules in some options, nil if they are equal:
  /// `--refund-window 180 (now 90), --splits none (now SHA-256 ...)`.
  package func difference(from others: RuleValues, _ word: String, in options: [RuleOption] = RuleOption.allCases)
    -> String?
  {
    let differing = options.filter { !self[$0].isSame(as: others[$0]) }
    return differing.isEmpty
      ? nil : differing.map { "\($0.flag) \(shown($0)) (\(word) \(others.shown($0)))" }.joined(separator: ", ")
  }

  private func shown(_ option: RuleOption) -> String {
    let isBuiltIn = option == .fees && self[option].digest == RuleValue.digest(FeeSchedule.published.text)
    return isBuiltIn ? "built in" : self[option].shown
  }
}

extension RunEntry {
  /// The rules that settled it. If it was entered before rules were kept, it is unknown whether its fee schedule was
  /// built in.
  public var ruleValues: RuleValues { RuleValues(self.identity).reported(isBuiltIn: hasBuiltInFees) }

  /// Whether it was settled by the built-in fee schedule; false if the ledger did not keep that.
  public var hasBuiltInFees: Bool { self.rules[SettlementRules.builtInFees] != nil }
}

extension SettlementRules {
  /// The rules of a run in a ledger.
  ///
  /// - Parameters:
  ///   - own: rules whose texts need no lookup.
  ///   - find: returns the text with a SHA-256; nil if the ledger lacks it.
  package init(
    of run: RunEntry, own: SettlementRules, find: ([UInt8]) throws(Failure) -> [UInt8]?
  ) throws(Failure) {
    self = own
    let (rules, mine) = (RuleValues(run.identity), RuleValues(own))
    func text(_ option: RuleOption) throws(Failure) -> [UInt8] {
      guard let digest = rules[option].digest else { return [] }
      if let text = try find(Hexadecimal.bytes(digest.utf8) ?? []) { return text }
      if option == .fees, digest == RuleValue.digest(FeeSchedule.published.text) { return FeeSchedule.published.text }
      throw .configuration(
        "run \(run.number) was entered before the ledger kept rules: give its \(option.flag), SHA-256 \(digest)")
    }
    for option in RuleOption.allCases where rules[option] != mine[option] {
      option.set(rules[option], in: &self)
      guard option.isFile else { continue }
      let text = try text(option)
      do throws(FeeScheduleError) { try option.set(text, in: &self) } catch {
        throw .configuration("the rules of run \(run.number) cannot be read: \(error)")
      }
    }
    if !run.rules.isEmpty { schedule.isBuiltIn = run.hasBuiltInFees }
  }
}

extension Failure {
  /// Why a run does not settle a batch: an earlier run settled the same texts by other rules.
  static func rulesChanged(_ run: RunEntry, _ identity: RunIdentity, _ envelope: BatchEnvelope) -> Failure {
    let difference = RuleValues(run.identity).difference(from: RuleValues(identity), "now") ?? ""
    return .batch(
      BatchError(
        .batchRulesChanged,
        "run \(run.number) settled this batch by other rules: \(difference)",
        file: envelope.headerPlace?.file, line: envelope.headerPlace?.line))
  }

  /// Why a run does not settle a batch: an earlier run settled other content under the same id.
  package static func batchIDReused(_ id: String, by run: Int, _ envelope: BatchEnvelope) -> Failure {
    .batch(
      BatchError(
        .batchIDReused, "run \(run) settled other content under the batch id \(id)",
        file: envelope.headerPlace?.file, line: envelope.headerPlace?.line))
  }
}
