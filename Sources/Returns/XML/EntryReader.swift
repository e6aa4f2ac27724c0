/// Reads payments that came back from the entries of statements and notifications: camt.053 and camt.054.
final class EntryReader: DocumentReader {
  private enum Part: Int {
    case statement, account
    case entry, entryAmount, entryDirection, entryState, entryStateCode, entryStateOther, day, time
    case entryFamily, entrySubFamily
    case payment, messageID, fileID, instruction, endToEnd, amount, otherAmount, direction, state, stateCode
    case family, subFamily, returned, reason, code, proprietary, text
  }

  private static func elements(_ statement: String) -> ElementTree {
    let entry = "\(statement)/Ntry"
    let payment = "\(entry)/NtryDtls/TxDtls"
    let parts: [(String, Part)] = [
      (statement, .statement), ("\(statement)/Acct/Id/IBAN", .account),
      (entry, .entry), ("\(entry)/Amt", .entryAmount), ("\(entry)/CdtDbtInd", .entryDirection),
      ("\(entry)/Sts", .entryState), ("\(entry)/Sts/Cd", .entryStateCode), ("\(entry)/Sts/Prtry", .entryStateOther),
      ("\(entry)/BookgDt/Dt", .day), ("\(entry)/BookgDt/DtTm", .time), ("\(entry)/BkTxCd", .entryFamily),
      ("\(entry)/BkTxCd/Domn/Fmly/SubFmlyCd", .entrySubFamily),
      (payment, .payment), ("\(payment)/Refs/MsgId", .messageID), ("\(payment)/Refs/PmtInfId", .fileID),
      ("\(payment)/Refs/InstrId", .instruction), ("\(payment)/Refs/EndToEndId", .endToEnd),
      ("\(payment)/Amt", .amount), ("\(payment)/AmtDtls/TxAmt/Amt", .otherAmount), ("\(payment)/CdtDbtInd", .direction),
      ("\(payment)/Sts", .state), ("\(payment)/Sts/Cd", .stateCode),
      ("\(payment)/BkTxCd", .family), ("\(payment)/BkTxCd/Domn/Fmly/SubFmlyCd", .subFamily),
      ("\(payment)/RtrInf", .returned), ("\(payment)/RtrInf/Rsn", .reason), ("\(payment)/RtrInf/Rsn/Cd", .code),
      ("\(payment)/RtrInf/Rsn/Prtry", .proprietary), ("\(payment)/RmtInf/Ustrd", .text),
    ]
    let mixed: Set = [Part.entryState.rawValue, Part.state.rawValue]
    return ElementTree(parts.map { ($0.0, $0.1.rawValue) }, mixed: mixed)
  }

  private static let (statements, notifications) = (elements("Stmt"), elements("Ntfctn"))
  private static let (credit, booked) = (Array("CRDT".utf8), Array("BOOK".utf8))
  private static let returns = [Array("RRTN".utf8), Array("RPCR".utf8)]

  private struct Amount {
    let (text, currency): ([UInt8], [UInt8])
  }

  /// What an entry and a payment in it both say.
  private struct Scope {
    var line = 0
    var sequence = 0
    var direction: [UInt8]?
    var state: [UInt8]?
    var hasFamily = false
    var subFamily: [UInt8]?
    var amount: Amount?
  }

  private struct Payment {
    var scope: Scope
    var otherAmount: Amount?
    var messageID: [UInt8]?
    var fileID: [UInt8]?
    var instruction: [UInt8]?
    var endToEnd: [UInt8]?
    var isReturned = false
    var reasons = GivenReasons()
    var texts: [[UInt8]] = []
  }

  let tree: ElementTree
  private let intake: AnswerIntake
  private let format: Int
  private let document: Int
  private var accounts = OwnAccount.any
  private var entry = Scope()
  private var currency: [UInt8] = []
  private var (day, hasState): (Int?, Bool) = (nil, false)
  private var payment: Payment?
  /// The first payment of the entry, until it is known whether it is the only one; then how many there are.
  private var first: Payment?
  private var payments = 0

  init(_ intake: AnswerIntake, format: Int, isStatement: Bool) {
    tree = isStatement ? Self.statements : Self.notifications
    (self.intake, self.format, document) = (intake, format, intake.beginDocument())
  }

  func beginDocument(line: Int) {}
  func endDocument() {}

