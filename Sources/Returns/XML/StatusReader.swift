/// Reads the statuses of payments from pain.002.
final class StatusReader: DocumentReader {
  private enum Part: Int, CaseIterable {
    case created
    case group, groupID, groupKind, groupStatus, groupReason, groupCode, groupProprietary
    case block, blockID, blockStatus, blockReason, blockCode, blockProprietary
    case payment, fileID, messageID, instruction, endToEnd, status, reason, code, proprietary, amount
  }

  private static let paymentParts: [(String, Part)] = [
    ("", .payment), ("/OrgnlPmtInfId", .fileID), ("/OrgnlMsgId", .messageID), ("/OrgnlInstrId", .instruction),
    ("/OrgnlEndToEndId", .endToEnd), ("/TxSts", .status), ("/StsRsnInf/Rsn", .reason),
    ("/StsRsnInf/Rsn/Cd", .code), ("/StsRsnInf/Rsn/Prtry", .proprietary), ("/OrgnlTxRef/Amt/InstdAmt", .amount),
  ]

  private static let elements: ElementTree = {
    let (group, block) = ("OrgnlGrpInfAndSts", "OrgnlPmtInfAndSts")
    var parts: [(String, Part)] = [
      ("GrpHdr/CreDtTm", .created), (group, .group), ("\(group)/OrgnlMsgId", .groupID),
      ("\(group)/OrgnlMsgNmId", .groupKind), ("\(group)/GrpSts", .groupStatus),
      ("\(group)/StsRsnInf/Rsn", .groupReason), ("\(group)/StsRsnInf/Rsn/Cd", .groupCode),
      ("\(group)/StsRsnInf/Rsn/Prtry", .groupProprietary), (block, .block), ("\(block)/OrgnlPmtInfId", .blockID),
      ("\(block)/PmtInfSts", .blockStatus), ("\(block)/StsRsnInf/Rsn", .blockReason),
      ("\(block)/StsRsnInf/Rsn/Cd", .blockCode), ("\(block)/StsRsnInf/Rsn/Prtry", .blockProprietary),
    ]
    for place in ["\(block)/TxInfAndSts", "TxInfAndSts"] {
      parts += paymentParts.map { (place + $0.0, $0.1) }
    }
    return ElementTree(parts.map { ($0.0, $0.1.rawValue) })
  }()

  /// What a group, a block or a payment says.
  private struct Scope {
    var line = 0
    var sequence = 0
    var fileIDs: [[UInt8]] = []
    var status: [UInt8]?
    var reasons = GivenReasons()
  }

  let tree = elements
  private let intake: AnswerIntake
  private let format: Int
  private let document: Int
  private var documentLine = 0
  private var day: Int?
  private var hasGroup = false
  private var messageName: [UInt8]?
  private var (group, block, payment) = (Scope(), Scope(), Scope())
  private var (endToEnd, instruction): ([UInt8]?, [UInt8]?)
  private var (amount, currency): ([UInt8]?, [UInt8])

  init(_ intake: AnswerIntake, format: Int) {
    (self.intake, self.format, document) = (intake, format, intake.beginDocument())
    (endToEnd, instruction, amount, currency) = (nil, nil, nil, [])
  }

  func beginDocument(line: Int) { documentLine = line }

  func begin(_ part: Int, line: () -> Int, attribute: (StaticString) -> [UInt8]?) {
    switch Part(rawValue: part)! {
    case .group: (group, hasGroup) = (begin(line()), true)
    case .block: block = begin(line())
    case .payment:
      payment = begin(line())
      (endToEnd, instruction, amount, currency) = (nil, nil, nil, [])
    case .groupReason: group.reasons.beginReason()
    case .blockReason: block.reasons.beginReason()
    case .reason: payment.reasons.beginReason()
    case .amount: if amount == nil { currency = attribute("Ccy") ?? [] }
    default: break
    }
  }

  private func begin(_ line: Int) -> Scope { Scope(line: line, sequence: intake.nextSequence()) }

