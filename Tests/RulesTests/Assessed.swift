import ExactArithmetic
import Input
import Records
import Rules
import TestSupport
import Text

/// What became of one record, copied out of the assessor.
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
  /// Currency and control amount, or empty.
  var control = ""
  var senderAmount = ""
  var senderFees = ""
  var fees = ""
  var parties: [Party] = []
  var plans: [String] = []

  /// Code and field of each error: `CODE FIELD`.
  var errors: [String] { findings.map { "\($0.code) \($0.field)" } }
  /// Code and field of each notice, sorted: they are given in no particular order.
  var noticed: [String] { notices.map { "\($0.code) \($0.field)" }.sorted() }

  /// - Parameter again: whether the record is assessed twice, for another pay key the first time.
  init(
    _ line: [UInt8], rules: SettlementRules = SettlementRules(), repeatsKey: Bool = false, earlierRun: Int = 0,
    again: Bool = false,
    before: EarlierRecords? = nil
  ) {
    var assessor = RecordAssessor(rules: rules, listsNotices: true)
    let memory = LineMemory(line)
    if line.count > 1_048_576 {
      assessor.assessTooLong()
    } else if again {
      _ = assessor.assess(memory.bytes, count: memory.count, repeatsKey: !repeatsKey)
      recordClass = assessor.assessAgain(repeatsKey: repeatsKey, earlierRun: earlierRun)
    } else {
      recordClass = assessor.assess(
        memory.bytes, count: memory.count, repeatsKey: repeatsKey, earlierRun: earlierRun)
    }
    guard recordClass == .record else { return }
    if let refusals = before?.refusals(of: &assessor), !refusals.isEmpty { assessor.assessAgain(refusals) }
    outcome = assessor.outcome
    kind = assessor.kind
    payKey = String(
      decoding: UnsafeBufferPointer(start: assessor.payKey.bytes, count: assessor.payKey.count), as: UTF8.self)
    copyFindings(&assessor)
    if assessor.hasControlAmount { control = "\(assessor.currency?.code ?? "?") \(assessor.controlAmount)" }
    if findings.isEmpty { copyFigures(assessor) }
    withExtendedLifetime(memory) {}
  }

  init(
    _ line: String, schedule: FeeSchedule = .published, strictItems: Bool = false, repeatsKey: Bool = false,
    earlierRun: Int = 0
  ) {
    self.init(
      Array(line.utf8), rules: SettlementRules(schedule: schedule, strictItems: strictItems),
      repeatsKey: repeatsKey, earlierRun: earlierRun)
  }

  private mutating func copyFindings(_ assessor: inout RecordAssessor) {
    for finding in assessor.findings {
      var field = TextBuffer()
      assessor.writeField(of: finding, to: &field)
      var message = TextBuffer()
      assessor.writeMessage(of: finding, to: &message)
      findings.append(
        Found(code: finding.reason.code.description, field: field.string, message: message.string))
    }
    for notice in assessor.notices {
      var field = TextBuffer()
      assessor.writeField(of: notice, to: &field)
      var message = TextBuffer()
      assessor.writeMessage(of: notice, to: &message)
      notices.append(Found(code: notice.notice.code.description, field: field.string, message: message.string))
    }
  }

  private mutating func copyFigures(_ assessor: borrowing RecordAssessor) {
    senderAmount = assessor.senderAmount.description
    senderFees = assessor.senderFees.description
    fees = assessor.fees.description
    for place in 0..<assessor.receiverCount {
      let receiver = assessor.receiver(place).pointee
      let posting = receiver.posting.pointee
      parties.append(
        Party(
          gross: posting.gross.description, passedOn: posting.passedOn.description,
          kept: receiver.kept.description, assessed: receiver.assessedFee.description,
          fee: posting.fee.description, net: posting.net.description))
      plans.append(assessor.rules.schedule.plans[receiver.plan].name)
    }
  }
}
