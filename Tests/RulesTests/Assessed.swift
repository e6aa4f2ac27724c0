import Records
import Rules
import TestSupport
import Text

/// The result for one record, copied from its judgement.
struct Assessed {
  struct Found: Equatable, CustomStringConvertible {
    var code: String
    var field: String
    var message: String
    var description: String { "\(code) at '\(field)': \(message)" }
  }
  struct Party: Equatable {
    var gross: String
    var passedOn: String
    var kept: String
    var assessed: String
    var fee: String
    var net: String
  }

  var recordClass = RecordClass.record
  var outcome = Outcome.rejected
  var findings: [Found] = []
  var notices: [Found] = []
  var payKey = ""
  var kind: PaymentKind?
  /// Currency and control amount; empty if there is no control amount.
  var control = ""
  var senderAmount = ""
  var senderFees = ""
  var fees = ""
  var parties: [Party] = []
  var plans: [String] = []
  /// Whether the cross-border rate applies to each receiver.
  var areCrossBorder: [Bool] = []

  /// Code and field of each error: `CODE FIELD`.
  var errors: [String] { findings.map { "\($0.code) \($0.field)" } }
  /// Code and field of each notice, sorted, because they are given in no particular order.
  var noticed: [String] { notices.map { "\($0.code) \($0.field)" }.sorted() }

  /// - Parameter again: whether the judge judged the record before, and refused its key.
  init(
    _ line: [UInt8], rules: SettlementRules = SettlementRules(), repeatsKey: Bool = false, earlierRun: Int = 0,
    again: Bool = false, before: EarlierRecords? = nil
  ) {
    var judge = RecordJudge(rules: rules, listsNotices: true)
    let memory = LineMemory(line)
    if line.count > 1_048_576 {
      judge.judgeTooLong()
    } else {
      recordClass = judge.judge(memory.line, .inPlace)
      if again {
        Self.refuseKey(of: &judge, repeatsKey: true)
        recordClass = judge.judge(memory.line, .inPlace)
      }
    }
    guard recordClass == .record else { return }
    Self.refuseKey(of: &judge, repeatsKey: repeatsKey, earlierRun: earlierRun)
    if let refusals = before?.refusals(of: judge.judgement) { judge.refuse(refusals) }
    outcome = judge.judgement.outcome
    kind = judge.judgement.kind
    payKey = String(decoding: judge.judgement.payKey)
    copyFindings(judge.judgement)
    if judge.judgement.hasControlAmount {
      control = "\(judge.judgement.currency?.code ?? "?") \(judge.judgement.controlAmount)"
    }
    if findings.isEmpty { copyFigures(judge.judgement, rules) }
    withExtendedLifetime(memory) {}
  }

  init(
    _ line: String, schedule: FeeSchedule = .published, strictItems: Bool = false, strictTexts: Bool? = false,
    repeatsKey: Bool = false, earlierRun: Int = 0
  ) {
    self.init(
      Array(line.utf8),
      rules: SettlementRules(schedule: schedule, strictItems: strictItems, strictTexts: strictTexts),
      repeatsKey: repeatsKey, earlierRun: earlierRun)
  }

  /// Refuses the key of the record, if it has a valid one.
  private static func refuseKey(of judge: inout RecordJudge, repeatsKey: Bool, earlierRun: Int = 0) {
    let isRefund = judge.judgement.recordType == .refund
    if (isRefund ? judge.judgement.refundKey.count : judge.judgement.payKey.count) > 0 {
      judge.refuse(.ofKey(isRefund: isRefund, isRepeated: repeatsKey, earlierRun: earlierRun))
    }
  }

  private mutating func copyFindings(_ judgement: borrowing Judgement) {
    for finding in judgement.findings {
      var field = TextBuffer()
      judgement.writeField(of: finding, to: &field)
      var message = TextBuffer()
      judgement.writeMessage(of: finding, to: &message)
      findings.append(
        Found(code: finding.reason.code.description, field: field.string, message: message.string))
    }
    for notice in judgement.notices {
      var field = TextBuffer()
      judgement.writeField(of: notice, to: &field)
      var message = TextBuffer()
      judgement.writeMessage(of: notice, to: &message)
      notices.append(Found(code: notice.notice.code.description, field: field.string, message: message.string))
    }
  }

  private mutating func copyFigures(_ judgement: borrowing Judgement, _ rules: SettlementRules) {
    senderAmount = judgement.senderAmount.description
    senderFees = judgement.senderFees.description
    fees = judgement.fees.description
    for place in 0..<judgement.receiverCount {
      let (receiver, posting) = (judgement.receiver(place), judgement.posting(of: place))
      parties.append(
        Party(
          gross: posting.gross.description, passedOn: posting.passedOn.description,
          kept: receiver.kept.description, assessed: receiver.assessedFee.description,
          fee: posting.fee.description, net: posting.net.description))
      plans.append(rules.schedule.plans[receiver.plan].name)
      areCrossBorder.append(receiver.isCrossBorder)
    }
  }
}
