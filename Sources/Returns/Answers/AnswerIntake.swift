import Failures
import Ledger
import Records

/// Takes what readers found, and keeps the answers that are about this ledger. Others are only counted.
final class AnswerIntake {
  let payouts: AnswerablePayouts
  let own: OwnAccount
  /// The payments of the payouts' files; nil if no file can be found by its sum.
  let files: BankFilePayments?
  var answers = AnswerStore()
  private(set) var texts = AnswerTexts()
  /// The files and blocks that debits without a reference are about.
  private(set) var bankFiles: [BankFilePlace] = []
  private var placesOfBankFiles: [BankFilePlace: Int] = [:]
  /// The file that is read: its place among those given, and its answers and others.
  private(set) var (file, kept, others) = (0, 0, 0)
  private var (documents, sequence) = (0, 0)

  init(_ payouts: AnswerablePayouts, own: OwnAccount, files: BankFilePayments? = nil) {
    (self.payouts, self.own, self.files) = (payouts, own, files)
  }

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

  /// Marks the answers from a place on: the transactions of their entry have another sum than it.
  func markOtherSum(from place: Int) {
    for place in place..<answers.count { answers[head: UInt32(place)].flags.insert(.hasOtherSum) }
  }

  /// - Parameter format: its place in `AnswerFormat.all`.
  func add(_ draft: AnswerDraft, format: Int) {
    guard var answer = answer(draft, isListed: AnswerFormat.all[format].isList) else { return skip() }
    (answer.format, answer.file, answer.line) = (UInt8(format), UInt32(file), UInt32(clamping: draft.line))
    answer.sequence = UInt32(clamping: draft.sequence)
    answers.append(answer)
    kept += 1
  }

  /// Nil if it is not about a payment of this ledger.
  private func answer(_ draft: AnswerDraft, isListed: Bool) -> Answer? {
    let ids = draft.fileIDs.compactMap(FileID.init)
    guard ids.allSatisfy(payouts.wrote) else { return nil }
    let references = draft.references.compactMap { PaymentReference($0) }
    guard isAbout(draft, hasReference: !references.isEmpty, hasFile: !ids.isEmpty || !draft.files.isEmpty) else {
      return nil
    }
    var answer = Answer()
    answer.kind = draft.kind
    let payout = references.first?.payout ?? ids.first?.payout
    if let reference = references.first {
      (answer.payout, answer.number) = (UInt32(reference.payout), UInt32(reference.number))
      answer.flags.insert(.hasReference)
      if references.contains(where: { $0 != reference }) { answer.flags.formUnion([.hasTwoReferences, .conflicts]) }
    } else if draft.kind == .debit {
      addFile(draft.files.first ?? ids[0].place, of: &answer)
      if draft.files.count > 1 { answer.flags.insert(.fitsSeveral) }
    }
    if ids.contains(where: { $0.payout != payout }) { answer.flags.insert(.conflicts) }
    if let payee = draft.payee { (answer.subject, _) = (payee.value, answer.flags.insert(.hasPayee)) }
    for (isSet, flag) in [
      (!ids.isEmpty, Answer.Flags.hasFileID), (draft.hasForeignIDs, .hasForeignIDs), (draft.amount != nil, .hasAmount),
      (draft.lacksReason, .lacksReason), (draft.isRefusedAsWhole, .isRefusedAsWhole),
    ] where isSet { answer.flags.insert(flag) }
    answer.amount = draft.amount?.kept(in: &texts) ?? AnswerAmount.Kept()
    answer.currency = texts.place(of: draft.currency)
    answer.status = texts.place(of: draft.status)
    if draft.kind != .debit {
      let reason = isListed ? AnswerReason.listed(draft.reason) : AnswerReason.ofBank(draft.reason)
      answer.reason = texts.place(of: reason)
    }
    answer.detail = texts.place(
      of: draft.kind == .change ? draft.corrected : Self.beginning(of: draft.fileIDs.first ?? []))
    answer.day = draft.day.map { Int32($0) }
    (answer.accounts, answer.document) = (draft.accounts, UInt32(clamping: draft.document))
    return answer
  }

  /// Whether an answer may be about this ledger, going by what it names. Whether the ledger has a payment that a credit
  /// or a foreign file's status names is known later.
  private func isAbout(_ draft: AnswerDraft, hasReference: Bool, hasFile: Bool) -> Bool {
    if draft.hasForeignIDs, draft.kind != .return || !hasReference { return false }
    switch draft.kind {
    case .return: return hasReference || hasFile || draft.references.isEmpty
    case .debit, .reversal, .credit: return hasReference || hasFile
    case .change, .status: return hasReference
    case .whole: return PaymentStatus.isRefused(draft.status) || PaymentStatus.code(draft.status) != nil
    }
  }

  private func addFile(_ place: BankFilePlace, of answer: inout Answer) {
    answer.payout = UInt32(place.payout)
    if placesOfBankFiles[place] == nil {
      placesOfBankFiles[place] = bankFiles.count
      bankFiles.append(place)
    }
    answer.subject = UInt64(placesOfBankFiles[place]!)
  }

  // MARK: Answers by payment

  /// The places of the answers that fit a condition, in the order of payments, files and lines.
  func sortedByPayment(_ fits: (AnswerHead) -> Bool) -> [UInt32] {
    (0..<UInt32(answers.count)).filter { fits(answers[head: $0]) }.sorted { left, right in
      let (left, right) = (answers[head: left], answers[head: right])
      return (left.key, left.place) < (right.key, right.place)
    }
  }

  /// Passes on the answers of each payment.
  func forEachGroup(
    _ sorted: [UInt32], _ take: (ArraySlice<UInt32>) throws(Failure) -> Void
  ) throws(Failure) {
    var start = 0
    while start < sorted.count {
      let key = answers[head: sorted[start]].key
      var end = start + 1
      while end < sorted.count, answers[head: sorted[end]].key == key { end += 1 }
      try take(sorted[start..<end])
      start = end
    }
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
