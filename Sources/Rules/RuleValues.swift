import JSON

/// The rules of a run by option: values and digests of files, without their texts.
public struct RuleValues: Equatable, Sendable {
  private var values: [RuleOption: RuleValue] = [:]

  public subscript(option: RuleOption) -> RuleValue { values[option]! }

  /// The values of rules, with the digest of the fee schedule even if it is the built-in one.
  public init(_ rules: SettlementRules) {
    for option in RuleOption.allCases { values[option] = option.value(in: rules) }
  }

  // MARK: In an identity

  /// Reads the values from an identity: the SHA-256 of its fee schedule, and the text of all other options.
  public init(fees: String, identityText: String) {
    for option in RuleOption.allCases {
      values[option] = option.unwritten ?? (option.isFile ? .file(nil) : .flag(false))
    }
    values[.fees] = .file(fees)
    for part in identityText.split(separator: " ") {
      let sides = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard let option = RuleOption(rawValue: sides[0]), let value = option.value(written: sides.last!) else {
        continue
      }
      values[option] = value
    }
  }

  /// The text of an identity: all options except the fee schedule.
  public var identityText: String {
    RuleOption.allCases.filter { $0 != .fees && self[$0] != $0.unwritten }
      .compactMap { option in self[option].written.map { "\(option.rawValue)=\($0)" } }.joined(separator: " ")
  }

  /// The texts of the identities of one run: `identityText`, and that of a run from before an option that is not set.
  public var identityTexts: [String] {
    var earlier = self
    for option in RuleOption.allCases where option.unwritten == .beforeOption && self[option] == .flag(false) {
      earlier.values[option] = .beforeOption
    }
    return earlier == self ? [identityText] : [identityText, earlier.identityText]
  }

  // MARK: In `summary.json`

  /// The values as reports name them: the fee schedule has no digest if it is the built-in one.
  public func reported(isBuiltIn: Bool) -> RuleValues {
    var reported = self
    if isBuiltIn { reported.values[.fees] = .file(nil) }
    return reported
  }

  /// Reads the values from a report; nil if no run writes such a value.
  public init?(_ tree: JSONTree) {
    for option in RuleOption.allCases {
      let value = tree[option.rawValue]
      if value == nil, option.unwritten == .beforeOption {
        values[option] = .beforeOption
      } else {
        guard let value = value.flatMap(option.value) else { return nil }
        values[option] = value
      }
    }
  }

  /// The keys and values of a report, in their order.
  public var tree: JSONTree {
    .object(RuleOption.reported.filter { self[$0] != .beforeOption }.map { ($0.rawValue, self[$0].json) })
  }
}
