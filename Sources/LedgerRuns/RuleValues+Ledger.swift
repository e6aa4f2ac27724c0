import Bytes
import Claims
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

extension LedgerReading {
  /// The files of a run's rules: `fees.json`, and `splits.json` and `taxes.json` if it used them; empty if the run was
  /// entered before rules were kept.
  public func ruleFiles(of run: RunEntry) throws(Failure) -> [(name: String, text: [UInt8])] {
    var files: [(name: String, text: [UInt8])] = []
    for (name, digest) in run.rules.sorted(by: { $0.key < $1.key }) {
      guard let text = try ruleText(digest) else {
        throw .damagedLedger("a rule of run \(run.number) is missing").ofLedger(shown)
      }
      files.append(((name == SettlementRules.builtInFees ? "fees" : name) + ".json", text))
    }
    return files
  }
}

/// Runs of a ledger, in order: all of them, or those of the same contents or batch id.
extension [RunEntry] {
  /// Throws if an earlier run settled the same texts by other rules, or other texts under the same batch id.
  ///
  /// - Parameter hash: the ledger's.
  package func expectNew(
    _ identities: [RunIdentity], _ envelope: BatchEnvelope, _ hash: KeyedHash
  ) throws(Failure) {
    guard !contains(where: { identities.contains($0.identity) }) else { return }
    let contents = identities.map(\.content)
    if let run = last(where: { contents.contains($0.identity.content) }) {
      throw .rulesChanged(run, identities[0], envelope)
    }
    guard let id = envelope.batchID else { return }
    let key = hash.fingerprint([UInt8](id.utf8).span)
    if let run = first(where: { $0.batchKey == key }) { throw .batchIDReused(id, by: run.number, envelope) }
  }
}

extension Failure {
  /// Why a run does not settle a batch: an earlier run settled the same texts by other rules.
  fileprivate static func rulesChanged(_ run: RunEntry, _ identity: RunIdentity, _ envelope: BatchEnvelope) -> Failure {
    let difference = RuleValues(run.identity).difference(from: RuleValues(identity), "now") ?? ""
    return .batch(
      BatchError(
        .batchRulesChanged,
        "run \(run.number) settled this batch by other rules: \(difference)",
        file: envelope.headerPlace?.file, line: envelope.headerPlace?.line))
  }

  /// Why a run does not settle a batch: an earlier run settled other content under the same id.
  fileprivate static func batchIDReused(_ id: String, by run: Int, _ envelope: BatchEnvelope) -> Failure {
    .batch(
      BatchError(
        .batchIDReused, "run \(run) settled other content under the batch id \(id)",
        file: envelope.headerPlace?.file, line: envelope.headerPlace?.line))
  }
}
