import ExactArithmetic
import Testing
import TestSupport

@testable import BatchRun
@testable import RunSupport

@Suite("Refunds at their edges: ties, the window, which fees come back")
struct RefundEdgeTests {
  private static func payment(_ receivers: [(account: String, amount: String)], _ more: String = "") -> String {
    let parts = receivers.map { #"{"recipient":"\#($0.account)@x.example","subtotal":"\#($0.amount)"}"# }
    return #"{"payKey":"P"\#(more),"receiverPaymentDetails":[\#(parts.joined(separator: ","))]}"#
  }

  private static func refund(_ key: String, of payKey: String = "P", _ amount: String?) -> String {
    let asked = amount.map { #","currencyCode":"USD","amount":"\#($0)""# } ?? ""
    return #"{"type":"refund","refundKey":"\#(key)","payKey":"\#(payKey)"\#(asked)}"#
  }

  /// The receivers, the refunds one after the other, and what each of these takes from whom.
  static let ties: [(receivers: [(account: String, amount: String)], refunds: [String], taken: [[String]])] = [
    ([("b", "10.00"), ("a", "10.00")], ["0.01", "0.01"], [["a -0.01"], ["b -0.01"]]),
    ([("a", "10.00"), ("b", "10.00")], ["0.01", "0.01"], [["a -0.01"], ["b -0.01"]]),
    // By the bytes of the account in lower case: - before @ before b.
    ([("B", "5.00"), ("ab", "5.00"), ("a", "5.00"), ("a-b", "5.00")], ["0.01"], [["a-b -0.01"]]),
    (
      [("B", "5.00"), ("ab", "5.00"), ("a", "5.00"), ("a-b", "5.00")], ["0.03"], [["ab -0.01", "a -0.01", "a-b -0.01"]]
    ),
    // The larger fraction first, whatever the account.
    ([("a", "1.00"), ("b", "2.00")], ["0.01", "0.02"], [["b -0.01"], ["a -0.01", "b -0.01"]]),
    // All that remains is refunded to the last cent.
    ([("a", "0.02"), ("b", "0.01")], ["0.02", "0.01"], [["a -0.01", "b -0.01"], ["a -0.01"]]),
  ]

  @Test(
    "minor units that are left over go to the largest fractions, among equal ones to the first account", arguments: ties
  )
  func divides(receivers: [(account: String, amount: String)], refunds: [String], taken: [[String]]) throws {
    let lines = [Self.payment(receivers)] + refunds.enumerated().map { Self.refund("R\($0)", $1) }
    let rows = try Workshop().settle(lines.joined(separator: "\n")).rows("settlement.csv").map {
      $0.split(separator: ",")
    }
    for number in refunds.indices {
      let own = rows.filter { $0.last == "R\(number)" && $0[2] == "RECEIVER" }
      #expect(own.map { "\($0[3].prefix { $0 != "@" }) \($0[5])" } == taken[number], "refund \(number)")
    }
  }

  /// The days between payment and refund; nil if the second run has no day.
  static let windows: [(window: Int, days: Int?, isMade: Bool)] = [
    (180, 180, true), (180, 181, false), (0, 0, true), (0, 1, false), (1, 1, true), (1, 2, false), (2, 2, true),
    (2, 3, false), (0, nil, true),
  ]

  @Test(
    "the last day of the window counts, and one more does not; without a day there is no window", arguments: windows)
  func window(window: Int, days: Int?, isMade: Bool) throws {
    let workshop = try LedgerWorkshop()
    func night(_ day: CourseDay?, _ line: String) -> String {
      let header = #"{"type":"header"\#(day.map { #","createdAt":"\#($0.text)T12:00:00Z""# } ?? "")}"#
      let trailer =
        line.contains("refundKey")
        ? #"{"type":"trailer","recordCount":1,"totals":{},"refundTotals":{"USD":1}}"#
        : #"{"type":"trailer","recordCount":1,"totals":{"USD":10}}"#
      return [header, line, trailer].joined(separator: "\n")
    }
    var options = RunOptions(threads: 1)
    options.rules.refundWindow = window
    let first = CourseDay(number: 400)
    #expect(
      try workshop.settle(night(first, Line.payment("P")), output: "first", options: options).description == "settled 1"
    )
    let second = days.map { CourseDay(number: first.number + $0) }
    #expect(try workshop.settle(night(second, Self.refund("R", "1.00")), options: options).description == "settled 2")
    #expect(try workshop.rows("refunds.csv").map { $0[4] } == (isMade ? ["1.00"] : []))
    #expect(try workshop.rows("exceptions.csv").map { $0[5] } == (isMade ? [] : ["REFUND_WINDOW_PASSED"]))
  }

  @Test("with RETURN the last part of a payment brings back the last cent of its fee, to the party that bore it")
  func fees() throws {
    var options = RunOptions(threads: 1)
    options.rules.schedule = .returning
    for (more, party) in [("", "RECEIVER"), (#","feePayer":"FEEPAYER_SENDER""#, "SENDER")] {
      // A fee of 0.59 on 10.00: 0.0059 come back with 0.10, cut to 0.00; the rest with the rest.
      let lines = [Self.payment([("a", "10.00")], more), Self.refund("R0", "0.10"), Self.refund("R1", "9.89")]
      let settled = try Workshop().settle(
        [Array((lines + [Self.refund("R2", "0.01")]).joined(separator: "\n").utf8)], options: options)
      let rows = settled.rows("settlement.csv").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
      let fees = rows.filter { $0[1] == "REFUND" && $0[2] == party }.map { $0[7] }
      #expect(fees == ["0.00", "-0.58", "-0.01"], "\(party)")
      #expect(settled.rows("refunds.csv").map { $0.split(separator: ",").last } == ["9.90", "0.01", "0.00"])
    }
  }

  /// Who bears the fees of a payment, and its receivers.
  static let bearers: [(feePayer: String, more: String, receivers: [String], bearing: [String])] = [
    ("EACHRECEIVER", "", [#""subtotal":"10.00""#, #""subtotal":"20.00""#], ["0", "1"]),
    ("SENDER", "", [#""subtotal":"10.00""#, #""subtotal":"20.00""#], ["sender"]),
    // Personal receivers in India and Germany bear their own fees.
    (
      "SENDER", #","fundingSource":"CARD""#,
      ["IN", "FR", "DE"].map { #""subtotal":"30.00","paymentType":"TYPE_PERSONAL","country":"\#($0)""# },
      ["sender", "0", "2"]
    ),
    (
      "PRIMARYRECEIVER", "",
      [#""subtotal":"10.00""#, #""subtotal":"50.00","isPrimary":true"#, #""subtotal":"20.00""#], ["1"]
    ),
    ("SECONDARYONLY", "", [#""subtotal":"50.00","isPrimary":true"#, #""subtotal":"20.00""#], ["1"]),
    ("SECONDARYONLY", "", [#""subtotal":"20.00""#, #""subtotal":"50.00","isPrimary":true"#], ["0"]),
    // Amounts of three bytes, of eight, and beyond 64 bits.
    ("EACHRECEIVER", "", [#""subtotal":"30000.01""#, #""subtotal":"720575940379279.36""#], ["0", "1"]),
    ("SENDER", "", [#""subtotal":"184467440737095516.15""#, #""subtotal":"1e30""#], ["sender"]),
  ]

  @Test(
    "a full refund with RETURN is its payment with the opposite signs, in that night or a later one", arguments: bearers
  )
  func full(feePayer: String, more: String, receivers: [String], bearing: [String]) throws {
    let parts = receivers.enumerated().map { #"{"recipient":"\#($0)@x.example",\#($1)}"# }
    let payment =
      #"{"payKey":"P","sender":"s@x.example","feePayer":"FEEPAYER_\#(feePayer)"\#(more),"#
      + #""receiverPaymentDetails":[\#(parts.joined(separator: ","))]}"#
    var options = RunOptions(threads: 1)
    options.rules.schedule = .returning
    let workshop = try LedgerWorkshop()
    let settled = try Workshop().settle([Array("\(payment)\n\(Self.refund("R", nil))".utf8)], options: options)
    #expect(try workshop.settle(payment, output: "payment", options: options).description == "settled 1")
    #expect(try workshop.settle(Self.refund("R", nil), options: options).description == "settled 2")
    let nights = try ["payment", "out"].flatMap { try workshop.rows("settlement.csv", of: $0) }
    let rows = settled.rows("settlement.csv").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(rows == nights)
    let (paid, refunded) = (rows.filter { $0[1] != "REFUND" }, rows.filter { $0[1] == "REFUND" })
    #expect(refunded.map { $0[3] } == paid.map { $0[3] })
    for (payment, refund) in zip(paid, refunded) {
      for column in 5...8 {
        #expect(ExactDecimal(String(refund[column])) == ExactDecimal(String(payment[column])).map { -$0 }, "\(refund)")
      }
    }
    let bore = paid.filter { $0[7] != "0.00" }.map { $0[2] == "SENDER" ? "sender" : String($0[3].prefix { $0 != "@" }) }
    #expect(bore == bearing)
  }

  @Test("a secondary receiver that gives nothing still gets back the fees it bore for the primary receiver")
  func feeAlone() throws {
    let payment =
      #"{"payKey":"P","feePayer":"FEEPAYER_SECONDARYONLY","receiverPaymentDetails":["#
      + #"{"recipient":"p@x.example","subtotal":"50.00","isPrimary":true},"#
      + #"{"recipient":"s@x.example","subtotal":"20.00"}]}"#
    let refund =
      #"{"type":"refund","refundKey":"R","payKey":"P","currencyCode":"USD","#
      + #""receivers":[{"recipient":"p@x.example","amount":"10.00"}]}"#
    var options = RunOptions(threads: 1)
    options.rules.schedule = .returning
    let settled = try Workshop().settle([Array("\(payment)\n\(refund)".utf8)], options: options)
    // A third of the primary's fee of 1.17 on the 30.00 that it kept.
    #expect(
      settled.rows("settlement.csv").filter { $0.contains(",REFUND,") } == [
        "P,REFUND,SENDER,,USD,10.00,0.00,0.00,10.00,R", "P,REFUND,PRIMARY,p@x.example,USD,-10.00,0.00,0.00,-10.00,R",
        "P,REFUND,SECONDARY,s@x.example,USD,0.00,0.00,-0.39,0.39,R",
      ])
  }

  @Test("a refund may have the key of its payment: pay keys and refund keys are separate")
  func sameKey() throws {
    let settled = try Workshop().settle([Line.payment("P"), Self.refund("P", "1.00")].joined(separator: "\n"))
    #expect(settled.rows("refunds.csv").map { String($0.prefix(4)) } == ["P,P,"] && settled.exceptions == [])
  }

  @Test("the refunds of all earlier nights are taken from what remains")
  func nights() throws {
    let workshop = try LedgerWorkshop()
    #expect(try workshop.settle(Line.payment("P"), output: "first").description == "settled 1")
    let nights = [("4.00", ["6.00"]), ("4.00", ["2.00"]), ("2.01", []), ("2.00", ["0.00"]), ("0.01", [])]
    for (night, (amount, remaining)) in nights.enumerated() {
      _ = try workshop.settle(Self.refund("R\(night)", amount), output: "out\(night)")
      #expect(
        try workshop.rows("refunds.csv", of: "out\(night)").compactMap { $0.last.map(String.init) } == remaining,
        "\(amount)")
    }
    #expect(try workshop.rows("exceptions.csv", of: "out2").map { $0[5] } == ["REFUND_EXCEEDS_REMAINING"])
    #expect(try workshop.rows("exceptions.csv", of: "out4").map { $0[5] } == ["FULLY_REFUNDED"])
  }

  @Test("what is refunded in full cannot be refunded again, and no more than remains can")
  func remaining() throws {
    let lines = [
      Line.payment("P"), Self.refund("R0", "10.01"), Self.refund("R1", "4.00"), Self.refund("R2", nil),
      Self.refund("R3", "6.00"), Self.refund("R4", "0.01"), Self.refund("R5", nil),
    ]
    let settled = try Workshop().settle(lines.joined(separator: "\n"))
    #expect(settled.rows("refunds.csv").map { String($0.prefix(2)) } == ["R1", "R3"])
    #expect(
      settled.exceptions.map { $0.split(separator: " ")[2] } == [
        "REFUND_EXCEEDS_REMAINING", "FULL_AFTER_PARTIAL", "FULLY_REFUNDED", "FULLY_REFUNDED",
      ])
  }
}
