import ExactArithmetic
import Rules
import TestSupport
import Testing

@Suite("Named fees: which fits, its amount, VAT, and what gives way")
struct NamedFeeTests {
  /// What the receivers of a payment are charged, each as `receiver name fee vat`, and the sums.
  struct Charged {
    var charges: [String] = []
    var assessed: [String] = []
    var noticed: [String] = []
    /// The same by the steps of an explanation, which are computed in decimals.
    var steps: [String] = []

    init(_ line: String, _ schedule: FeeSchedule = .named) {
      var judge = RecordJudge(rules: SettlementRules(schedule: schedule), listsNotices: true)
      _ = judge.judge(Array(line.utf8).span)
      let codes = judge.judgement.findings.map { "\($0.reason.code)" }
      #expect(codes.isEmpty, "\(line)")
      let names = schedule.names.map { String(decoding: $0, as: UTF8.self) }
      let charges = judge.judgement.charges
      for place in charges.indices {
        let charge = charges[place]
        self.charges.append("\(charge.receiver) \(names[charge.name]) \(charge.fee) \(charge.vat)")
      }
      for place in 0..<judge.judgement.receiverCount {
        assessed.append(judge.judgement.receiver(place).assessedFee.description)
        for step in judge.feeFigures(of: place).named where !(step.fee.isZero && step.vat.isZero) {
          steps.append("\(place) \(step.name) \(step.fee) \(step.vat)")
        }
      }
      noticed = judge.judgement.notices.map { "\($0.notice.code)" }.filter { $0.hasPrefix("FEE_") }.sorted()
    }
  }

  static func payment(_ amount: String, _ currency: String = "EUR", _ more: String = "") -> String {
    #"{"payKey":"P","paymentCurrency":"\#(currency)","recipient":"anna@shop.example","subTotal":"\#(amount)"\#(more)}"#
  }

  static let invoice = #","invoiceData":{"totalTax":"19.00","totalShipping":"5.90"}"#