  func end(_ part: Int, text: [UInt8]?) {
    switch Part(rawValue: part)! {
    case .created: day = day ?? text?.dayNumber
    case .group: answerWhole(group, ids: group.fileIDs, reason: group.reasons.deciding)
    case .groupID: text.map { group.fileIDs.append($0) }
    case .groupKind: messageName = messageName ?? text
    case .groupStatus: group.status = group.status ?? text
    case .groupReason: group.reasons.endReason()
    case .groupCode: group.reasons.keep(code: text)
    case .groupProprietary: group.reasons.keep(proprietary: text)
    case .block:
      answerWhole(
        block, ids: block.fileIDs + group.fileIDs, reason: block.reasons.deciding ?? group.reasons.deciding)
      block = Scope()
    case .blockID: text.map { block.fileIDs.append($0) }
    case .blockStatus: block.status = block.status ?? text
    case .blockReason: block.reasons.endReason()
    case .blockCode: block.reasons.keep(code: text)
    case .blockProprietary: block.reasons.keep(proprietary: text)
    case .payment: answerPayment()
    case .fileID, .messageID: text.map { payment.fileIDs.append($0) }
    case .instruction: instruction = instruction ?? text
    case .endToEnd: endToEnd = endToEnd ?? text
    case .status: payment.status = payment.status ?? text
    case .reason: payment.reasons.endReason()
    case .code: payment.reasons.keep(code: text)
    case .proprietary: payment.reasons.keep(proprietary: text)
    case .amount: amount = amount ?? text
    }
  }

  /// Whether the message that the document is about is named, and is not a payment file.
  private var isElsewhere: Bool { messageName.map { !Self.mayBePaymentFile($0) } ?? false }

  /// Whether the first name of a message in a text, if there is one, is that of a payment file: `pain.001`.
  private static func mayBePaymentFile(_ text: [UInt8]) -> Bool {
    let small = text.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }[...]
    let place = small.indices.first { place in
      let (kind, number) = (small[place...].prefix(5), small[place...].dropFirst(5).prefix(3))
      return number.count == 3 && number.allSatisfy { $0 &- 0x30 < 10 } && kinds.contains { kind.elementsEqual($0) }
    }
    return place.map { small[$0...].starts(with: paymentFile) } ?? true
  }

  private static let kinds = ["pain.", "camt.", "pacs."].map { Array($0.utf8) }
  private static let paymentFile = Array("pain.001".utf8)

  func endDocument() throws(AnswerFault) {
    guard !hasGroup else { return }
    throw AnswerFault(
      line: documentLine, code: .missingElement,
      message: "the document lacks OrgnlGrpInfAndSts, which says which payment file it is about")
  }

  // MARK: Answers

  private func answerWhole(_ scope: Scope, ids: [[UInt8]], reason: [UInt8]?) {
    guard let status = scope.status else { return }
    add(
      AnswerDraft(kind: .whole, line: scope.line, status: status, reason: reason, sequence: scope.sequence), ids: ids)
  }

  private func answerPayment() {
    let status = payment.status ?? block.status ?? group.status ?? []
    var draft = AnswerDraft(
      kind: PaymentStatus.isRefused(status) ? .return : .status, line: payment.line, status: status,
      sequence: payment.sequence)
    draft.references = [endToEnd, instruction].compactMap(\.self)
    draft.reason = payment.reasons.deciding ?? block.reasons.deciding ?? group.reasons.deciding
    (draft.amount, draft.currency) = (amount.map { .text($0) }, amount == nil ? [] : currency)
    draft.isRefusedAsWhole =
      payment.status == nil || [block.status, group.status].contains { $0.map(PaymentStatus.isRefused) ?? false }
    add(draft, ids: payment.fileIDs + block.fileIDs + group.fileIDs)
  }

  private func add(_ draft: AnswerDraft, ids: [[UInt8]]) {
    guard !isElsewhere else { return intake.skip() }
    var draft = draft
    (draft.fileIDs, draft.day, draft.document) = (ids, day, document)
    draft.hasForeignIDs = !ids.isEmpty && !ids.contains { FileID($0) != nil }
    intake.add(draft, format: format)
  }
}
