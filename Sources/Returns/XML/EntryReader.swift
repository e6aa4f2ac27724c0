import Ledger

/// Reads the booked entries of statements and notifications: camt.053 and camt.054.
final class EntryReader: DocumentReader {
  private enum Part: Int {
    case statement, account
    case entry, entryAmount, entryDirection, entryReversal, entryState, entryStateCode, entryStateOther, day, time
    case entrySubFamily, batch, batchMessageID, batchFileID
    case payment, messageID, fileID, instruction, endToEnd, amount, otherAmount, direction, state, stateCode
    case subFamily, returned, reason, code, proprietary, text
  }

  private static func elements(_ statement: String) -> ElementTree {
    let entry = "\(statement)/Ntry"
    let (batch, payment) = ("\(entry)/NtryDtls/Btch", "\(entry)/NtryDtls/TxDtls")
    let parts: [(String, Part)] = [
      (statement, .statement), ("\(statement)/Acct/Id/IBAN", .account),
      (entry, .entry), ("\(entry)/Amt", .entryAmount), ("\(entry)/CdtDbtInd", .entryDirection),
      ("\(entry)/RvslInd", .entryReversal), ("\(entry)/Sts", .entryState), ("\(entry)/Sts/Cd", .entryStateCode),
      ("\(entry)/Sts/Prtry", .entryStateOther), ("\(entry)/BookgDt/Dt", .day), ("\(entry)/BookgDt/DtTm", .time),
      ("\(entry)/BkTxCd/Domn/Fmly/SubFmlyCd", .entrySubFamily),
      (batch, .batch), ("\(batch)/MsgId", .batchMessageID), ("\(batch)/PmtInfId", .batchFileID),
      (payment, .payment), ("\(payment)/Refs/MsgId", .messageID), ("\(payment)/Refs/PmtInfId", .fileID),
      ("\(payment)/Refs/InstrId", .instruction), ("\(payment)/Refs/EndToEndId", .endToEnd),
      ("\(payment)/Amt", .amount), ("\(payment)/AmtDtls/TxAmt/Amt", .otherAmount), ("\(payment)/CdtDbtInd", .direction),
      ("\(payment)/Sts", .state), ("\(payment)/Sts/Cd", .stateCode),
      ("\(payment)/BkTxCd/Domn/Fmly/SubFmlyCd", .subFamily),
      ("\(payment)/RtrInf", .returned), ("\(payment)/RtrInf/Rsn", .reason), ("\(payment)/RtrInf/Rsn/Cd", .code),
      ("\(payment)/RtrInf/Rsn/Prtry", .proprietary), ("\(payment)/RmtInf/Ustrd", .text),
    ]
    let mixed: Set = [Part.entryState.rawValue, Part.state.rawValue]
    return ElementTree(parts.map { ($0.0, $0.1.rawValue) }, mixed: mixed)
  }

  private static let (statements, notifications) = (elements("Stmt"), elements("Ntfctn"))

  let tree: ElementTree
  private let intake: AnswerIntake
  private let format: Int
  private var statement = 0
  private var accounts = OwnAccount.any
  private var currency: [UInt8] = []
  private var entry = Entry(line: 0, sequence: 0, firstAnswer: 0)
  private var payment = Payment(line: 0, sequence: 0)

  init(_ intake: AnswerIntake, format: Int, isStatement: Bool) {
    tree = isStatement ? Self.statements : Self.notifications
    (self.intake, self.format) = (intake, format)
  }

  func beginDocument(line: Int) {}
  func endDocument() {}

  func begin(_ part: Int, line: () -> Int, attribute: (StaticString) -> [UInt8]?) {
    switch Part(rawValue: part)! {
    case .statement: (accounts, statement) = (OwnAccount.any, intake.beginDocument())
    case .entry:
      entry = Entry(line: line(), sequence: intake.nextSequence(), firstAnswer: intake.answers.count)
    case .entryAmount, .amount, .otherAmount: currency = attribute("Ccy") ?? []
    case .entryStateCode, .entryStateOther: entry.hasState = true
    case .batch: entry.batches += 1
    case .payment: payment = Payment(line: line(), sequence: intake.nextSequence())
    case .returned: payment.isReturned = true
    case .reason: payment.reasons.beginReason()
    default: break
    }
  }

  func end(_ part: Int, text: [UInt8]?) throws(AnswerFault) {
    switch Part(rawValue: part)! {
    case .entry: try endEntry()
    case .payment: endPayment()
    case .reason: payment.reasons.endReason()
    case let part: if let text { keep(part, text) }
    }
  }

