import BatchRun
import Testing
import TestSupport

/// Figures are moved from one payment or refund to another with the same parties, so that all reports still add up.
@Suite("Changed figures that add up")
struct BalancedChangesTests {
  struct Case: CustomTestStringConvertible, Sendable {
    /// Gross, passed on, fee and net of lines of `settlement.csv`.
    let settlement: [Int: String]
    /// Amount, fees returned and remaining amount of lines of `refunds.csv`.
    let refunds: [Int: String]
    let says: [String]
    var testDescription: String { says.first ?? "" }

    init(_ settlement: [Int: String], refunds: [Int: String] = [:], _ says: String...) {
      (self.settlement, self.refunds, self.says) = (settlement, refunds, says)
    }
  }

  private static func record(_ key: String, _ receivers: String, _ more: String = "") -> String {
    #"{"payKey":"\#(key)","sender":"ann@mail.example",\#(more)"receiverPaymentDetails":[\#(receivers)]}"#
  }

  private static func receiver(_ account: String, _ amount: Int, isPrimary: Bool = false) -> String {
    #"{"recipient":"\#(account)@shop.example","subtotal":"\#(amount).00"\#(isPrimary ? #","isPrimary":true"# : "")}"#
  }

  private static func refund(_ payKey: String, _ amount: Int) -> String {
    #"{"type":"refund","refundKey":"R\#(payKey)","payKey":"\#(payKey)","currencyCode":"USD","amount":"\#(amount)"}"#
  }

