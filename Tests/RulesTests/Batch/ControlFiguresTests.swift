import ExactArithmetic
import Rules
import TestSupport
import Testing

@Suite("Control amounts and the trailer's figures")
struct ControlFiguresTests {
  static func payment(_ key: String, _ amount: String, _ currency: String = "USD", status: String = "COMPLETED")
    -> String
  {
    #"{"payKey":"\#(key)","paymentCurrency":"\#(currency)","status":"STATUS_\#(status)","#
      + #""recipient":"a@b.example","subTotal":"\#(amount)"}"#
  }

  static func trailer(_ count: String, _ totals: String) -> String {
    #"{"type":"trailer","recordCount":\#(count),"totals":{\#(totals)}}"#
  }

  @Test("every record is counted and every valid amount added, whatever the payment's outcome")
  func verifies() {
    let lines = [
      Self.payment("A", "1.00"), Self.payment("B", "2.50", status: "CREATED"), Self.payment("C", "4", status: "OTHER"),
      Self.payment("-", "8"), Self.payment("D", "7", "JPY"), "nonsense", Self.payment("E", "x"),
    ]
    #expect(BatchEnvelopeTests.outcome(lines + [Self.trailer("7", #""USD":"15.5","JPY":7.00"#)]) == "verified")
  }

  static let mismatches: [(count: String, totals: String, error: String)] = [
    (
      "3", #""USD":"3""#,
      "CONTROL_COUNT_MISMATCH: f:3: the trailer counts 3 records, 2 were read; 1 of 2 records has no control amount"
    ),
    (
      "99999999999999999999999999999999999999999999", "",
      "CONTROL_COUNT_MISMATCH: f:3: the trailer counts 99999999999999999999999999999999999999999999 records, "
        + "2 were read; 1 of 2 records has no control amount"
    ),
    (
      "2", "",
      "CONTROL_TOTAL_MISMATCH: f:3: the trailer sums 0.00 USD, 3.00 USD were read; "
        + "1 of 2 records has no control amount"
    ),
    (
      "2", #""USD":"2.99","EUR":"1""#,
      "CONTROL_TOTAL_MISMATCH: f:3: the trailer sums 1.00 EUR, 0.00 EUR were read; it sums 2.99 USD, 3.00 USD were read; "
        + "1 of 2 records has no control amount"
    ),
  ]

  @Test(
    "a trailer that disagrees: first the count, then all currencies by code; both figures and the records without amount",
    arguments: mismatches)
  func disagrees(count: String, totals: String, error: String) {
    #expect(BatchEnvelopeTests.outcome([Self.payment("A", "3"), "{}", Self.trailer(count, totals)]) == error)
  }

  @Test("sums of 256 digits")
  func takesLongSums() {
    let amount = String(repeating: "9", count: 64)
    let lines = [Self.payment("A", amount), Self.payment("B", amount)]
    let sum = "1" + String(repeating: "9", count: 63) + "8"
    #expect(BatchEnvelopeTests.outcome(lines + [Self.trailer("2", #""USD":\#(sum)"#)]) == "verified")
    let padded = sum + "." + String(repeating: "0", count: 256 - sum.count)
    #expect(BatchEnvelopeTests.outcome(lines + [Self.trailer("2", #""USD":\#(padded)"#)]) == "verified")
    #expect(
      BatchEnvelopeTests.outcome(lines + [Self.trailer("2", #""USD":\#(padded)0"#)]).hasPrefix("INVALID_TRAILER"))
  }

  @Test("parts merge to the whole, and removing a record leaves nothing")
  func mergesAndRemoves() {
    var whole = ControlTotals()
    var parts = [ControlTotals(), ControlTotals(), ControlTotals()]
    let lines = [
      Self.payment("A", "1.00"), Self.payment("-", "2"), Self.payment("C", "4", "JPY", status: "CREATED"), "x",
    ]
    for (index, line) in lines.enumerated() {
      var judge = RecordJudge()
      _ = judge.judge(Array(line.utf8).span)
      whole.count(&judge)
      parts[index % 3].count(&judge)
      parts[2].count(&judge)
      parts[2].count(&judge, sign: .removing)
    }
    var merged = ControlTotals()
    for part in parts.reversed() { merged.merge(part) }
    #expect(Self.figures(merged) == Self.figures(whole))
    #expect(merged.imbalance == nil)
    #expect(Self.figures(merged) != Self.figures(ControlTotals()))
  }

  private static let one = ExactDecimal(magnitude: 100, exponent: -2)

  static let changes: [(change: @Sendable (inout ControlTotals) -> Void, imbalance: String?)] = [
    ({ _ in }, nil), ({ $0.recordsRead += 1 }, "outcomes do not add up to the records read"),
    ({ $0.otherRecords += 1 }, "records with and without a control amount do not add up to the records read"),
    ({ $0.currencies[0].records += 1 }, "records with and without a control amount do not add up to the records read"),
    ({ $0.currencies[0].moved.fees = one }, "AUD: the trial balance is -1.00, of refunds 0.00"),
    ({ $0.currencies[0].moved.refunded = one }, "AUD: the trial balance is 0.00, of refunds 1.00"),
    (
      {
        $0.currencies[0].moved.senderAmount = one
        $0.currencies[0].moved.receiverNet = one
      }, "AUD: settled control amounts 0.00 differ from sent 1.00"
    ),
  ]

  @Test("books that do not balance", arguments: changes)
  func imbalance(change: @Sendable (inout ControlTotals) -> Void, imbalance: String?) {
    var totals = ControlTotals()
    change(&totals)
    #expect(totals.imbalance == imbalance)
  }

  @Test("notices are counted of records that are not rejected")
  func countsNotices() {
    var totals = ControlTotals()
    for line in [Self.payment("A", "1.000"), Self.payment("-", "1.000"), Self.payment("B", "2.0000")] {
      var judge = RecordJudge()
      let memory = LineMemory(Array(line.utf8))
      _ = judge.judge(memory.line, .inPlace)
      totals.count(&judge)
      withExtendedLifetime(memory) {}
    }
    #expect(totals.notices[Int(Notice.surplusDecimals.number)] == 2 && totals.notices.reduce(0, +) == 2)
    #expect(totals.errors[Int(RejectionReason.invalidValue.rawValue)] == 1 && totals.errors.reduce(0, +) == 1)
  }

  private static func figures(_ totals: ControlTotals) -> [String] {
    let counts = [totals.recordsRead, totals.recordsWithoutControlAmount] + totals.byOutcome + totals.errors
    return (counts + totals.notices).map(\.description)
      + totals.currencies.flatMap { sums in
        ["\(sums.records)", "\(sums.amount)", "\(sums[.pending])"] + sums.moved.texts.map(\.text)
      }
  }
}
