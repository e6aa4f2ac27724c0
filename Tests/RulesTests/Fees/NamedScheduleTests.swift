import Rules
import Testing

@Suite("Named fees in a schedule: what is accepted, and what is refused")
struct NamedScheduleTests {
  static func text(_ fees: String, fixed: String = "") -> ScheduleText {
    ScheduleText(
      plans: #"{"standard":{"rate":"0.029","fixed":"standard"},"free":{"rate":0},"market":{"fees":\#(fees)}}"#,
      fixed: #"{"standard":\#(ScheduleText.table("0.30"))\#(fixed)}"#)
  }

  @Test("whether refunds return a fee: as it says, otherwise as the schedule does", arguments: ["RETURN", "KEEP"])
  func refunds(policy: String) throws {
    var text = Self.text(#"[{"name":"a"},{"name":"b","refunds":"RETURN"},{"name":"c","refunds":"KEEP"}]"#)
    text.more = #","refunds":"\#(policy)""#
    let fees = try #require(text.schedule().plans.last?.fees)
    #expect(fees.map(\.isReturned) == [policy == "RETURN", true, false])
  }

  static let some = #","some":{"EUR":"1.00"},"more":{"EUR":"2","USD":"0.1"}"#

  @Test(
    "accepted",
    arguments: [
      text(#"[{"name":"a"}]"#), text(#"[{"name":"fee-2","rate":1,"vat":"1.0"},{"name":"b","base":"ITEMS"}]"#),
      text(#"[{"name":"a","fixed":"some","min":"some","max":"more"},{"name":"a"}]"#, fixed: some),
      text(#"[{"name":"a","min":"some","max":"some","currencies":["EUR"]}]"#, fixed: #","some":{"EUR":"1"}"#),
      text(#"[{"name":"a","categories":["books","Books"],"countries":["DE"],"fundingSources":["BANK"]},{"name":"a"}]"#),
    ])
  func takes(text: ScheduleText) { #expect(ScheduleText.complaint(text.json) == nil) }

  static let at = "plans.market.fees"
  static let refused: [(text: ScheduleText, complaint: String)] = [
    (text("[]"), "\(at): has 0 fees; expected 1 to 200"), (text("{}"), "\(at): is an object; expected an array"),
    (text("null"), "\(at): is null; expected an array"), (text("[1]"), "\(at)[0]: is a number; expected an object"),
    (text(#"[{"rate":0}]"#), "\(at)[0].name: is missing; it is required"),
    (
      text(#"[{"name":"A"}]"#),
      #"\#(at)[0].name: is "A"; expected 1 to 32 of a-z, 0-9 and hyphen, beginning with a letter"#
    ),
    (text(#"[{"name":"a","rate":null}]"#), "\(at)[0].rate: is null; expected a decimal, as a number or a string"),
    (text(#"[{"name":"a","vat":"1.1"}]"#), #"\#(at)[0].vat: is "1.1"; expected 0 to 1"#),
    (text(#"[{"name":"a","fixed":"none"}]"#), #"\#(at)[0].fixed: is "none", which is not in fixed"#),
    (
      text(#"[{"name":"a","base":"items"}]"#),
      #"\#(at)[0].base: is "items"; expected KEPT, WITHOUT_TAX, WITHOUT_SHIPPING or ITEMS"#
    ),
    (text(#"[{"name":"a","refunds":"SOME"}]"#), #"\#(at)[0].refunds: is "SOME"; expected KEEP or RETURN"#),
    (text(#"[{"name":"a","countries":[]}]"#), "\(at)[0].countries: is empty; leave it out if anything fits"),
    (
      text(#"[{"name":"a","countries":["de"]}]"#),
      #"\#(at)[0].countries[0]: is "de"; expected a country code of two capital letters"#
    ),
    (
      text(#"[{"name":"a","currencies":["EUR","EUR"]}]"#),
      #"\#(at)[0].currencies[1]: is "EUR", which is in the array twice"#
    ),
    (
      text(#"[{"name":"a","fundingSources":["CASH"]}]"#),
      #"\#(at)[0].fundingSources[0]: is "CASH"; expected BALANCE, BANK or CARD"#
    ),
    (
      text(#"[{"name":"a","categories":["a b"]}]"#),
      #"\#(at)[0].categories[0]: is "a b"; expected 1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen, "#
        + "beginning with a letter or digit"
    ),
    (
      text(#"[{"name":"a"},{"name":"b"},{"name":"a","countries":["DE"]}]"#),
      "\(at)[2]: is never reached: \(at)[0] has the same name and fits every payment"
    ),
    (
      text(#"[{"name":"a","min":"more","max":"some"}]"#, fixed: some),
      #"\#(at)[0].min: is "more", which has 2 in EUR; the max, some, has only 1.00"#
    ),
    (
      text("[" + (1...9).map { #"{"name":"a\#($0)"}"# }.joined(separator: ",") + "]"),
      "\(at): has 9 names; expected at most 8 in a plan"
    ),
    (
      ScheduleText(plans: #"{"standard":{"rate":0,"fees":[]},"free":{"rate":0}}"#),
      "plans.standard.rate: unknown key; expected fees"
    ),
    (text(#"[{"name":"a"}]"#, fixed: #","no":{}"#), "fixed.no: has no currency"),
    (
      text(#"[{"name":"a"}]"#, fixed: some),
      "fixed.some.AUD: is missing; only a table that named fees alone use may leave out currencies"
    ),
    (
      ScheduleText(
        plans: #"{"standard":{"fees":[{"name":"a","fixed":"t"}]},"free":{"rate":0,"fixed":"t"}}"#,
        fixed: #"{"t":{"EUR":1}}"#),
      "fixed.t.AUD: is missing; only a table that named fees alone use may leave out currencies"
    ),
  ]

  @Test("what is refused, and where", arguments: refused)
  func refuses(text: ScheduleText, complaint: String) { #expect(ScheduleText.complaint(text.json) == complaint) }

  @Test("at most 64 names in all plans, and 200 entries in one")
  func limits() {
    func schedule(_ names: Int) -> ScheduleText {
      let plans = (0..<names).map { #""p\#($0)":{"fees":[{"name":"n\#($0)"}]}"# }
      return ScheduleText(plans: #"{"standard":{"rate":0},"free":{"rate":0},\#(plans.joined(separator: ","))}"#)
    }
    #expect(ScheduleText.complaint(schedule(64).json) == nil)
    #expect(ScheduleText.complaint(schedule(65).json) == "plans: has 65 names of fees; expected at most 64")
    func entries(_ count: Int) -> ScheduleText {
      Self.text("[" + (0..<count).map { #"{"name":"a","categories":["c\#($0)"]}"# }.joined(separator: ",") + "]")
    }
    #expect(ScheduleText.complaint(entries(200).json) == nil)
    #expect(ScheduleText.complaint(entries(201).json) == "plans.market.fees: has 201 fees; expected 1 to 200")
  }

  // MARK: The category of a receiver

  static let single = #"{"payKey":"P","recipient":"a@b.example","subTotal":10,"#
  static let several = #"{"payKey":"P","receiverPaymentDetails":[{"recipient":"a@b.example","subtotal":10,"#
  static let other = #"},{"recipient":"c@d.example","subtotal":10}]}"#

  static let records: [(line: String, errors: [String], without: [String])] = [
    (single + #""category":"books"}"#, [], []), (single + #""category":null}"#, [], []),
    (single + #""category":""}"#, ["INVALID_VALUE /category"], []),
    (single + #""category":5}"#, ["WRONG_TYPE /category"], []),
    (single + #""Category":"books"}"#, ["UNKNOWN_FIELD /Category"], []),
    (single + #""category":"a","category":"b"}"#, ["DUPLICATE_FIELD "], []),
    (several + #""category":"-a""# + other, ["INVALID_VALUE /receiverPaymentDetails/0/category"], []),
    (several + #""categroy":"a""# + other, ["UNKNOWN_FIELD /receiverPaymentDetails/0/categroy"], []),
    (several + #""category":"a","category":"b""# + other, ["DUPLICATE_FIELD "], []),
    // At the top level of other shapes it belongs in a receiver.
    (several + #""country":"DE""# + String(other.dropLast()) + #","category":"a"}"#, ["UNKNOWN_FIELD /category"], []),
    // Without a shape, or with two, it is known but not checked.
    (#"{"payKey":"P","category":5}"#, ["PAYMENT_SHAPE "], ["PAYMENT_SHAPE "]),
    (
      several + #""country":"DE""# + String(other.dropLast()) + #","recipient":"x@y.example","category":5}"#,
      ["PAYMENT_SHAPE "], ["PAYMENT_SHAPE "]
    ),
  ]

  @Test("the category: known if a fee depends on it, an unknown field otherwise", arguments: records)
  func categories(line: String, errors: [String], without: [String]) throws {
    let schedule = try Self.text(#"[{"name":"a","categories":["books"]}]"#).schedule()
    #expect(Assessed(line, schedule: schedule).errors == errors)
    #expect(Assessed(line, schedule: schedule).noticed.filter { $0.contains("UNKNOWN") } == [])
    #expect(Assessed(line).errors == without)
  }

  @Test("a profile may have a category under such a schedule only")
  func profiles() throws {
    let json =
      Array(
        #"{"p":{"receiverPaymentDetails":[{"recipient":"a@b.example","split":{"percent":40},"category":"books"},"#.utf8)
      + Array(#"{"recipient":"c@d.example","split":{"percent":60}}]}}"#.utf8)
    #expect(throws: FeeScheduleError.self) { try SplitProfiles(json: json) }
    let schedule = try Self.text(#"[{"name":"a","categories":["books"]}]"#).schedule()
    _ = try SplitProfiles(json: json, schedule: schedule)
  }
}
