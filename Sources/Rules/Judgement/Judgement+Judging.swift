import ExactArithmetic
import Input
import Records

/// How a line is taken: read, told by its type, checked, and its outcome decided.
extension Judgement {
  mutating func judge(_ line: UnsafePointer<UInt8>, count: Int) -> RecordClass {
    reserveScratch(for: count)
    reset(line)
    profile = .none
    form = scanner.scan(line, count: count)
    hasDuplicateField = scanner.hasDuplicateField
    recordType = .payment
    isTypeKnown = true
    if form == .object {
      readType()
      if recordType == .payment, !scanner.field(.splitProfile).isAbsent { takeProfile(count: count) }
    }
    return judge()
  }

  /// Reads what the record is; one with fields of its own is scanned by these.
  private mutating func readType() {
    let type = scanner.field(.type)
    guard !type.isAbsent else { return }
    let (bytes, length) = type.kind == .string ? text(type) : (line, 0)
    guard let known = RecordType.find(bytes, count: length) else {
      isTypeKnown = false
      return
    }
    recordType = known
    guard known.level != .record else { return }
    if !scanner.readAgain(as: known) { form = .tooWide }
    hasDuplicateField = scanner.hasDuplicateField
  }

  private mutating func judge() -> RecordClass {
    switch form {
    case .tooWide: return .tooWide
    case .invalidUTF8: reject(.invalidUTF8)
    case .malformed: reject(.malformedJSON)
    case .notAnObject: reject(.notAnObject)
    case .object:
      switch recordType {
      case .header: return .header
      case .trailer: return .trailer
      case _ where hasDuplicateField: reject(.duplicateField)
      case _ where !isTypeKnown: reject(.unknownRecordType, evidence: scanner.field(.type))
      case .payment: checkPayment()
      case .refund:
        checkRefund()
        conclude(.refunded)
      case .preapproval:
        checkPreapproval()
        conclude(.agreed)
      }
    }
    return .record
  }

  /// The most errors of a record that are reported and counted (`rules.md`).
  private static let mostFindings = 1000

  /// Gives the record its outcome, or puts its errors in order.
  @inline(__always)
  private mutating func conclude(_ outcome: Outcome) {
    if findings.isEmpty {
      self.outcome = outcome
    } else if findings.count > 1 {
      findings.sort(by: Finding.isListed)
      sortUnknownFields()
      if findings.count > Self.mostFindings { findings.removeSubrange(Self.mostFindings...) }
    }
  }

  /// Rejects the record, as its claims are refused. Only a refused key may go with errors of the record's own.
  mutating func refuse(_ refusals: [ClaimRefusal]) {
    if refusals.isEmpty { return }
    if refusals.contains(where: { $0.reason.target == .key }) {
      forgetFees()
    } else {
      precondition(findings.isEmpty, "an agreement or a payment is claimed by a record without errors")
    }
    outcome = .rejected
    for refusal in refusals {
      var evidence = refusal.run > 0 ? JSONSlice(.number, start: refusal.run, length: 0) : .absent
      if let (found, expected) = refusal.figures { evidence = keep(found, expected) }
      let finding = Finding(refusal.reason, at: refusal.path, evidence: evidence)
      findings.insert(finding, at: findings.firstIndex { Finding.isListed(finding, before: $0) } ?? findings.count)
    }
    if findings.count > Self.mostFindings { findings.removeSubrange(Self.mostFindings...) }
  }

  /// Forgets what is found when fees are assessed: they are not, if the record's key is refused (`rules.md`, "Errors").
  private mutating func forgetFees() {
    let ofFees: [Notice] = [.feeCapped, .feePayerOverridden]
    findings.removeAll { $0.reason == .feesExceedAmount }
    notices.removeAll { ofFees.contains($0.notice) }
    for notice in ofFees { noticeCounts[Int(notice.rawValue)] = 0 }
  }

  mutating func judgeTooLong() {
    reserveScratch(for: 0)
    reset(line)
    // Nobody looks at what it is.
    recordType = .payment
    reject(.recordTooLong)
  }