  private func keep(_ part: Part, _ text: [UInt8]) {
    switch part {
    case .account: accounts = intake.own.currencies(iban: text)
    case .entryAmount: entry.keepFirst(\.amount, EntryAmount(text: text, currency: currency))
    case .entryDirection: entry.keepFirst(\.direction, text)
    case .entryReversal: entry.keepFirst(\.reversal, text)
    case .entryState, .entryStateCode:
      entry.keepFirst(\.state, text)
      entry.hasState = true
    case .day, .time: if let day = text.dayNumber { entry.keepFirst(\.day, day) }
    case .entrySubFamily: entry.keepFirst(\.subFamily, text)
    case .batchMessageID: if entry.batches == 1 { entry.keepFirst(\.messageID, text) }
    case .batchFileID: if entry.batches == 1 { entry.keepFirst(\.fileID, text) }
    case .messageID: payment.keepFirst(\.messageID, text)
    case .fileID: payment.keepFirst(\.fileID, text)
    case .instruction: payment.keepFirst(\.instruction, text)
    case .endToEnd: payment.keepFirst(\.endToEnd, text)
    case .amount: payment.keepFirst(\.amount, EntryAmount(text: text, currency: currency))
    case .otherAmount: payment.keepFirst(\.otherAmount, EntryAmount(text: text, currency: currency))
    case .direction: payment.keepFirst(\.direction, text)
    case .state, .stateCode: payment.keepFirst(\.state, text)
    case .subFamily: payment.keepFirst(\.subFamily, text)
    case .code: payment.reasons.keep(code: text)
    case .proprietary: payment.reasons.keep(proprietary: text)
    case .text: if payment.texts.count < 2 { payment.texts.append(text) }
    default: break
    }
  }

  // MARK: Answers

  private func endPayment() {
    entry.payments += 1
    entry.add(payment)
    if entry.payments == 1 {
      // Whether the entry's amount is its amount is known once it is the only one, or not.
      entry.first = payment
    } else {
      answerFirst(isOnly: false)
      answer(payment, isOnly: false)
    }
  }

  private func answerFirst(isOnly: Bool) {
    guard let payment = entry.first else { return }
    entry.first = nil
    answer(payment, isOnly: isOnly)
  }

  private func endEntry() throws(AnswerFault) {
    guard entry.direction != nil, entry.hasState else {
      throw AnswerFault(
        line: entry.line, code: .missingElement,
        message: "the entry lacks \(entry.direction == nil ? "CdtDbtInd" : "Sts")")
    }
    if entry.payments == 0 { entry.first = Payment(line: entry.line, sequence: entry.sequence) }
    answerFirst(isOnly: true)
    let ids = [entry.fileID, entry.messageID].compactMap(\.self)
    guard !entry.hasAnsweredEarly || !ids.contains(where: { FileID($0) != nil }) else {
      throw AnswerFault(
        line: entry.line, code: .xmlLimit,
        message: "the entry has more than \(Entry.mostWaiting) transactions before the Btch that names their file")
    }
    for draft in entry.waiting { add(draft, ids) }
    if intake.answers.count > entry.firstAnswer, entry.hasOtherSum { intake.markOtherSum(from: entry.firstAnswer) }
  }

  private func answer(_ payment: Payment, isOnly: Bool) {
    guard let kind = entry.kind(of: payment) else { return intake.skip() }
    var draft = AnswerDraft(
      kind: kind, line: payment.line, status: EntryReader.status(kind), sequence: payment.sequence)
    draft.references = Self.references(of: payment, kind)
    draft.fileIDs = [payment.fileID, payment.messageID].compactMap(\.self)
    if let amount = payment.anyAmount ?? (isOnly ? entry.amount : nil) {
      (draft.amount, draft.currency) = (.text(amount.text), amount.currency)
    }
    draft.reason = payment.reasons.deciding
    (draft.day, draft.accounts, draft.document) = (entry.day, accounts, statement)
    if !draft.fileIDs.isEmpty || draft.hasReference { return intake.add(draft, format: format) }
    // Its file ids are those of the entry's first batch, which may follow.
    if entry.batches > 0 {
      add(draft, [entry.fileID, entry.messageID].compactMap(\.self))
    } else if entry.waiting.count < Entry.mostWaiting {
      entry.waiting.append(draft)
    } else {
      entry.hasAnsweredEarly = true
      intake.add(draft, format: format)
    }
  }

  private func add(_ draft: AnswerDraft, _ ids: [[UInt8]]) {
    var draft = draft
    draft.fileIDs = ids
    intake.add(draft, format: format)
  }

  private static func references(of payment: Payment, _ kind: AnswerKind) -> [[UInt8]] {
    let given = [payment.endToEnd, payment.instruction].compactMap(\.self)
    // Money from others may name anything in its text.
    guard payment.texts.count == 1, given.isEmpty || kind != .credit,
      !given.contains(where: { PaymentReference($0) != nil })
    else { return given }
    return given + ReferenceWord.of(payment.texts[0])
  }

  private static func status(_ kind: AnswerKind) -> [UInt8] {
    switch kind {
    case .return: returnStatus
    case .debit: debitStatus
    case .reversal: reversalStatus
    default: creditStatus
    }
  }

  private static let returnStatus = Array("RETURN".utf8)
  private static let debitStatus = Array("DEBIT".utf8)
  private static let reversalStatus = Array("REVERSAL".utf8)
  private static let creditStatus = Array("CREDIT".utf8)
}
