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
  /// The names of the night's fees, by number; empty if it shows none.
  private let shownNames: [[UInt8]]
  /// Whether `fees.csv` is written.
  private let listsFees: Bool
  package let hash: KeyedHash
  private let earlier: SettlementLookup?
  /// Which of the ledger's connections this settler uses.
  private let reader: Int
  package var judge: RecordJudge
  package var message = TextBuffer(capacity: 1024)
  private var recent = RecentClaims()
  /// Whether the records before a header or trailer are committed before it. If too many rejected records end the run,
  /// the first batch error in reading order must count.
  var commitsBeforeEnvelope = false

  package init(
    purpose: RunPurpose, options: RunOptions, hash: KeyedHash, earlier: SettlementLookup? = nil, reader: Int = 0,
    widthLimit: Int = .max
  ) {
    self.purpose = purpose
    sumsReceivers = purpose.sums.contains(.receiver)
    sumsSenders = purpose.sums.contains(.sender)
    self.earlier = earlier
    self.reader = reader
    self.hash = hash
    judge = RecordJudge(
      rules: options.rules, listsNotices: purpose.findsNotices, widthLimit: widthLimit, showsNames: options.showsNames)
    shownNames = options.showsNames ? options.rules.schedule.shownNames : []
    listsFees = if case .settlement = purpose { options.showsNames } else { false }
  }

  /// Settles records of a batch without a ledger.
  package init(options: RunOptions, hash: KeyedHash) { self.init(purpose: .settlement, options: options, hash: hash) }

  /// Settles a line that is not empty into a stretch.
  ///
  /// (Unsafe: a chunk has a line feed after each line that is in it, readable bytes after its text, and stays as it is
  /// while its lines are settled.)
  ///
  /// - Parameters:
  ///   - line: the line's offset in the text.
  ///   - number: its index among the stretch's lines.
  ///   - text: contains the stretch's lines.
  ///   - isInPlace: whether the text is that of a chunk that is settled, so that its lines need not be copied.
  ///   - commit: called if the stretch grows too large within the record; commits and empties it, and returns whether
  ///     the pay key's fingerprint was committed before.
  /// - Returns: false if the record is too wide for this settler; then nothing is settled.
  @inline(__always)
  package mutating func settle(
    line: Int, length: Int, number: Int, of text: Span<UInt8>, isInPlace: Bool = false,
    into stretch: inout StretchResult, commit: (inout StretchResult, Fingerprint) -> Bool
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
      if commitsBeforeEnvelope, stretch.recordCount > 0 { _ = commit(&stretch, .none) }
      stretch.envelope.append(
        EnvelopeLine(
          isHeader: recordClass == .header,
          text: [UInt8](text.extracting(line..<line + length)), number: number,
          recordsBefore: stretch.recordCount, hasDuplicateField: judge.judgement.hasDuplicateField))
    case .record:
      settleRecord(line: line, length: length, number: number, into: &stretch, commit: commit)
    }
    return true
  }

  /// Settles the record that the judge holds.
  @inline(__always)
  private mutating func settleRecord(
    line: Int, length: Int, number: Int, into stretch: inout StretchResult,
    commit: (inout StretchResult, Fingerprint) -> Bool
  ) {
    var key = meetKey()
    var marks = stretch.marks
    if stretch.hasRoom(forRows: judge.judgement.findings.count + judge.judgement.notices.count) {
      stretch.count(&judge, number: number)
      appendRows(line: line, number: number, to: &stretch) { _ in }
    } else {
      commitAhead(&stretch, of: &key, commit)
      stretch.count(&judge, number: number)
      appendRows(line: line, number: number, to: &stretch) { stretch in _ = commit(&stretch, .none) }
      marks = stretch.marks
    }
    if judge.judgement.outcome == .settled {
      if purpose.settles { appendSettled(to: &stretch) }
      RefundablePayments.append(&judge, key.fingerprint, to: &stretch.refundables)
    }
    guard let space = claimedSpace else { return }
    let claim = Claim(
      space, key.fingerprint, isSettled: judge.judgement.outcome == .settled,
      earlierRun: UInt32(truncatingIfNeeded: key.earlierRun))
    stretch.addClaim(claim, isRefused: key.isRefused, line: line, length: length, number: number, since: marks)
    if listsFees { stretch.feeEnds.append(stretch.fees.count) }
    if judge.judgement.preapprovalKey.count > 0 || space == .refundKey { addLaterClaim(to: &stretch) }
  }

  /// Commits what is there before the rows of a record with very many are appended. Rows cannot be replaced once they are
  /// committed, so this finds out whether the record's claim is refused.
  private mutating func commitAhead(
    _ stretch: inout StretchResult, of key: inout MetKey, _ commit: (inout StretchResult, Fingerprint) -> Bool
  ) {
    guard commit(&stretch, key.fingerprint), !key.isRefused else { return }
    key.isRefused = true
    judge.refuse(.ofKey(isRefund: judge.judgement.recordType == .refund, isRepeated: true))
  }

  /// The kind of key that the record claims; nil if it claims none.
  private var claimedSpace: Claim.Space? {
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

  /// Adds the record's claim on an agreement or a payment, if the record has no error so far.
  @inline(never)
  private mutating func addLaterClaim(to stretch: inout StretchResult) {
    guard judge.judgement.findings.isEmpty else { return }
    func add(_ subject: LaterClaim.Subject, _ key: Span<UInt8>) {
      let isRefund = if case .refund = subject { true } else { false }
      stretch.laterClaims.append(
        LaterClaim(
          claim: stretch.claims.count - 1, key: hash.fingerprint(key).ofPayKey, keyText: isRefund ? [] : Array(key),
          subject: subject))
    }
    if judge.judgement.recordType == .refund {
      add(.refund(judge.judgement.refundTerms!), judge.judgement.payKey)
    } else if let record = judge.judgement.agreementRecord {
      add(.agreement(record), judge.judgement.preapprovalKey)
    } else if let payment = judge.judgement.agreementPayment() {
      add(.payment(payment), judge.judgement.preapprovalKey)
    }
  }

  /// What is known of a record's pay key or refund key before the commit.
  private struct MetKey {
    var fingerprint = Fingerprint.none
    /// Whether this settler met it before.
    var isRefused = false
    /// The earlier run that used it, or 0.
    var earlierRun = 0
  }

  private mutating func meetKey() -> MetKey {
    let space = claimedSpace
    guard space == .payKey || space == .refundKey else { return MetKey() }
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
    return MetKey(fingerprint: fingerprint, isRefused: isRepeated, earlierRun: earlierRun)
  }

  /// Appends the text and the postings of the settled record.
  private mutating func appendSettled(to stretch: inout StretchResult) {
    let entry = judge.judgement.entry
    if case .entries(let writer) = purpose {
      writer.write(entry, judge.judgement.texts, judge.judgement.fees(named: shownNames), &stretch.settled)
    } else {
      SettlementReport.append(entry, to: &stretch.settled)
      if listsFees { FeesReport.append(judge.judgement, to: &stretch.fees) }
    }
    if sumsReceivers { stretch.add(entry, .receiver) }
    if sumsSenders { stretch.add(entry, .sender) }
  }

  /// Appends the record's rows of `exceptions.csv`, or its lines of a validation.
  ///
  /// - Parameter whenFull: called between two rows if the stretch exceeds its budget; commits and empties it.
  package mutating func appendRows(
    line: Int, number: Int, to stretch: inout StretchResult, whenFull: (inout StretchResult) -> Void
  ) {
    func append(_ row: (inout TextBuffer) -> Void) {
      if stretch.rowTexts.count > stretch.textBudget { whenFull(&stretch) }
      let start = stretch.rowTexts.count
      row(&stretch.rowTexts)
      stretch.rows.append(RowPlace(number: number, line: line, length: stretch.rowTexts.count - start))
    }
    switch purpose {
    case .entries: break
    case .settlement:
      if judge.judgement.outcome == .pending || judge.judgement.outcome == .held {
        append { ExceptionsReport.appendUnsettled(judge.judgement, to: &$0) }
      }
      for index in judge.judgement.findings.indices {
        append {
          ExceptionsReport.append(judge.judgement.findings[index], of: judge.judgement, message: &message, to: &$0)
        }
      }
    case .validation(let listsNotices):
      for index in judge.judgement.findings.indices {
        append { FindingRow.append(judge.judgement.findings[index], of: judge.judgement, to: &$0) }
      }
      for index in judge.judgement.notices.indices {
        append {
          FindingRow.append(judge.judgement.notices[index], isListed: listsNotices, of: judge.judgement, to: &$0)
        }
      }
    }
  }
}
