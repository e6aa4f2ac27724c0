import Rules
import TestSupport
import Text

/// Records that were settled before another one: agreements and payments by their keys, as claims find them.
final class EarlierRecords {
  private var agreements: [String: Agreement] = [:]
  private var payments: [String: RefundedPayment] = [:]
  private let overWindow: Bool
  private let rules: SettlementRules

  /// - Parameter overWindow: whether payments were settled too long ago to be refunded.
  init(_ lines: [[UInt8]], rules: SettlementRules = SettlementRules(), overWindow: Bool = false) {
    self.rules = rules
    self.overWindow = overWindow
    for line in lines {
      var judge = RecordJudge(rules: rules)
      let memory = LineMemory(line)
      _ = judge.judge(memory.line, .inPlace)
      let refusals = refusals(of: judge.judgement)
      precondition(refusals.isEmpty && judge.judgement.findings.isEmpty, "an earlier record is refused")
      if judge.judgement.outcome == .settled {
        payments[text(judge.judgement.payKey)] = Self.payment(&judge)
      }
      withExtendedLifetime(memory) {}
    }
  }

  private func text(_ key: Span<UInt8>) -> String { String(decoding: key) }

  /// The facts that a refund needs of the settled payment that a judge holds, through their serialized form.
  static func payment(_ judge: inout RecordJudge) -> RefundedPayment? {
    var form = TextBuffer()
    judge.appendRefundable(to: &form)
    return RefundablePayment(Array(form.span)).map { RefundedPayment($0, run: 0) }
  }

  /// Why the record is refused; if it is not, it takes effect.
  func refusals(of judgement: borrowing Judgement) -> [ClaimRefusal] {
    guard judgement.findings.isEmpty else { return [] }
    let key = text(judgement.preapprovalKey)
    if let record = judgement.agreementRecord { return Agreement.apply(record, on: &agreements[key]) }
    if let payment = judgement.agreementPayment() { return Agreement.apply(payment, on: &agreements[key]) }
    guard let terms = judgement.refundTerms else { return [] }
    let payKey = text(judgement.payKey)
    let verdict = overWindow ? .windowPassed : payments[payKey]?.judge(terms, rules.schedule) ?? .notSettled
    return if case .refused(let refusals) = verdict { refusals } else { [] }
  }
}
