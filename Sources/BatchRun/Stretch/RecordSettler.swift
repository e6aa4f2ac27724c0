import Claims
import Postings
import Documents
import Rules
import Text

/// What a run makes of records: reports of a settlement, entries of settled payments, or findings of a validation.
package enum RunPurpose: Sendable {
  case settlement
  case entries(EntryWriter)
  case validation(listsNotices: Bool)

  /// Whether settled payments have a text; other records have only rows.
  package var settles: Bool {
    switch self {
    case .settlement, .entries: true
    case .validation: false
    }
  }

  /// Whether notices have rows: for a validation, which counts them also if it does not list them.
  var findsNotices: Bool {
    if case .validation = self { true } else { false }
  }

  /// The sides whose sums are computed.
  package var sums: [AccountSide] {
    switch self {
    case .settlement: [.receiver]
    case .entries(let writer): writer.sums
    case .validation: []
    }
  }
}

/// Settles records one after the other and writes their results, stretch by stretch.
package struct RecordSettler: ~Copyable {
  package let purpose: RunPurpose
  private let sumsReceivers: Bool
  private let sumsSenders: Bool
  package let hash: KeyedHash
  private let earlier: EarlierSettlements?
  /// Which of the ledger's connections this settler uses.
  private let reader: Int
  package var judge: RecordJudge
  package var message = TextBuffer(capacity: 1024)
  private var recent = RecentClaims()
  /// Whether the records before a header or trailer are committed before it. If too many rejected records end the run,
  /// the first batch error in reading order must count.
  var commitsBeforeEnvelope = false

  package init(
    purpose: RunPurpose, options: RunOptions, hash: KeyedHash, earlier: EarlierSettlements? = nil, reader: Int = 0,
    widthLimit: Int = .max
  ) {
    self.purpose = purpose
    sumsReceivers = purpose.sums.contains(.receiver)
    sumsSenders = purpose.sums.contains(.sender)
    self.earlier = earlier
    self.reader = reader
    self.hash = hash
    judge = RecordJudge(rules: options.rules, listsNotices: purpose.findsNotices, widthLimit: widthLimit)
  }

  /// Settles records of a batch without a ledger.
  package init(options: RunOptions, hash: KeyedHash) { self.init(purpose: .settlement, options: options, hash: hash) }

  /// Takes a line that is not empty into a stretch.
  ///
  /// (Unsafe: a chunk has a line feed after each line that is in it, readable bytes after its text, and stays as it is
  /// while its lines are settled.)
  ///
  /// - Parameters:
  ///   - line: the line's offset in the text.
  ///   - number: its index among the part's lines.
  ///   - text: contains the part's lines.
  ///   - isInPlace: whether the text is that of a chunk that is settled, so that its lines need not be copied.
  ///   - commit: called if the part grows too large within the record; commits and empties the part, and returns
  ///     whether the pay key's fingerprint was committed before.
  /// - Returns: false if the record is too wide for this settler; then nothing is taken.
  @inline(__always)
  package mutating func take(
    line: Int, length: Int, number: Int, of text: Span<UInt8>, isInPlace: Bool = false,
    into part: inout StretchResult, commit: (inout StretchResult, Fingerprint) -> Bool
  ) -> Bool {
    var recordClass = RecordClass.record
    if length > RecordLimits.maximumLength {
      judge.judgeTooLong()
    } else {
      recordClass = unsafe judge.judge(text.extracting(line..<line + length), isInPlace ? .inPlace : .copied)
    }
    switch recordClass {
    case .tooWide: return false
    case .header, .trailer:
      if commitsBeforeEnvelope, part.recordCount > 0 { _ = commit(&part, .none) }
      part.envelope.append(
        EnvelopeLine(
          isHeader: recordClass == .header,
          text: [UInt8](text.extracting(line..<line + length)), number: number,
          recordsBefore: part.recordCount, hasDuplicateField: judge.judgement.hasDuplicateField))
    case .record:
      takeRecord(line: line, length: length, number: number, into: &part, commit: commit)
    }
    return true
  }

  /// Takes the record that the judge holds.
  @inline(__always)
  private mutating func takeRecord(
    line: Int, length: Int, number: Int, into part: inout StretchResult,
    commit: (inout StretchResult, Fingerprint) -> Bool
  ) {
    var key = meetKey()
    var start = (settled: part.settled.count, rows: part.rows.count, refundable: part.refundables.count)
    let text = part.rowTexts.count
    let fits = appendsLittle(to: part) && appendRows(line: line, number: number, to: &part) { _ in false }
    if !fits {
      // Its first rows are committed before the others are written. Rows cannot be replaced after that, so find out now
      // whether its claim is refused.
      part.removeRows(from: start.rows, text: text)
      if commit(&part, key.fingerprint), !key.isRefused {
        key.isRefused = true
        judge.refuse(.ofKey(isRefund: judge.judgement.recordType == .refund, isRepeated: true))
      }
    }
    part.countRecord(number: number)
    part.totals.count(&judge)
    if !fits {
      _ = appendRows(line: line, number: number, to: &part) { part in
        _ = commit(&part, .none)
        return true
      }
      start = (part.settled.count, part.rows.count, part.refundables.count)
    }
    if judge.judgement.outcome == .settled {
      if purpose.settles { settle(into: &part) }
      RefundablePayments.append(&judge, key.fingerprint, to: &part.refundables)
    }
    guard let space = claimedSpace else { return }
    part.claims.append(
      RecordClaim(
        Claim(
          space, key.fingerprint, isSettled: judge.judgement.outcome == .settled,
          earlierRun: UInt32(truncatingIfNeeded: key.earlierRun)),
        isRefused: key.isRefused, line: line, length: length, number: number,
        settled: start.settled..<part.settled.count, rows: start.rows..<part.rows.count,
        refundable: start.refundable..<part.refundables.count))
    if judge.judgement.preapprovalKey.count > 0 || space == .refundKey { takeLaterClaim(into: &part) }
  }

  /// The kind of key that the record claims; nil if it claims none.
  private var claimedSpace: Claim.Space? {
    // Mutating, though it changes nothing: otherwise the whole settler is copied first.
    @inline(__always) mutating get {
      switch judge.judgement.recordType {
      case .payment: judge.judgement.payKey.count > 0 ? .payKey : nil
      case .refund: judge.judgement.refundKey.count > 0 ? .refundKey : nil
      case .preapproval: makesAgreement ? .preapprovalKey : nil
      default: nil
      }
    }
  }

  @inline(never)
  private var makesAgreement: Bool { judge.judgement.agreementRecord != nil }

  /// Takes the record's claim on an agreement or a payment, if the record has no error so far.
  @inline(never)
  private mutating func takeLaterClaim(into part: inout StretchResult) {
    guard judge.judgement.findings.isEmpty else { return }
    func take(_ subject: LaterClaim.Subject, _ key: Span<UInt8>) {
      let isRefund = if case .refund = subject { true } else { false }
      part.laterClaims.append(
        LaterClaim(
          claim: part.claims.count - 1, key: hash.fingerprint(key).ofPayKey, keyText: isRefund ? [] : Array(key),
          subject: subject))
    }
    if judge.judgement.recordType == .refund {
      take(.refund(judge.judgement.refundTerms!), judge.judgement.payKey)
    } else if let record = judge.judgement.agreementRecord {
      take(.agreement(record), judge.judgement.preapprovalKey)
    } else if let payment = judge.judgement.agreementPayment() {
      take(.payment(payment), judge.judgement.preapprovalKey)
    }
  }

  /// What is known of a record's pay key or refund key before the commit: whether this settler met it before, and the
  /// earlier run that used it.
  private mutating func meetKey() -> (fingerprint: Fingerprint, isRefused: Bool, earlierRun: Int) {
    let space = claimedSpace
    guard space == .payKey || space == .refundKey else { return (.none, false, 0) }
    let isRefund = space == .refundKey
    let fingerprint =
      isRefund
      ? hash.fingerprint(judge.judgement.refundKey).ofRefundKey : hash.fingerprint(judge.judgement.payKey).ofPayKey
    let isRepeated = recent.meets(fingerprint)
    let earlierRun =
      (isRefund
        ? earlier?.refundRun(of: judge.judgement.refundKey)
        : earlier?.run(of: fingerprint, reader: reader)) ?? 0
    if isRepeated || earlierRun > 0 {
      judge.refuse(.ofKey(isRefund: isRefund, isRepeated: isRepeated, earlierRun: earlierRun))
    }
    return (fingerprint, isRepeated, earlierRun)
  }

  /// Whether the record's rows may fit into the part.
  private func appendsLittle(to part: borrowing StretchResult) -> Bool {
    (judge.judgement.findings.count + judge.judgement.notices.count) * Self.shortRow <= part.textBudget
  }

  /// Less than the length of any row.
  private static let shortRow = 32

  /// Appends the text of the settled record, and takes its postings.
  private mutating func settle(into part: inout StretchResult) {
    let entry = judge.judgement.entry
    if case .entries(let writer) = purpose {
      writer.write(entry, judge.judgement.texts, &part.settled)
    } else {
      SettlementReport.append(entry, to: &part.settled)
    }
    if sumsReceivers { part.add(entry, .receiver) }
    if sumsSenders { part.add(entry, .sender) }
  }

  /// Appends the record's rows of `exceptions.csv`, or its lines of a validation.
  ///
  /// - Parameter whenFull: called between two rows if the part exceeds its budget; returns whether to go on.
  /// - Returns: whether all are appended.
  package mutating func appendRows(
    line: Int, number: Int, to part: inout StretchResult, whenFull: (inout StretchResult) -> Bool
  ) -> Bool {
    func append(_ row: (inout TextBuffer) -> Void) -> Bool {
      if part.rowTexts.count > part.textBudget, !whenFull(&part) { return false }
      let start = part.rowTexts.count
      row(&part.rowTexts)
      part.rows.append(RowPlace(number: number, line: line, length: part.rowTexts.count - start))
      return true
    }
    switch purpose {
    case .entries: break
    case .settlement:
      if judge.judgement.outcome == .pending || judge.judgement.outcome == .held {
        let isAppended = append { ExceptionsReport.appendUnsettled(judge.judgement, to: &$0) }
        guard isAppended else { return false }
      }
      for index in judge.judgement.findings.indices {
        let isAppended = append {
          ExceptionsReport.append(judge.judgement.findings[index], of: judge.judgement, message: &message, to: &$0)
        }
        guard isAppended else { return false }
      }
    case .validation(let listsNotices):
      for index in judge.judgement.findings.indices {
        let isAppended = append {
          FindingRow.append(judge.judgement.findings[index], of: judge.judgement, to: &$0)
        }
        guard isAppended else { return false }
      }
      for index in judge.judgement.notices.indices {
        let isAppended = append {
          FindingRow.append(
            judge.judgement.notices[index], isListed: listsNotices, of: judge.judgement, to: &$0)
        }
        guard isAppended else { return false }
      }
    }
    return true
  }
}
