import ExactArithmetic
import Testing

@Suite("The amount of a fee: plans, rounding, capping")
struct FeeAmountTests {
  static func single(_ amount: String, currency: String = "USD", _ more: String = "") -> String {
    #"{"payKey":"P-1","paymentCurrency":"\#(currency)","recipient":"Shop@Example.com","subTotal":"\#(amount)"\#(more)}"#
  }

  // 5 % of the amount: 0.50 gives 0.025, a tie between 0.02 and 0.03; 0.70 gives 0.035; 0.52 0.026; 0.48 0.024.
  static let modes: [(mode: RoundingMode, fees: [String])] = [
    (RoundingMode.halfUp, ["0.03", "0.04", "0.03", "0.02", "0.02"]),
    (.halfDown, ["0.02", "0.03", "0.03", "0.02", "0.02"]),
    (.halfEven, ["0.02", "0.04", "0.03", "0.02", "0.02"]),
    (.up, ["0.03", "0.04", "0.03", "0.03", "0.02"]),
    (.down, ["0.02", "0.03", "0.02", "0.02", "0.02"]),
    (.ceiling, ["0.03", "0.04", "0.03", "0.03", "0.02"]),
    (.floor, ["0.02", "0.03", "0.02", "0.02", "0.02"]),
  ]

