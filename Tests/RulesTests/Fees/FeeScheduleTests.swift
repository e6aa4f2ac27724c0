import Rules
import Testing

@Suite("Fee schedules: what is accepted, and what is refused")
struct FeeScheduleTests {
  @Test("the published schedule")
  func published() {
    let schedule = FeeSchedule.published
    #expect(schedule.rounding == .halfUp)
    #expect(
      schedule.plans.map(\.name) == ["standard", "standard-over-3k", "standard-over-10k", "micropayments", "free"])
    #expect(schedule.plans.map(\.addsCrossBorder) == [true, true, true, true, false])
    #expect(schedule.plans[schedule.defaultPlan].name == "standard")
    #expect(schedule.personalPlans.map { schedule.plans[$0].name } == ["free", "free", "standard"])
    #expect(schedule.accountPlans.isEmpty)
  }

  @Test("the cross-border rate of a plan that opts out is its rate")
  func crossBorderRates() throws {
    let plans = try ScheduleText().schedule().plans
    #expect(plans.map(\.crossBorderRate.description) == ["0.039", "0"])
  }

  @Test(
    "accepted spellings",
    arguments: [
      ScheduleText(crossBorder: "0.01"), ScheduleText(crossBorder: "-0"), ScheduleText(crossBorder: "1.000"),
      ScheduleText(crossBorder: "1e-64"), ScheduleText(crossBorder: #""0""#),
      ScheduleText(accounts: #"{"+14029352050":"free","a@b.example":"free"}"#),
      ScheduleText(subTypes: #"{"SUBTYPE_NOT_SET":"free","SUBTYPE_B2B":"free"}"#),
      ScheduleText(fixed: #"{"standard":\#(ScheduleText.table("0.123456789")),"":\#(ScheduleText.table("0"))}"#),
      ScheduleText(otherwise: #""st\u0061ndard""#),
      ScheduleText(more: #","cards":{"KEYED":"free","SWIPED":"standard"}"#),
    ])
  func takes(text: ScheduleText) {
    #expect(ScheduleText.complaint(text.json) == nil)
  }

  @Test(
    "texts that are not schedules",
    arguments: [
      ("", "not JSON at byte 0: expected a value"), ("{", "not JSON at byte 1: expected a name in quotes"),
      ("[]", "is an array; expected an object"), ("null", "is null; expected an object"),
      ("{} {}", "not JSON at byte 3: expected the end of the text"), ("{}", "rounding: is missing; it is required"),
    ])
  func refusesTexts(text: String, complaint: String) {
    #expect(ScheduleText.complaint(text) == complaint)
  }

  @Test(
    "a missing key",
    arguments: ["rounding", "plans", "default", "personal", "subTypes", "accounts", "crossBorder", "fixed"])
  func requires(key: String) {
    let renamed = ScheduleText().renaming(key, to: key + "2", last: ["crossBorder", "fixed"].contains(key))
    #expect(
      ScheduleText.complaint(renamed)
        == "\(key)2: unknown key; expected rounding, plans, default, personal, subTypes, accounts, crossBorder, fixed, \(Self.optional)"
    )
  }

  static let optional = "cards or refunds"
  static let noPlan = #"is "none", which is not in plans"#
  static let decimal = "expected a decimal of at most 64 digits and an exponent from -64 to 64"
  static let refused: [(text: ScheduleText, complaint: String)] = [
    (
      ScheduleText(more: #","extra":1"#),
      "extra: unknown key; expected rounding, plans, default, personal, subTypes, accounts, crossBorder, fixed, \(Self.optional)"
    ),
    (ScheduleText(more: #","default":"free""#), "default: is given twice"),
    (ScheduleText(more: #","d\u0065fault":"free""#), "default: is given twice"),
    (
      ScheduleText(rounding: #""half_up""#),
      #"rounding: is "half_up"; expected HALF_UP, HALF_DOWN, HALF_EVEN, UP, DOWN, CEILING or FLOOR"#
    ),
    (ScheduleText(rounding: "5"), "rounding: is a number; expected a string"),
    (ScheduleText(plans: "[]"), "plans: is an array; expected an object"),
    (ScheduleText(plans: "{}"), #"personal.BALANCE: is "free", which is not in plans"#),
    (ScheduleText(plans: #"{"standard":{}}"#), "plans.standard.rate: is missing; it is required"),
    (ScheduleText(plans: #"{"standard":5}"#), "plans.standard: is a number; expected an object"),
    (ScheduleText(plans: #"{"a\n":{"rate":"x"}}"#), #"plans.a\u000a.rate: is "x"; \#(decimal)"#),
    (ScheduleText(plans: #"{"a":{"rate":0},"a":{"rate":0}}"#), "plans.a: is given twice"),
    (ScheduleText(plans: #"{"a":{"rate":0,"rate":0}}"#), "plans.a.rate: is given twice"),
    (
      ScheduleText(plans: #"{"a":{"rate":0,"Fixed":"x"}}"#),
      "plans.a.Fixed: unknown key; expected rate, fixed or crossBorder"
    ),
    (
      ScheduleText(plans: #"{"a":{"rate":null}}"#), "plans.a.rate: is null; expected a decimal, as a number or a string"
    ),
    (ScheduleText(plans: #"{"a":{"rate":"-0.01"}}"#), #"plans.a.rate: is "-0.01"; expected zero or more"#),
    (ScheduleText(plans: #"{"a":{"rate":"1.01"}}"#), #"plans.a.rate: is "1.01"; expected 0 to 1"#),
    (ScheduleText(plans: #"{"a":{"rate":""}}"#), #"plans.a.rate: is ""; \#(decimal)"#),
    (ScheduleText(plans: #"{"a":{"rate":1e-65}}"#), #"plans.a.rate: is "1e-65"; \#(decimal)"#),
    (ScheduleText(plans: #"{"a":{"rate":0,"fixed":"none"}}"#), #"plans.a.fixed: is "none", which is not in fixed"#),
    (ScheduleText(plans: #"{"a":{"rate":0,"fixed":null}}"#), "plans.a.fixed: is null; expected a string"),
    (
      ScheduleText(plans: #"{"a":{"rate":0,"crossBorder":"no"}}"#),
      "plans.a.crossBorder: is a string; expected true or false"
    ),
    (ScheduleText(otherwise: #""none""#), "default: \(noPlan)"),
    (ScheduleText(otherwise: "true"), "default: is a boolean; expected a string"),
    (ScheduleText(personal: #"{"BALANCE":"free","BANK":"free"}"#), "personal.CARD: is missing; it is required"),
    (
      ScheduleText(personal: #"{"BALANCE":"free","BANK":"free","CARD":"free","CASH":"free"}"#),
      "personal.CASH: unknown key; expected BALANCE, BANK or CARD"
    ),
    (ScheduleText(personal: #"{"BALANCE":"free","BANK":"none","CARD":"free"}"#), "personal.BANK: \(noPlan)"),
    (ScheduleText(subTypes: #"{"SUBTYPE_GIFTS":"free"}"#), "subTypes.SUBTYPE_GIFTS: is not a subtype"),
    (ScheduleText(subTypes: #"{"":"free"}"#), "subTypes.: is not a subtype"),
    (ScheduleText(subTypes: #"{"SUBTYPE_RENT":"none"}"#), "subTypes.SUBTYPE_RENT: \(noPlan)"),
    (
      ScheduleText(accounts: #"{"nobody":"free"}"#),
      "accounts.nobody: is not an account; expected an email address or a phone number"
    ),
    (
      ScheduleText(accounts: #"{"":"free"}"#),
      "accounts.: is not an account; expected an email address or a phone number"
    ),
    (ScheduleText(accounts: #"{"a@b.example":"none"}"#), "accounts.a@b.example: \(noPlan)"),
    (
      ScheduleText(accounts: #"{"a@b.example":"free","A@B.example":"free"}"#),
      "accounts.A@B.example: is given twice (letter case does not count)"
    ),
    (ScheduleText(accounts: #"{"a@b.example":"free","a@b.example":"free"}"#), "accounts.a@b.example: is given twice"),
    (ScheduleText(more: #","cards":{"SWIPED":"free"}"#), "cards.KEYED: is missing; it is required"),
    (ScheduleText(more: #","cards":{"SWIPED":"free","KEYED":"none"}"#), "cards.KEYED: \(noPlan)"),
    (
      ScheduleText(more: #","cards":{"SWIPED":"free","KEYED":"free","DIPPED":"free"}"#),
      "cards.DIPPED: unknown key; expected SWIPED or KEYED"
    ),
    (ScheduleText(more: #","cards":null"#), "cards: is null; expected an object"),
    (ScheduleText(crossBorder: "2"), #"crossBorder: is "2"; expected 0 to 1"#),
    (ScheduleText(crossBorder: "-1"), #"crossBorder: is "-1"; expected zero or more"#),
    (ScheduleText(crossBorder: "[]"), "crossBorder: is an array; expected a decimal, as a number or a string"),
    (
      ScheduleText(fixed: #"{"standard":\#(ScheduleText.table("1", without: "USD"))}"#),
      "fixed.standard.USD: is missing; it is required"
    ),
    (
      ScheduleText(fixed: #"{"standard":\#(ScheduleText.table("-1"))}"#),
      #"fixed.standard.AUD: is "-1"; expected zero or more"#
    ),
    (ScheduleText(fixed: #"{"x":{"XXX":1}}"#), "fixed.x.XXX: unknown key; expected \(ScheduleText.codes)"),
    (ScheduleText(fixed: "{}"), #"plans.standard.fixed: is "standard", which is not in fixed"#),
  ]

  @Test("what is refused, and where", arguments: refused)
  func refuses(text: ScheduleText, complaint: String) {
    #expect(ScheduleText.complaint(text.json) == complaint)
  }

  @Test("names that are not UTF-8, and 65 levels")
  func refusesBytes() {
    #expect(throws: FeeScheduleError.self) { try FeeSchedule(json: [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]) }
    #expect(throws: FeeScheduleError.self) {
      try FeeSchedule(json: Array((String(repeating: "[", count: 65) + String(repeating: "]", count: 65)).utf8))
    }
  }
}
