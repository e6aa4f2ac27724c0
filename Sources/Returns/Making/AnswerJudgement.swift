import Ledger
import Money
import Records

/// Checks the answers about one payment, by themselves and with each other (`returns.md`, Checks).
struct AnswerJudgement {
  private static let entries = [AnswerFormat.place("CAMT053"), AnswerFormat.place("CAMT054")]

  private let group: [Answer]
  private let payment: BookedPayment
  /// The day of the payout.
  private let day: Int
  private let isBooked: Bool
  private let texts: AnswerTexts
  /// The documents that give the payment a status other than a refusal.
  private var otherDocuments: Set<UInt32> = []
  /// Whether a status says that it was executed.
  private var isExecuted = false
  /// The earliest day on which the money came back.
  private var firstDay: Int32?

  init(_ group: [Answer], payment: BookedPayment, day: Int, isBooked: Bool, texts: AnswerTexts) {
    (self.group, self.payment, self.day, self.isBooked, self.texts) = (group, payment, day, isBooked, texts)
    for answer in group {
      if answer.format == AnswerFormat.pain, !answer.flags.contains(.returns) {
        otherDocuments.insert(answer.document)
        if PaymentStatus.isExecuted(texts[answer.status]) { isExecuted = true }
      }
      if Self.entries.contains(answer.format), let day = answer.day { firstDay = min(firstDay ?? day, day) }
    }
  }

  /// What becomes of each; an answer that may be booked is `REPEATED` until one of them is chosen.
  var verdicts: [AnswerVerdict] { group.map(verdict) }

  private func verdict(_ answer: Answer) -> AnswerVerdict {
    if answer.flags.contains(.returns) {
      if isBooked {
        return cameBackAgain(answer)
          ? AnswerVerdict(result: .open, code: .returnedAgain) : AnswerVerdict(result: .booked)
      }
      if let code = code(answer) { return AnswerVerdict(result: .open, code: code) }
      return AnswerVerdict(result: .repeated)
    }
    if answer.flags.contains(.changes) {
      return code(answer).map { AnswerVerdict(result: .open, code: $0) } ?? AnswerVerdict(result: .change)
    }
    let code = PaymentStatus.code(texts[answer.status])
    return AnswerVerdict(result: code == nil ? .noted : .open, code: code)
  }

  /// The first check that fails.
  private func code(_ answer: Answer) -> AnswerCode? {
    // A person made the list.
    if answer.format == AnswerFormat.csv { return nil }
    if answer.flags.contains(.conflicts) { return .referenceConflict }
    if answer.accounts & OwnAccount.bit(payment.currency) == 0 { return .otherAccount }
    if let code = amountCode(answer) { return code }
    if let day = answer.day, Int(day) < self.day - 1 { return .beforePayout }
    let reason = texts[answer.reason]
    if AnswerReason.sentTwice.contains(reason) { return .sentTwice }
    if AnswerReason.disputed.contains(reason) { return .disputed }
    if answer.flags.contains(.isRefusedAsWhole) { return .fileRefused }
    if answer.format == AnswerFormat.pain,
      isExecuted || otherDocuments.contains(answer.document)
    {
      return .contradiction
    }
    return cameBackAgain(answer) ? .returnedAgain : nil
  }

  private func amountCode(_ answer: Answer) -> AnswerCode? {
    guard answer.flags.contains(.hasAmount) else {
      return answer.format == AnswerFormat.pain && answer.flags.contains(.hasFileID) ? nil : .amountDiffers
    }
    guard texts[answer.currency].elementsEqual(payment.currency.code.utf8) else { return .currencyDiffers }
    if answer.flags.contains(.changes) { return nil }
    let isSame = answer.amount.value(in: texts).map { $0 == payment.amount } ?? false
    return isSame && !answer.flags.contains(.hasOtherAmount) ? nil : .amountDiffers
  }

  /// Whether the money came back on an earlier day already.
  private func cameBackAgain(_ answer: Answer) -> Bool {
    guard Self.entries.contains(answer.format), let day = answer.day, let firstDay else { return false }
    return day > firstDay
  }
}

extension AnswerFormat {
  static func place(_ name: String) -> UInt8 { UInt8(all.firstIndex { $0.name == name }!) }
  static let csv = place("CSV")
  static let pain = place("PAIN002")
}
