import Records
import Testing

@Suite("Who bears the fees: every fee payer with every kind")
struct FeeBearerTests {
  /// A payment in USD at 2.9 % + 0.30; each receiver with its subtotal and further fields.
  static func payment(_ feePayer: String, _ receivers: [(subtotal: String, more: String)], top: String = "") -> String {
    let details = receivers.enumerated().map { place, receiver in
      #"{"recipient":"r\#(place)@b.example","subtotal":"\#(receiver.subtotal)"\#(receiver.more)}"#
    }
    return #"{"payKey":"P-1","feePayer":"FEEPAYER_\#(feePayer)"\#(top),"#
      + #""receiverPaymentDetails":[\#(details.joined(separator: ","))]}"#
  }

  struct Example: Sendable {
    var feePayer: String
    var subtotals: [String]
    /// The index of the primary receiver.
    var primary: Int?
    /// Sender amount and the fees the sender bears.
    var sender: [String]
    /// For each receiver: what it passes on, its fee and its net.
    var receivers: [[String]]
  }

  // By hand: 100.00 x 0.029 + 0.30 = 3.20; 40.00: 1.46; 60.00: 2.04; 10.00: 0.59; 25.00: 1.025, rounded 1.03.
  static let examples = [
    Example(
      feePayer: "EACHRECEIVER", subtotals: ["100"], sender: ["100.00", "0.00"], receivers: [["0.00", "3.20", "96.80"]]),
    Example(
      feePayer: "SENDER", subtotals: ["100"], sender: ["100.00", "3.20"], receivers: [["0.00", "0.00", "100.00"]]),
    Example(
      feePayer: "EACHRECEIVER", subtotals: ["40", "60"], sender: ["100.00", "0.00"],
      receivers: [["0.00", "1.46", "38.54"], ["0.00", "2.04", "57.96"]]),
    Example(
      feePayer: "SENDER", subtotals: ["40", "60"], sender: ["100.00", "3.50"],
      receivers: [["0.00", "0.00", "40.00"], ["0.00", "0.00", "60.00"]]),
    Example(
      feePayer: "EACHRECEIVER", subtotals: ["10", "10", "10", "10", "10", "10"], sender: ["60.00", "0.00"],
      receivers: Array(repeating: ["0.00", "0.59", "9.41"], count: 6)),
    // Chained: the primary keeps 40.00 of 100.00.
    Example(
      feePayer: "EACHRECEIVER", subtotals: ["100", "60"], primary: 0, sender: ["100.00", "0.00"],
      receivers: [["60.00", "1.46", "38.54"], ["0.00", "2.04", "57.96"]]),
    Example(
      feePayer: "PRIMARYRECEIVER", subtotals: ["100", "60"], primary: 0, sender: ["100.00", "0.00"],
      receivers: [["60.00", "3.50", "36.50"], ["0.00", "0.00", "60.00"]]),
    Example(
      feePayer: "SECONDARYONLY", subtotals: ["100", "60"], primary: 0, sender: ["100.00", "0.00"],
      receivers: [["60.00", "0.00", "40.00"], ["0.00", "3.50", "56.50"]]),
    // The primary may be anywhere.
    Example(
      feePayer: "SECONDARYONLY", subtotals: ["60", "100"], primary: 1, sender: ["100.00", "0.00"],
      receivers: [["0.00", "3.50", "56.50"], ["60.00", "0.00", "40.00"]]),
    Example(
      feePayer: "PRIMARYRECEIVER", subtotals: ["10", "100", "25", "25"], primary: 1, sender: ["100.00", "0.00"],
      receivers: [
        ["0.00", "0.00", "10.00"], ["60.00", "4.11", "35.89"], ["0.00", "0.00", "25.00"], ["0.00", "0.00", "25.00"],
      ]),
    // Everything is passed on: nothing is kept, so no fee is assessed for the primary.
    Example(
      feePayer: "EACHRECEIVER", subtotals: ["100", "100"], primary: 0, sender: ["100.00", "0.00"],
      receivers: [["100.00", "0.00", "0.00"], ["0.00", "3.20", "96.80"]]),
    Example(
      feePayer: "SECONDARYONLY", subtotals: ["100", "100"], primary: 0, sender: ["100.00", "0.00"],
      receivers: [["100.00", "0.00", "0.00"], ["0.00", "3.20", "96.80"]]),
  ]