  func begin(_ part: Int, line: () -> Int, attribute: (StaticString) -> [UInt8]?) {
    switch Part(rawValue: part)! {
    case .statement: accounts = OwnAccount.any
    case .entry:
      entry = Scope(line: line(), sequence: intake.nextSequence())
      (day, hasState, first, payments) = (nil, false, nil, 0)
    case .entryAmount, .amount, .otherAmount: currency = attribute("Ccy") ?? []
    case .entryStateCode, .entryStateOther: hasState = true
    case .entryFamily: entry.hasFamily = true
    case .payment: payment = Payment(scope: Scope(line: line(), sequence: intake.nextSequence()))
    case .family: payment!.scope.hasFamily = true
    case .returned: payment!.isReturned = true
    case .reason: payment!.reasons.beginReason()
    default: break
    }
  }

  func end(_ part: Int, text: [UInt8]?) throws(AnswerFault) {
    switch Part(rawValue: part)! {
    case .account: if let text { accounts = intake.own.currencies(iban: text) }
    case .entry: try endEntry()
    case .entryAmount: entry.amount = entry.amount ?? text.map { Amount(text: $0, currency: currency) }
    case .entryDirection: entry.direction = entry.direction ?? text
    case .entryState, .entryStateCode:
      entry.state = entry.state ?? text
      if text != nil { hasState = true }
    case .day, .time: day = day ?? text?.dayNumber
    case .entrySubFamily: entry.subFamily = entry.subFamily ?? text
    case .payment: endPayment()
    default: endPart(Part(rawValue: part)!, text)
    }
  }

  private func endPart(_ part: Part, _ text: [UInt8]?) {
    guard let text else {
      if part == .reason { payment!.reasons.endReason() }
      return
    }
    switch part {
    case .messageID: payment!.messageID = payment!.messageID ?? text
    case .fileID: payment!.fileID = payment!.fileID ?? text
    case .instruction: payment!.instruction = payment!.instruction ?? text
    case .endToEnd: payment!.endToEnd = payment!.endToEnd ?? text
    case .amount: payment!.scope.amount = payment!.scope.amount ?? Amount(text: text, currency: currency)
    case .otherAmount: payment!.otherAmount = payment!.otherAmount ?? Amount(text: text, currency: currency)
    case .direction: payment!.scope.direction = payment!.scope.direction ?? text
    case .state, .stateCode: payment!.scope.state = payment!.scope.state ?? text
    case .subFamily: payment!.scope.subFamily = payment!.scope.subFamily ?? text
    case .code: payment!.reasons.take(code: text)
    case .proprietary: payment!.reasons.take(proprietary: text)
    case .text: if payment!.texts.count < 2 { payment!.texts.append(text) }
    default: break
    }
  }

  // MARK: Answers

  private func endPayment() {
    payments += 1
    if payments == 1 {
      first = payment
    } else {
      takeFirst(isOnly: false)
      take(payment!, isOnly: false)
    }
    payment = nil
  }

  private func takeFirst(isOnly: Bool) {
    guard let payment = first else { return }
    first = nil
    take(payment, isOnly: isOnly)
  }

  private func endEntry() throws(AnswerFault) {
    guard entry.direction != nil, hasState else {
      throw AnswerFault(
        line: entry.line, code: .missingElement,
        message: "the entry lacks \(entry.direction == nil ? "CdtDbtInd" : "Sts")")
    }
    if payments == 0 { first = Payment(scope: Scope(line: entry.line, sequence: entry.sequence)) }
    takeFirst(isOnly: true)
  }

  private func take(_ payment: Payment, isOnly: Bool) {
    let scope = payment.scope
    let subFamily = scope.hasFamily ? scope.subFamily : entry.subFamily
    guard scope.direction ?? entry.direction == Self.credit, scope.state ?? entry.state == Self.booked,
      payment.isReturned || subFamily.map(Self.returns.contains) ?? false
    else { return intake.skip() }
    var draft = AnswerDraft(
      kind: .return, line: scope.line, status: Array("RETURN".utf8), sequence: scope.sequence)
    draft.references = [payment.endToEnd, payment.instruction].compactMap(\.self)
    if draft.references.isEmpty, payment.texts.count == 1 { draft.references = ReferenceWord.of(payment.texts[0]) }
    draft.fileIDs = [payment.fileID, payment.messageID].compactMap(\.self)
    let amount = scope.amount ?? payment.otherAmount
    if isOnly, let whole = entry.amount, let amount, whole.currency == amount.currency {
      draft.hasOtherAmount = !AnswerAmount.areEqual(whole.text, amount.text)
    }
    if let amount = amount ?? (isOnly ? entry.amount : nil) {
      (draft.amount, draft.currency) = (.text(amount.text), amount.currency)
    }
    draft.reason = payment.reasons.deciding
    (draft.day, draft.accounts, draft.document) = (day, accounts, document)
    intake.take(draft, format: format)
  }
}