  @Test("rounding, ties and others", arguments: modes)
  func rounds(mode: RoundingMode, fees: [String]) throws {
    var text = ScheduleText(rounding: #""\#(mode.rawValue)""#)
    text.plans = #"{"standard":{"rate":"0.05"},"free":{"rate":"0"}}"#
    let schedule = try text.schedule()
    let amounts = ["0.50", "0.70", "0.52", "0.48", "0.40"]
    #expect(amounts.map { Assessed(Self.single($0), schedule: schedule).fees } == fees)
  }

  @Test("rounded once, after the addition: a rate's 0.004 plus a fixed 0.004 is a cent")
  func roundsOnce() throws {
    var text = ScheduleText(plans: #"{"standard":{"rate":"0.004","fixed":"standard"},"free":{"rate":"0"}}"#)
    text.fixed = #"{"standard":\#(ScheduleText.table("0.004"))}"#
    #expect(Assessed(Self.single("1"), schedule: try text.schedule()).fees == "0.01")
  }

  @Test(
    "decimals of the currency",
    arguments: [("JPY", "1000", "69"), ("TWD", "1000", "39"), ("HUF", "1000", "119"), ("EUR", "1000", "29.35")])
  func usesDecimals(currency: String, amount: String, fee: String) {
    #expect(Assessed(Self.single(amount, currency: currency)).fees == fee)
  }

  @Test(
    "a fee is never above what is kept, and gives a notice only if it was reduced",
    arguments: [
      ("0.01", "0.01", true), ("0.30", "0.30", true), ("0.31", "0.31", false), ("0.32", "0.31", false),
      ("10", "0.59", false),
    ])
  func caps(amount: String, fee: String, isCapped: Bool) {
    let assessed = Assessed(Self.single(amount))
    #expect(assessed.fees == fee)
    #expect(assessed.noticed == (isCapped ? ["FEE_CAPPED "] : []))
  }

  @Test("nothing kept: no fee, no notice")
  func keepsNothing() {
    let assessed = Assessed(FeeBearerTests.payment("EACHRECEIVER", [("10", #","isPrimary":true"#), ("10", "")]))
    #expect(assessed.parties.map { [$0.kept, $0.assessed] } == [["0.00", "0.00"], ["10.00", "0.59"]])
    #expect(assessed.noticed == [])
  }

  @Test("a rate that the cross-border addition raises above 1 is capped like any other")
  func capsRatesAboveOne() throws {
    let text = ScheduleText(plans: #"{"standard":{"rate":1},"free":{"rate":0}}"#, crossBorder: "1")
    let line = Self.single("10", #","senderCountry":"US","country":"FR""#)
    let assessed = Assessed(line, schedule: try text.schedule())
    #expect(assessed.fees == "10.00")
    #expect(assessed.noticed == ["FEE_CAPPED "])
  }

  // 2.9 % + 0.30 of 100.00 is 3.20; with 1 % across borders 4.20.
  static let borders: [(more: String, fee: String)] = [
    (#","senderCountry":"US","country":"US""#, "3.20"), (#","senderCountry":"US","country":"FR""#, "4.20"),
    (#","senderCountry":"US""#, "3.20"), (#","country":"FR""#, "3.20"),
    (#","senderCountry":"US","country":"FR","paymentType":"TYPE_PERSONAL","fundingSource":"CARD""#, "3.20"),
    (#","senderCountry":"US","country":"FR","paymentType":"TYPE_PERSONAL","fundingSource":"BANK""#, "0.00"),
  ]

  @Test("across borders", arguments: borders)
  func addsCrossBorder(more: String, fee: String) {
    #expect(Assessed(Self.single("100", more)).fees == fee)
  }

  static let plans = """
    {"standard":{"rate":"0.01"},"free":{"rate":"0"},"card":{"rate":"0.02"},"rent":{"rate":"0.03"},\
    "shop":{"rate":"0.04","crossBorder":false},"none":{"rate":"0.05"}}
    """

  static let choices: [(more: String, account: String, plan: String, fee: String)] = [
    ("", "none", "standard", "1.00"), ("", "other", "standard", "1.00"),
    (#","paymentType":"TYPE_SERVICE","paymentSubType":"SUBTYPE_RENT""#, "other", "rent", "3.00"),
    (#","paymentType":"TYPE_SERVICE","paymentSubType":"SUBTYPE_TRANSFER""#, "other", "standard", "1.00"),
    (#","paymentType":"TYPE_SERVICE","paymentSubType":"SUBTYPE_RENT""#, "shop", "shop", "4.00"),
    (#","paymentType":"TYPE_PERSONAL""#, "shop", "free", "0.00"),
    (#","paymentType":"TYPE_PERSONAL","fundingSource":"BANK""#, "shop", "free", "0.00"),
    (#","paymentType":"TYPE_PERSONAL","fundingSource":"CARD""#, "shop", "card", "2.00"),
    // A plan that opts out has no cross-border addition.
    (#","senderCountry":"US","country":"FR""#, "shop", "shop", "4.00"),
    (#","senderCountry":"US","country":"FR""#, "other", "standard", "2.00"),
  ]

  @Test("the plan: personal, then the account, then the subtype, then the default", arguments: choices)
  func choosesPlan(more: String, account: String, plan: String, fee: String) throws {
    var text = ScheduleText(plans: Self.plans)
    text.personal = #"{"BALANCE":"free","BANK":"free","CARD":"card"}"#
    text.subTypes = #"{"SUBTYPE_RENT":"rent"}"#
    // In any letter case, on both sides.
    text.accounts =
      account == "shop" ? #"{"SHOP@example.COM":"shop","+14029352050":"none"}"# : #"{"x@y.example":"none"}"#
    let assessed = Assessed(Self.single("100", more), schedule: try text.schedule())
    #expect(assessed.plans == [plan])
    #expect(assessed.fees == fee)
    #expect(assessed.areCrossBorder == [more.contains("FR") && account != "shop"])
  }

  @Test("a plan for SUBTYPE_NOT_SET applies to receivers without a subtype")
  func plansNotSet() throws {
    let text = ScheduleText(plans: Self.plans, subTypes: #"{"SUBTYPE_NOT_SET":"rent"}"#)
    #expect(Assessed(Self.single("100"), schedule: try text.schedule()).plans == ["rent"])
  }

  @Test("a thousand accounts with their own plans are all found")
  func findsManyAccounts() throws {
    let entries = (0..<1000).map { #""a\#($0)@b.example":"\#($0 % 2 == 0 ? "rent" : "none")""# }
    let text = ScheduleText(plans: Self.plans, accounts: "{\(entries.joined(separator: ","))}")
    let schedule = try text.schedule()
    #expect(schedule.accountPlans.entries.count == 1000)
    for number in stride(from: 0, to: 1000, by: 37) {
      let line = #"{"payKey":"P","recipient":"A\#(number)@B.example","subTotal":1}"#
      #expect(Assessed(line, schedule: schedule).plans == [number % 2 == 0 ? "rent" : "none"])
    }
    #expect(Assessed(Self.single("1"), schedule: schedule).plans == ["standard"])
  }

  @Test("amounts past 64 and 128 bits stay exact")
  func takesHugeAmounts() {
    let nines = String(repeating: "9", count: 62)
    let assessed = Assessed(Self.single(nines + ".99"))
    // 0.029 x (10^62 - 0.01) + 0.30 = 29 x 10^59 + 0.29971.
    #expect(assessed.fees == "29" + String(repeating: "0", count: 59) + ".30")
    #expect(assessed.control == "USD \(nines).99")
  }
}
