import Ledger
import Records

/// Takes what readers found, and keeps the answers that are about this ledger. Others are only counted.
final class AnswerIntake {
  let payouts: KnownPayouts
  let own: OwnAccount
  private(set) var answers = AnswerStore()
  private(set) var texts = AnswerTexts()
  /// The file that is read: its place among those given, and its answers and others.
  private(set) var (file, kept, others) = (0, 0, 0)
  private var (documents, sequence) = (0, 0)

  init(_ payouts: KnownPayouts, own: OwnAccount) { (self.payouts, self.own) = (payouts, own) }

  func begin(file: Int) { (self.file, kept, others, sequence) = (file, 0, 0, 0) }

  /// A new document's number.
  func beginDocument() -> Int {
    documents += 1
    return documents
  }

  /// The place of an answer that begins among those of its file.
  func nextSequence() -> Int {
    sequence += 1
    return sequence
  }

  /// Counts an answer that cannot be about a payment of this ledger.
  func skip() { others += 1 }

  /// - Parameter format: its place in `AnswerFormat.all`.
  func take(_ draft: AnswerDraft, format: Int) {
    guard var answer = answer(draft) else { return skip() }
    (answer.format, answer.file, answer.line) = (UInt8(format), UInt32(file), UInt32(clamping: draft.line))
    answer.sequence = UInt32(clamping: draft.sequence)
    answers.append(answer)
    kept += 1
  }

  /// Nil if it is not about a payment of this ledger.
  private func answer(_ draft: AnswerDraft) -> Answer? {
    if draft.isElsewhere { return nil }
    let ids = draft.fileIDs.compactMap(FileID.init)
    guard ids.allSatisfy(payouts.has) else { return nil }
    let references = draft.references.compactMap { PaymentReference($0) }
    var answer = Answer()
    if let reference = references.first {
      (answer.payout, answer.number) = (UInt32(reference.payout), UInt32(reference.number))
      answer.flags.insert(.hasReference)
      if references.contains(where: { $0 != reference }) || ids.contains(where: { $0.payout != reference.payout }) {
        answer.flags.insert(.conflicts)
      }
    } else if draft.kind == .whole {
      answer.flags.insert(.isWhole)
      if !PaymentStatus.isRefused(draft.status), PaymentStatus.code(draft.status) == nil { return nil }
    } else if draft.kind != .return || !draft.references.isEmpty {
      return nil
    }
    if draft.kind == .return { answer.flags.insert(.returns) }
    if draft.kind == .change { answer.flags.insert(.changes) }
    for (isSet, flag) in [
      (!ids.isEmpty, Answer.Flags.hasFileID), (draft.amount != nil, .hasAmount), (draft.lacksReason, .lacksReason),
      (draft.hasOtherAmount, .hasOtherAmount), (draft.isRefusedAsWhole, .isRefusedAsWhole),
    ] where isSet { answer.flags.insert(flag) }
    answer.amount = draft.amount?.kept(in: &texts) ?? AnswerAmount.Kept()
    answer.currency = texts.place(of: draft.currency)
    answer.status = texts.place(of: draft.status)
    answer.reason = texts.place(of: AnswerReason.listed(draft.reason))
    answer.detail = texts.place(
      of: draft.kind == .change ? draft.corrected : Self.beginning(of: draft.fileIDs.first ?? []))
    answer.day = draft.day.map { Int32($0) }
    (answer.accounts, answer.document) = (draft.accounts, UInt32(clamping: draft.document))
    return answer
  }

  /// The first 35 characters of UTF-8.
  private static func beginning(of text: [UInt8]) -> [UInt8] {
    var characters = 0
    let end = text.firstIndex { byte in
      characters += byte & 0xC0 == 0x80 ? 0 : 1
      return characters > 35
    }
    return Array(text[..<(end ?? text.count)])
  }
}

extension [UInt8] {
  /// The day, by number, of a text that begins with a date as `YYYY-MM-DD`; nil if it does not.
  var dayNumber: Int? { UTCTime(day: String(decoding: prefix(10), as: UTF8.self)).map { CalendarDay($0).number } }
}