  /// A payment of each kind and another one with the same parties, then a refund of each.
  private static let batch = [
    record("S1", receiver("books", 100)), record("S2", receiver("books", 10_000)),
    record("P1", receiver("hotel", 100) + "," + receiver("guide", 50), #""feePayer":"FEEPAYER_SENDER","#),
    record("P2", receiver("hotel", 400) + "," + receiver("guide", 200), #""feePayer":"FEEPAYER_SENDER","#),
    record("C1", [receiver("all", 100, isPrimary: true), receiver("a", 60), receiver("b", 30)].joined(separator: ",")),
    record(
      "C2", [receiver("all", 400, isPrimary: true), receiver("a", 240), receiver("b", 120)].joined(separator: ",")),
    refund("S1", 10), refund("S2", 100), refund("P1", 15), refund("P2", 150), refund("C1", 10), refund("C2", 100),
  ]

  /// The rows that are changed, as a run writes them.
  private static let written: [Int: String] = [
    2: "S1,SIMPLE,SENDER,ann@mail.example,USD,-100.00,0.00,0.00,-100.00,",
    3: "S1,SIMPLE,RECEIVER,books@shop.example,USD,100.00,0.00,3.20,96.80,",
    5: "S2,SIMPLE,RECEIVER,books@shop.example,USD,10000.00,0.00,290.30,9709.70,",
    6: "P1,PARALLEL,SENDER,ann@mail.example,USD,-150.00,0.00,4.95,-154.95,",
    9: "P2,PARALLEL,SENDER,ann@mail.example,USD,-600.00,0.00,18.00,-618.00,",
    13: "C1,CHAINED,PRIMARY,all@shop.example,USD,100.00,90.00,0.59,9.41,",
    14: "C1,CHAINED,SECONDARY,a@shop.example,USD,60.00,0.00,2.04,57.96,",
    17: "C2,CHAINED,PRIMARY,all@shop.example,USD,400.00,360.00,1.46,38.54,",
    18: "C2,CHAINED,SECONDARY,a@shop.example,USD,240.00,0.00,7.26,232.74,",
    21: "S1,REFUND,RECEIVER,books@shop.example,USD,-10.00,0.00,-0.32,-9.68,RS1",
    23: "S2,REFUND,RECEIVER,books@shop.example,USD,-100.00,0.00,-2.90,-97.10,RS2",
    24: "P1,REFUND,SENDER,ann@mail.example,USD,15.00,0.00,-0.49,15.49,RP1",
    29: "P2,REFUND,RECEIVER,guide@shop.example,USD,-50.00,0.00,0.00,-50.00,RP2",
    31: "C1,REFUND,PRIMARY,all@shop.example,USD,-10.00,-9.00,-0.05,-0.95,RC1",
    36: "C2,REFUND,SECONDARY,a@shop.example,USD,-60.00,0.00,-1.81,-58.19,RC2",
  ]

  private static func onlyPrimary(_ line: Int, _ passedOn: String) -> String {
    "settlement.csv:\(line): passed_on is \(passedOn): only a primary receiver passes anything on, and never less "
      + "than zero"
  }

  static let cases = [
    Case(
      [3: "100.00,0.00,-1.00,101.00", 5: "10000.00,0.00,294.50,9705.50"],
      "settlement.csv:3: fee is -1.00: a fee is zero or more"),
    Case(
      [3: "100.00,0.00,101.00,-1.00", 5: "10000.00,0.00,192.50,9807.50"],
      "settlement.csv:3: net is -1.00: no receiver's net is below zero"),
    // What the sender bears.
    Case(
      [6: "-150.00,0.00,-1.00,-149.00", 9: "-600.00,0.00,23.95,-623.95"],
      "settlement.csv:6: fee is -1.00: a fee is zero or more"),
    Case(
      [12: "-100.00,0.00,1.00,-101.00", 6: "-150.00,0.00,3.95,-153.95"],
      "settlement.csv:12: fee is 1.00: the sender of a chained payment bears no fee"),
    Case([2: "-100.00,1.00,0.00,-101.00"], "settlement.csv:2: passed_on is 1.00: a sender passes nothing on"),
    // What is sent.
    Case(
      [
        2: "0.00,0.00,0.00,0.00", 3: "0.00,0.00,0.00,0.00", 4: "-10100.00,0.00,0.00,-10100.00",
        5: "10100.00,0.00,293.50,9806.50",
      ],
      "settlement.csv:2: gross is 0.00: a sender's gross is below zero",
      "settlement.csv:3: gross is 0.00: what is sent to a receiver is above zero"),
    Case(
      [
        7: "150.00,0.00,0.00,150.00", 8: "0.00,0.00,0.00,0.00", 10: "350.00,0.00,0.00,350.00",
        11: "250.00,0.00,0.00,250.00",
      ], "settlement.csv:8: gross is 0.00: what is sent to a receiver is above zero"),
    Case(
      [
        7: "151.00,0.00,0.00,151.00", 8: "-1.00,0.00,0.00,-1.00", 10: "349.00,0.00,0.00,349.00",
        11: "251.00,0.00,0.00,251.00",
      ], "settlement.csv:8: gross is -1.00: what is sent to a receiver is above zero",
      "settlement.csv:8: net is -1.00: no receiver's net is below zero"),
    // What is passed on.
    Case(
      [
        13: "100.00,89.00,0.59,10.41", 14: "60.00,1.00,2.04,56.96", 17: "400.00,361.00,1.46,37.54",
        18: "240.00,-1.00,7.26,233.74",
      ],
      onlyPrimary(14, "1.00"),
      onlyPrimary(18, "-1.00")),
    Case(
      [
        13: "100.00,-1.00,0.59,100.41", 14: "60.00,91.00,2.04,-33.04", 17: "400.00,451.00,1.46,-52.46",
        18: "240.00,-91.00,7.26,323.74",
      ],
      onlyPrimary(13, "-1.00"),
      onlyPrimary(14, "91.00"),
      "settlement.csv:14: net is -33.04: no receiver's net is below zero",
      "settlement.csv:17: net is -52.46: no receiver's net is below zero",
      onlyPrimary(18, "-91.00")
    ),
    Case(
      [13: "100.00,80.00,0.59,19.41", 17: "400.00,370.00,1.46,28.54"],
      "settlement.csv:12: net and fees together is 10.00; expected 0: every payment sums to zero",
      "settlement.csv:12: what is passed on is 80.00; expected 90.00: the gross of the secondary receivers",
      "settlement.csv:16: net and fees together is -10.00; expected 0: every payment sums to zero",
      "settlement.csv:16: what is passed on is 370.00; expected 360.00: the gross of the secondary receivers"),
    Case(
      [2: "-101.00,0.00,0.00,-101.00", 4: "-9999.00,0.00,0.00,-9999.00"],
      "settlement.csv:2: net and fees together is -1.00; expected 0: every payment sums to zero",
      "settlement.csv:2: what is sent is 101.00; expected 100.00: the gross of all receivers",
      "settlement.csv:4: net and fees together is 1.00; expected 0: every payment sums to zero",
      "settlement.csv:4: what is sent is 9999.00; expected 10000.00: the gross of all receivers"),
    // Refunds.
    Case(
      [21: "-10.00,0.00,0.50,-10.50", 23: "-100.00,0.00,-3.72,-96.28"],
      refunds: [2: "10.00,-0.50,90.00", 3: "100.00,3.72,9900.00"],
      "settlement.csv:21: fee is 0.50: the fee of a refund is zero or comes back"),
    Case(
      [20: "10.00,0.00,0.01,9.99", 24: "15.00,0.00,-0.50,15.50"],
      refunds: [2: "10.00,0.31,90.00", 4: "15.00,0.50,135.00"],
      "settlement.csv:20: fee is 0.01: the fee of a refund is zero or comes back"),
    Case(
      [
        20: "0.00,0.00,0.00,0.00", 21: "0.00,0.00,-0.32,0.32", 22: "110.00,0.00,0.00,110.00",
        23: "-110.00,0.00,-2.90,-107.10",
      ],
      refunds: [2: "0.00,0.32,90.00", 3: "110.00,2.90,9900.00"],
      "settlement.csv:20: gross is 0.00: a sender gets something back"),
    Case(
      [
        25: "1.00,0.00,0.00,1.00", 26: "-16.00,0.00,0.00,-16.00", 28: "-111.00,0.00,0.00,-111.00",
        29: "-39.00,0.00,0.00,-39.00",
      ], "settlement.csv:25: gross is 1.00: a receiver of a refunded payment gives"),
    Case(
      [21: "-10.00,0.00,-0.32,-9.69", 23: "-100.00,0.00,-2.90,-97.09"],
      "settlement.csv:21: net is -9.69; expected -9.68: gross - passed_on - fee",
      "settlement.csv:20: net and fees together is -0.01; expected 0: every refund sums to zero",
      "settlement.csv:23: net is -97.09; expected -97.10: gross - passed_on - fee",
      "settlement.csv:22: net and fees together is 0.01; expected 0: every refund sums to zero"),
    Case(
      [21: "-11.00,0.00,-0.32,-10.68", 23: "-99.00,0.00,-2.90,-96.10"],
      "settlement.csv:20: net and fees together is -1.00; expected 0: every refund sums to zero",
      "settlement.csv:20: what goes back is 10.00; expected 11.00: what the receivers give",
      "settlement.csv:22: net and fees together is 1.00; expected 0: every refund sums to zero",
      "settlement.csv:22: what goes back is 100.00; expected 99.00: what the receivers give"),
    Case(
      [31: "-10.00,-8.00,-0.05,-1.95", 35: "-100.00,-91.00,-0.36,-8.64"],
      "settlement.csv:30: net and fees together is -1.00; expected 0: every refund sums to zero",
      "settlement.csv:30: what was passed on is -8.00; expected -9.00: the gross of the secondary receivers",
      "settlement.csv:34: net and fees together is 1.00; expected 0: every refund sums to zero",
      "settlement.csv:34: what was passed on is -91.00; expected -90.00: the gross of the secondary receivers"),
    Case(
      [:], refunds: [2: "10.01,0.32,90.00"],
      "refunds.csv:2: amount is 10.01; expected 10.00: the refund of line 20 of settlement.csv"),
    Case(
      [:], refunds: [2: "10.00,0.31,90.00"],
      "refunds.csv:2: fees_returned is 0.31; expected 0.32: the refund of line 20 of settlement.csv"),
    Case([:], refunds: [2: "10.00,0.32,-0.01"], "refunds.csv:2: remaining is -0.01: an amount of zero or more remains"),
  ]

  private func settled() throws -> TamperedFolder {
    var options = RunOptions(threads: 1)
    options.rules.schedule = .returning
    return try TamperedFolder(Array(Self.batch.joined(separator: "\n").utf8), options: options)
  }

  @Test("a receiver's row of another refund than the one before it is found")
  func otherRefund() throws {
    let tampered = try settled()
    var rows = try tampered.lines("settlement.csv")
    rows[20] = rows[20].replacing(",RS1", with: ",RS2")
    try tampered.write(rows, to: "settlement.csv")
    try tampered.mendSums()
    #expect(try tampered.findings().contains("settlement.csv:21: no sender's row of the refund comes before it"))
  }

  @Test("a payment behind refunds is found")
  func paymentLast() throws {
    let tampered = try settled()
    var rows = try tampered.lines("settlement.csv")
    rows += rows[1...2]
    rows.removeSubrange(1...2)
    try tampered.write(rows, to: "settlement.csv")
    try tampered.mendSums()
    #expect(try tampered.findings().contains("settlement.csv:\(rows.count - 1): payments come before refunds"))
  }

  @Test("are found where they are, and only there", arguments: cases)
  func isFound(_ example: Case) throws {
    let tampered = try settled()
    var rows = try tampered.lines("settlement.csv")
    for (line, row) in Self.written { #expect(rows[line - 1] == row) }
    for (line, figures) in example.settlement {
      let fields = rows[line - 1].split(separator: ",", omittingEmptySubsequences: false)
      rows[line - 1] = (fields[..<5] + [Substring(figures), fields[9]]).joined(separator: ",")
    }
    try tampered.write(rows, to: "settlement.csv")
    var refunds = try tampered.lines("refunds.csv")
    for (line, figures) in example.refunds {
      refunds[line - 1] =
        refunds[line - 1].split(separator: ",", omittingEmptySubsequences: false)[..<4].joined(separator: ",")
        + ",\(figures)"
    }
    try tampered.write(refunds, to: "refunds.csv")
    try tampered.mendSums()
    let findings = try tampered.findings()
    #expect(findings == example.says)
  }

  @Test(
    "runs and payments that refunds name",
    arguments: [
      ("RS1,S1,,", "RS1,S1,0,", ["refunds.csv:2: run is 0: runs are numbered from 1"]),
      ("RS1,S1,,", "RS1,S2,,", ["refunds.csv:2: pay_key is S2; expected S1: the refund of line 20 of settlement.csv"]),
      (
        "RS1,S1,,", "RS9,S1,,",
        ["refunds.csv:2: refund_key is RS9; expected RS1: the refund of line 20 of settlement.csv"]
      ),
      (
        "RS1,S1,,USD", "RS1,S1,,EUR",
        ["refunds.csv:2: currency is EUR; expected USD: the refund of line 20 of settlement.csv"]
      ),
      ("RC2,C2,,USD,100.00,3.11,300.00\n", "", ["refunds.csv: fewer refunds than settlement.csv has"]),
    ] as [(String, String, [String])])
  func names(from: String, to: String, says: [String]) throws {
    let tampered = try settled()
    let text = String(decoding: try tampered.bytes("refunds.csv"), as: UTF8.self)
    #expect(text.contains(from))
    try tampered.write(Array(text.replacing(from, with: to).utf8), "refunds.csv")
    try tampered.mendSums()
    let findings = try tampered.findings()
    #expect(findings == says)
  }

  @Test("a refund of a payment that neither this batch nor a run settles is found")
  func ownPayment() throws {
    let tampered = try settled()
    for name in ["settlement.csv", "refunds.csv"] {
      let lines = try tampered.lines(name).map {
        $0.replacing("S1,REFUND", with: "X1,REFUND").replacing("RS1,S1", with: "RS1,X1")
      }
      try tampered.write(lines, to: name)
    }
    try tampered.mendSums()
    #expect(
      try tampered.findings() == [
        "refunds.csv:2: run is empty: settlement.csv settles no such payment; a run that did has a number"
      ])
  }
}