  private mutating func reset(_ line: UnsafePointer<UInt8>) {
    self.line = line
    outcome = .rejected
    isPayment = false
    if !findings.isEmpty { findings.removeAll(keepingCapacity: findings.count < 1024) }
    if !figures.isEmpty { figures.removeAll(keepingCapacity: figures.count < 1024) }
    if !notices.isEmpty { notices.removeAll(keepingCapacity: notices.count < 1024) }
    for notice in 0..<Self.noticeKinds { noticeCounts[notice] = 0 }
    payKey.count = 0
    refundKey.count = 0
    preapprovalKey.count = 0
    if refundTerms != nil { refundTerms = nil }
    if agreementRecord != nil { agreementRecord = nil }
    sender.count = 0
    currency = nil
    kind = nil
    status = nil
    feePayer = nil
    fundingSource = nil
    card = nil
    senderCountry = nil
    hasControlAmount = false
    receiverCount = 0
    isSplit = false
    if adjusted.pointee.isGiven { forgetAdjustments() }
  }

  /// A record that is rejected for its structure: the only finding, without a field.
  private mutating func reject(_ reason: RejectionReason, evidence: JSONSlice = .absent) {
    assert(reason.isStructural && findings.isEmpty)
    findings.append(Finding(reason, at: .record, evidence: evidence))
  }

  private mutating func checkPayment() {
    let tally = tally
    isPayment = true
    tally.pointee.reset()
    checkTopLevel()
    let isAdvanced = !scanner.field(.receiverPaymentDetails).isAbsent
    let isSingle =
      !scanner.receiverField(.recipient, row: 0).isAbsent
      || !scanner.receiverField(.subtotal, row: 0).isAbsent
    let hasShape = profile == .none ? isAdvanced != isSingle && scanner.field(.splitProfile).isAbsent : true
    if !hasShape {
      reject(.paymentShape, at: .record)
    } else {
      if !scanner.field(.adjustedAmounts).isAbsent { readAdjustments(isSingle: isSingle) }
      if isSingle {
        checkReceiver(row: 0, index: nil)
        receiverCount = 1
      } else if profile == .unknown {
        refuseProfile()
      } else {
        checkReceivers()
      }
      if adjusted.pointee.isGiven { checkAdjustedRecipients() }
    }
    noteUnknownFields(isAdvanced: !isSingle && hasShape, isSingle: isSingle && hasShape)
    checkCountries()
    if hasShape { checkTogether(isAdvanced: isAdvanced) }
    if findings.isEmpty { assignFees() }
    conclude(status?.outcome ?? .rejected)
  }

  // MARK: Findings and notices

  mutating func reject(_ reason: RejectionReason, at path: FieldPath, evidence: JSONSlice = .absent) {
    guard let path = reported(path, reason) else { return }
    findings.append(Finding(reason, at: path, evidence: evidence))
  }

  /// Where an error is reported: what is wrong with a profile's receivers once at its name, else nil.
  private func reported(_ path: FieldPath, _ reason: RejectionReason) -> FieldPath? {
    guard profile == .known, path.isInReceivers else { return path }
    return findings.contains { $0.reason == reason } ? nil : .top(.splitProfile)
  }

  /// A finding whose message shows two figures: the one found and the one expected.
  mutating func reject(_ reason: RejectionReason, at path: FieldPath, found: ExactDecimal, expected: ExactDecimal) {
    guard let path = reported(path, reason) else { return }
    findings.append(Finding(reason, at: path, evidence: keep(found, expected)))
  }

  /// Keeps the figures that a message shows: the evidence of its finding.
  private mutating func keep(_ found: ExactDecimal, _ expected: ExactDecimal) -> JSONSlice {
    figures.append(found)
    figures.append(expected)
    return JSONSlice(.number, start: figures.count - 2, length: 0)
  }

  mutating func note(_ notice: Notice, at path: FieldPath, name: JSONSlice = .absent) {
    // A name of its own: counting through `self` crashes the compiler (6.3.1) if it builds for the thread sanitizer.
    let counts = noticeCounts
    let isOfProfile = profile == .known && path.isInReceivers
    counts[Int(notice.rawValue)] += 1
    if listsNotices {
      notices.append(NoticeFinding(notice: notice, path: isOfProfile ? .top(.splitProfile) : path, name: name))
    }
  }
}