  static let cases: [(line: String, charges: [String], noticed: [String])] = [
    // 12 % of the items, 1.5 % of what is kept without shipping.
    (payment("100", "EUR", invoice), ["0 commission 12.00 2.28", "0 processing 1.79 0.00"], []),
    // 2.9 % of what is kept, and 0.355, rounded once.
    (
      payment("100", "EUR", invoice + #","fundingSource":"CARD""#),
      ["0 commission 12.00 2.28", "0 processing 3.98 0.76"], []
    ),
    // The least and the most, in minor units of the currency.
    (payment("5", "EUR"), ["0 commission 1.00 0.19", "0 processing 0.08 0.00"], []),
    (payment("9999", "JPY"), ["0 commission 1200 228", "0 processing 150 0"], []),
    (payment("99999", "JPY"), ["0 commission 7500 1425", "0 processing 1500 0"], []),
    // The first that gives way pays what is left, with VAT in it; the next nothing.
    (payment("0.90", "EUR"), ["0 commission 0.76 0.14"], ["FEE_CAPPED"]),
    (payment("1.20", "EUR"), ["0 commission 1.00 0.19", "0 processing 0.01 0.00"], ["FEE_CAPPED"]),
    // A currency that a table leaves out: no entry fits.
    (payment("100", "CHF"), ["0 processing 1.50 0.00"], ["FEE_NOT_SET"]),
    (payment("1e17", "CHF"), ["0 processing 1500000000000000.00 0.00"], ["FEE_NOT_SET"]),
    // A category, in its letter case only.
    (payment("100", "EUR", #","category":"books""#), ["0 commission 8.00 1.52", "0 processing 1.50 0.00"], []),
    (payment("100", "EUR", #","category":"Books""#), ["0 commission 12.00 2.28", "0 processing 1.50 0.00"], []),
    // A country and a currency; then the next entry, which charges nothing and notes nothing.
    (
      payment("100", "EUR", #","country":"DE""#),
      ["0 commission 12.00 2.28", "0 processing 1.50 0.00", "0 listing 0.36 0.00"], []
    ),
    (payment("100", "CHF", #","country":"DE""#), ["0 processing 1.50 0.00"], ["FEE_NOT_SET"]),
    (payment("2000", "JPY", #","country":"US""#), ["0 commission 240 46", "0 processing 30 0"], []),
    (payment("100", "EUR", #","country":"FR""#), ["0 commission 12.00 2.28", "0 processing 1.50 0.00"], []),
    // The cross-border rate, only where an entry adds it.
    (
      payment("100", "EUR", #","country":"FR","senderCountry":"DE","fundingSource":"CARD""#),
      ["0 commission 12.00 2.28", "0 processing 4.26 0.81"], []
    ),
    // Plans: an account's own, and personal ones without names.
    (
      payment("100", "EUR", invoice).replacing("anna@", with: "GOLD@"), ["0 commission 5.30 0.37"], []
    ),
    (payment("100", "EUR", #","paymentType":"TYPE_PERSONAL""#), [], []),
    (payment("100", "EUR", #","paymentType":"TYPE_PERSONAL","fundingSource":"CARD""#), ["0 fee 3.20 0.00"], []),
  ]

  @Test("single receivers", arguments: cases)
  func charges(line: String, charges: [String], noticed: [String]) {
    let charged = Charged(line)
    #expect(charged.charges == charges)
    #expect(charged.steps == charges)
    #expect(charged.noticed == noticed)
  }

  @Test("a fee of all that is kept gives way to nothing")
  func whole() throws {
    var text = NamedScheduleTests.text(#"[{"name":"a","rate":"1"}]"#)
    text.otherwise = #""market""#
    let charged = Charged(Self.payment("10"), try text.schedule())
    #expect(charged.charges == ["0 a 10.00 0.00"] && charged.noticed == [])
  }

  @Test("a primary receiver is charged on what it keeps, and its base loses its own tax; nothing kept, nothing charged")
  func chains() {
    func line(_ passedOn: String, of large: String = "") -> String {
      #"{"payKey":"P","paymentCurrency":"EUR","receiverPaymentDetails":[{"recipient":"gold@shop.example","isPrimary":true,"#
        + #""subtotal":"41\#(large)","invoiceData":{"totalTax":"19\#(large)","totalShipping":"0"}},"#
        + #"{"recipient":"b@shop.example","subtotal":"\#(passedOn)\#(large)","category":"books"}]}"#
    }
    #expect(
      Charged(line("30")).charges
        == ["0 commission 0.55 0.04", "1 commission 2.40 0.46", "1 processing 0.45 0.00"])
    let whole = Charged(line("60"))
    #expect(whole.charges == ["1 commission 4.80 0.91", "1 processing 0.90 0.00"])
    #expect(whole.assessed[0] == "0.00" && whole.noticed == [])
    #expect(Charged(line("60").replacing("gold@", with: "shop@")).noticed == [])
    // Less is kept than its tax.
    let zeros = "000000000000000"
    #expect(!Charged(line("50")).charges.contains { $0.hasPrefix("0 ") })
    #expect(!Charged(line("50", of: zeros)).charges.contains { $0.hasPrefix("0 ") })
    let large = Charged(line("30", of: zeros))
    #expect(large.charges[0] == "0 commission 550000000000000.00 38500000000000.00")
  }

  /// A schedule and payments as a marketplace may have them; words and decimals must agree.
  @Test("drawn schedules: machine words and decimals give the same", arguments: rounds(60))
  func drawn(round: Int) throws {
    var random = SeededGenerator(seed: SeededGenerator().seed &+ UInt64(round))
    func decimal(_ most: Int, _ decimals: Int) -> String {
      let digits = String(Int.random(in: 0...most, using: &random))
      return "\(digits)e-\(Int.random(in: 0...decimals, using: &random))"
    }
    let entries = (0..<Int.random(in: 1...6, using: &random)).map { number -> String in
      var entry = #"{"name":"n\#(number % 3)","rate":"0.\#(Int.random(in: 0...9999, using: &random))""#
      if Bool.random(using: &random) { entry += #","vat":"0.\#(Int.random(in: 0...99, using: &random))""# }
      if Bool.random(using: &random) { entry += #","fixed":"f""# }
      if Bool.random(using: &random) { entry += #","min":"lo""# }
      if Bool.random(using: &random) { entry += #","max":"hi""# }
      if Bool.random(using: &random) { entry += #","crossBorder":true"# }
      if number < 3 { entry += #","countries":["DE"]"# }
      let base = FeeBase.allCases.randomElement(using: &random)!
      return entry + #","base":"\#(base.rawValue)"}"#
    }
    let mode = RoundingMode.allCases.randomElement(using: &random)!
    var text = ScheduleText(rounding: #""\#(mode.rawValue)""#)
    text.plans = #"{"standard":{"fees":[\#(entries.joined(separator: ","))]},"free":{"rate":"0"}}"#
    let (low, high) = (Int.random(in: 0...300, using: &random), Int.random(in: 301...9000, using: &random))
    text.fixed =
      #"{"f":{"EUR":"\#(decimal(999, 4))","JPY":"7.5"},"lo":{"EUR":"\#(low)e-2","JPY":"\#(low)e-1"},"#
      + #""hi":{"EUR":"\#(high)e-2","JPY":"\#(high)e-1"}}"#
    // Tables that no entry names must have all currencies.
    for table in ["f", "lo", "hi"] where !text.plans.contains("\"\(table)\"") {
      text.fixed = text.fixed.replacing(
        try Regex("\"\(table)\":\\{[^}]*\\}"), with: "\"\(table)\":\(ScheduleText.table("1"))")
    }
    let schedule = try text.schedule()
    for _ in 0..<20 {
      let (currency, unit) = Bool.random(using: &random) ? ("EUR", "e-2") : ("JPY", "")
      let large = Int.random(in: 0..<5, using: &random) == 0 ? "00000000000000" : ""
      func amount(_ most: Int) -> String { "\(Int.random(in: 1...most, using: &random))\(large)\(unit)" }
      let line = Self.payment(
        amount(50_000), currency,
        #","country":"\#(Bool.random(using: &random) ? "DE" : "FR")","senderCountry":"FR","#
          + #""invoiceData":{"totalTax":"\#(amount(9000))","totalShipping":"\#(amount(900))"}"#)
      let charged = Charged(line, schedule)
      #expect(charged.charges == charged.steps, "\(line) \(text.json) \(SeededGenerator().reproduction)")
      let kept = try #require(ExactDecimal(charged.assessed[0]))
      let sum = try charged.charges.flatMap { $0.split(separator: " ").suffix(2) }.reduce(ExactDecimal.zero) {
        $0 + (try #require(ExactDecimal(String($1))))
      }
      #expect(kept == sum)
    }
  }
}