  @Test("an allowed pair", arguments: examples)
  func allowed(_ example: Example) {
    let receivers = example.subtotals.enumerated().map { place, subtotal in
      (subtotal: subtotal, more: place == example.primary ? #","isPrimary":true"# : #","isPrimary":false"#)
    }
    let assessed = Assessed(Self.payment(example.feePayer, receivers))
    #expect(assessed.findings == [])
    #expect(assessed.kind == (example.primary != nil ? .chained : receivers.count > 1 ? .parallel : .simple))
    #expect([assessed.senderAmount, assessed.senderFees] == example.sender)
    #expect(assessed.parties.map { [$0.passedOn, $0.fee, $0.net] } == example.receivers)
  }

  @Test("every pair of fee payer and kind, allowed or not", arguments: FeePayer.allCases, PaymentKind.allCases)
  func pairs(feePayer: FeePayer, kind: PaymentKind) {
    let allowed: [PaymentKind: [FeePayer]] = [
      .simple: [.eachReceiver, .sender], .parallel: [.eachReceiver, .sender],
      .chained: [.eachReceiver, .primaryReceiver, .secondaryOnly],
    ]
    let name = String(feePayer.name.dropFirst("FEEPAYER_".count))
    let primary = kind == .chained ? #","isPrimary":true"# : ""
    let receivers = kind == .simple ? [("100", "")] : [("100", primary), ("40", "")]
    let assessed = Assessed(Self.payment(name, receivers))
    #expect(assessed.kind == kind)
    #expect(assessed.errors == (allowed[kind]?.contains(feePayer) == true ? [] : ["FEE_PAYER_NOT_ALLOWED /feePayer"]))
  }

  @Test("SECONDARYONLY takes exactly one secondary", arguments: 1...5)
  func secondaries(count: Int) {
    let receivers = [("100", #","isPrimary":true"#)] + Array(repeating: ("10", ""), count: count)
    let errors = Assessed(Self.payment("SECONDARYONLY", receivers)).errors
    #expect(errors == (count == 1 ? [] : ["FEE_PAYER_NOT_ALLOWED /feePayer"]))
  }

  @Test(
    "the status decides the outcome, not the figures",
    arguments: [("COMPLETED", Outcome.settled), ("CREATED", .pending), ("OTHER", .held)])
  func outcomes(status: String, outcome: Outcome) {
    let assessed = Assessed(Self.payment("SENDER", [("100", "")], top: #","status":"STATUS_\#(status)""#))
    #expect(assessed.outcome == outcome)
    #expect(assessed.senderFees == "3.20")
  }

  @Test(
    "in IN and DE the receiver of a personal payment bears its fee, whatever the fee payer",
    arguments: [
      ("IN", "PERSONAL", true), ("DE", "PERSONAL", true), ("FR", "PERSONAL", false), ("IN", "GOODS", false),
      ("DE", "NOT_SET", false),
    ])
  func override(country: String, type: String, isOverridden: Bool) {
    let more = #","country":"\#(country)","paymentType":"TYPE_\#(type)""#
    let line = Self.payment("SENDER", [("100", more)], top: #","fundingSource":"CARD""#)
    let assessed = Assessed(line)
    #expect(assessed.senderFees == (isOverridden ? "0.00" : "3.20"))
    #expect(assessed.parties.map(\.net) == [isOverridden ? "96.80" : "100.00"])
    #expect(assessed.noticed == (isOverridden ? ["FEE_PAYER_OVERRIDDEN /receiverPaymentDetails/0"] : []))
  }

  @Test("the override applies only to that receiver: the sender bears the payment's other fees")
  func overridesOne() {
    let personal = #","paymentType":"TYPE_PERSONAL""#
    let line = Self.payment(
      "SENDER", [("100", personal + #","country":"IN""#), ("40", personal)], top: #","fundingSource":"CARD""#)
    let assessed = Assessed(line)
    #expect(assessed.senderFees == "1.46")
    #expect(assessed.parties.map(\.fee) == ["3.20", "0.00"])
  }
}
