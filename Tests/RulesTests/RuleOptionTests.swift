import JSON
import Testing

@testable import Rules

@Suite("The options that decide what becomes of records")
struct RuleOptionTests {
  private static func otherRules() throws -> SettlementRules {
    var rules = SettlementRules()
    for option in RuleOption.allCases {
      let value: RuleValue =
        switch option.value(in: rules) {
        case .file: .file(nil)
        case .flag(let flag): .flag(!flag)
        case .days(let days): .days(days + 1)
        case .policy: .policy(.reject)
        case .beforeOption: .flag(false)
        }
      option.set(value, in: &rules)
    }
    let profile = #"{"a":{"receiverPaymentDetails":[{"recipient":"a@x.example","split":{"share":"1"}}]}}"#
    try RuleOption.fees.set(FeeSchedule.published.text + [0x20], in: &rules)
    try RuleOption.splits.set(Array(profile.utf8), in: &rules)
    try RuleOption.taxes.set(Array(#"{"rounding":"UP","rates":[]}"#.utf8), in: &rules)
    return rules
  }

  @Test("setting an option changes its value and no other", arguments: RuleOption.allCases)
  func places(option: RuleOption) throws {
    let (rules, others) = (SettlementRules(), try Self.otherRules())
    var changed = rules
    option.set(option.value(in: others), in: &changed)
    if let text = option.text(in: others) { try option.set(text, in: &changed) }
    for each in RuleOption.allCases {
      #expect(each.value(in: changed) == each.value(in: each == option ? others : rules))
      #expect(each.value(in: rules) != each.value(in: others), "the test changes every option")
    }
  }

  @Test("values survive an identity and a summary")
  func written() throws {
    for rules in [SettlementRules(), try Self.otherRules(), SettlementRules(strictTexts: nil)] {
      let values = RuleValues(rules)
      let fees = try #require(values[.fees].digest)
      #expect(RuleValues(fees: fees, identityText: values.identityText) == values)
      #expect(RuleValues(rules.reported.tree) == rules.reported)
      #expect(rules.reported == values.reported(isBuiltIn: rules.schedule.isBuiltIn))
    }
  }

  @Test("their texts are those of earlier versions")
  func texts() throws {
    let others = RuleValues(try Self.otherRules())
    let (splits, taxes) = (others[.splits].digest ?? "", others[.taxes].digest ?? "")
    #expect(
      others.identityText
        == "strictItems=1 strictTexts=1 refundWindow=181 unknownFields=reject splits=\(splits) taxes=\(taxes)")
    #expect(
      SettlementRules().reported.tree.description
        == #"{"fees":null,"splits":null,"taxes":null,"refundWindow":180,"strictItems":false,"strictTexts":false,"#
        + #""unknownFields":"suspect"}"#
    )
    #expect(
      RuleOption.allCases.map(\.flag.description).sorted().joined(separator: " ")
        == "--fees --refund-window --splits --strict-items --strict-texts --taxes --unknown-fields")
  }

  @Test("a run from before --strict-texts has the identity of a run without it, and no value in its summary")
  func beforeOption() {
    let (earlier, now) = (RuleValues(SettlementRules(strictTexts: nil)), RuleValues(SettlementRules()))
    #expect(earlier.identityTexts == ["strictItems=0 unknownFields=suspect"])
    #expect(
      now.identityTexts
        == ["strictItems=0 strictTexts=0 unknownFields=suspect", "strictItems=0 unknownFields=suspect"])
    let strict = RuleValues(SettlementRules(strictTexts: true))
    #expect(strict.identityTexts == ["strictItems=0 strictTexts=1 unknownFields=suspect"])
    #expect(earlier[.strictTexts].isSame(as: now[.strictTexts]) && now[.strictTexts].isSame(as: earlier[.strictTexts]))
    #expect(!earlier[.strictTexts].isSame(as: strict[.strictTexts]))
    #expect(earlier.tree["strictTexts"] == nil && RuleValues(earlier.tree) == earlier)
  }

  @Test(
    "a summary with a value that no run writes is not read",
    arguments: [
      (RuleOption.fees, JSONTree.string("0123")), (.splits, .boolean(true)), (.refundWindow, .string("180")),
      (.strictItems, .null), (.strictTexts, .null), (.unknownFields, .string("sometimes")),
    ])
  func refused(option: RuleOption, json: JSONTree) {
    let tree = JSONTree.object(
      RuleOption.reported.map { ($0.rawValue, $0 == option ? json : $0.value(in: SettlementRules()).json) })
    #expect(RuleValues(tree) == nil)
  }
}
