import Rules
import TestSupport
import Testing
import Text

@Suite("A refused claim") struct RefusalTests {
  /// The result for a record whose claims are refused, one refusal after the other or all at once.
  private static func refused(_ line: String, _ refusals: [[ClaimRefusal]]) -> (errors: [String], notices: [String]) {
    var judge = RecordJudge(listsNotices: true)
    let memory = LineMemory(Array(line.utf8))
    defer { withExtendedLifetime(memory) {} }
    _ = judge.judge(memory.line, .inPlace)
    for refusals in refusals { judge.refuse(refusals) }
    #expect(judge.judgement.outcome == .rejected && !judge.judgement.hasFees)
    let counted = Notice.allCases.flatMap { notice in
      Array(repeating: "\(notice.code)", count: judge.judgement.count(of: notice))
    }
    #expect(judge.judgement.notices.map { "\($0.notice.code)" }.sorted() == counted.sorted())
    return (judge.judgement.findings.map { "\($0.reason.code)" }, counted)
  }

  private static func payment(_ amount: String, _ more: String = "", receiver: String = "") -> String {
    """
    {"payKey":"P","receiverPaymentDetails":[{"recipient":"a@b.example","subtotal":\(amount)\(receiver)},\
    {"recipient":"c@d.example","subtotal":\(amount)\(receiver)}]\(more)}
    """
  }

  private static let capped = payment("0.10", #","feePayer":"FEEPAYER_SENDER""#)
  private static let overridden = payment(
    "5.00", #","feePayer":"FEEPAYER_SENDER","fundingSource":"CARD""#,
    receiver: #","country":"DE","paymentType":"TYPE_PERSONAL""#)
  private static let exceeding = """
    {"payKey":"P","feePayer":"FEEPAYER_PRIMARYRECEIVER","receiverPaymentDetails":[{"recipient":"a@b.example",\
    "subtotal":"100.00","isPrimary":true},{"recipient":"c@d.example","subtotal":"99.00"}]}
    """

  @Test(
    "a refused pay key removes the findings of fee assessment",
    arguments: [capped, overridden, exceeding], [true, false])
  func takesBackFees(line: String, isAtOnce: Bool) {
    let assessed = Assessed(line)
    #expect(!assessed.notices.isEmpty || assessed.errors == ["FEES_EXCEED_AMOUNT /feePayer"])
    let repeated = [ClaimRefusal].ofKey(isRefund: false, isRepeated: true)
    let earlier = [ClaimRefusal].ofKey(isRefund: false, isRepeated: false, earlierRun: 7)
    let refused = Self.refused(line, isAtOnce ? [repeated + earlier] : [earlier, [], repeated])
    #expect(refused.errors == ["DUPLICATE_PAY_KEY", "ALREADY_SETTLED"])
    #expect(refused.notices == [])
  }

  @Test("a refused agreement keeps the notices of fee assessment, and its errors are inserted in order")
  func keepsFees() {
    let refusals = [ClaimRefusal(.preapprovalDates, of: .payment), ClaimRefusal(.preapprovalSender, of: .payment)]
    let refused = Self.refused(Self.capped, [refusals])
    #expect(refused.errors == ["PREAPPROVAL_SENDER", "PREAPPROVAL_DATES"])
    #expect(refused.notices == ["FEE_CAPPED", "FEE_CAPPED"])
  }

  @Test("the order of unknown fields is kept, and after a thousand errors a refusal is left out", arguments: [3, 1200])
  func keepsOrder(count: Int) {
    let unknown = (0..<count).map { #","receiverPaymentDetail\#($0)":1"# }.joined()
    let line = Self.payment("1.00", #","z":1"# + unknown, receiver: #","isprimary":true"#)
    var judge = RecordJudge(rules: SettlementRules(unknownFields: .reject))
    let memory = LineMemory(Array(line.utf8))
    defer { withExtendedLifetime(memory) {} }
    func fields() -> [String] {
      judge.judgement.findings.map { finding in TextBuffer.string { judge.judgement.writeField(of: finding, to: &$0) } }
    }
    _ = judge.judge(memory.line, .inPlace)
    let before = fields()
    #expect(before.count == min(count + 3, 1000) && before == before.sorted())
    judge.refuse(.ofKey(isRefund: false, isRepeated: true))
    #expect(fields() == Array((before + ["/payKey"]).prefix(1000)))
  }
}
