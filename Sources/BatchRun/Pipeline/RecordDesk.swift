import BatchFile
import ExactArithmetic
import Ledger
import Payments
import Reports
import Settlement

/// What a run makes of records: reports of a settlement, entries of settled payments, or the findings of a validation.
enum RunPurpose: Sendable {
  case settlement
  case entries(EntryWriter)
  case validation(FindingsReport.Format)

  /// Whether settled payments give a text, and others none but their rows.
  var settles: Bool {
    if case .validation = self { false } else { true }
  }
}

/// Where one worker assesses records and writes down what they become, part by part.
struct RecordDesk: ~Copyable {
  let purpose: RunPurpose
  let hash: KeyedHash
  let accounts: AccountTotals
  private let earlier: EarlierSettlements?
  /// Which of the ledger's connections this desk uses.
  private let reader: Int
  var assessor: PaymentAssessor
  var message = TextBuffer(capacity: 1024)
  private var recent = RecentPayKeys()

  init(
    purpose: RunPurpose, options: RunOptions, hash: KeyedHash, accounts: AccountTotals,
    earlier: EarlierSettlements? = nil, reader: Int = 0, widthLimit: Int = .max
  ) {
    self.purpose = purpose
    self.earlier = earlier
    self.reader = reader
    self.hash = hash
    self.accounts = accounts
    assessor = PaymentAssessor(
      schedule: options.schedule, strictItems: options.strictItems, listsNotices: !purpose.settles,
      widthLimit: widthLimit)
  }

  /// Takes a line that is not empty into a part.
  ///
  /// - Parameters:
  ///   - line: the line's offset in the part's text.
  ///   - number: its number among the part's lines.
  ///   - flush: called where the part grows too large within the record; empties the part's texts.
  /// - Returns: false where the record is too wide for this desk; nothing is taken then.
  mutating func take(
    line: Int, length: Int, number: Int, into part: RecordPart, flush: (RecordPart) -> Void
  ) -> Bool {
    let start = Start(part)
    var recordClass = RecordClass.record
    if length > RecordLimits.maximumLength {
      assessor.assessTooLong()
    } else {
      recordClass = assessor.assess(part.text + line, count: length)
    }
    switch recordClass {
    case .tooWide: return false
    case .header, .trailer:
      part.frames.append(
        FrameLine(
          isHeader: recordClass == .header, offset: line, length: length, number: number,
          recordsBefore: part.recordCount, hasDuplicateField: assessor.hasDuplicateField))
      return true
    case .record: break
    }
    var fingerprint = Fingerprint(low: 0, high: 0)
    var earlierRun = 0
    var isRepeated = false
    if assessor.payKey.count > 0 {
      fingerprint = hash.fingerprint(assessor.payKey.bytes, count: assessor.payKey.count).ofPayKey
      isRepeated = recent.meets(fingerprint)
      if let earlier { earlierRun = earlier.run(of: fingerprint, reader: reader) }
      // Now that it is known, the record is another.
      if isRepeated || earlierRun > 0 {
        _ = assessor.assessAgain(repeatsPayKey: isRepeated, earlierRun: earlierRun)
      }
    }
    part.countRecord(number: number)
    part.totals.count(assessor)
    var isWhole = true
    appendRows(line: line, number: number, to: part) { part in
      isWhole = false
      flush(part)
    }
    if purpose.settles, assessor.outcome == .settled { settle(into: part) }
    if assessor.payKey.count > 0 {
      let from = isWhole ? start : Start(part, lastRow: earlierRun > 0)
      part.keys.append(
        KeyedRecord(
          fingerprint: fingerprint, line: line, length: length, number: number,
          settlement: from.settlement..<part.settlement.count, rows: from.rows..<part.rows.count, isWhole: isWhole,
          isSettled: assessor.outcome == .settled, isRepeated: isRepeated,
          earlierRun: UInt32(truncatingIfNeeded: earlierRun)))
    }
    return true
  }

  private struct Start {
    let settlement: Int
    let rows: Int
    /// - Parameter lastRow: whether the last row belongs to what begins here.
    init(_ part: RecordPart, lastRow: Bool = false) {
      settlement = part.settlement.count
      rows = part.rows.count - (lastRow ? 1 : 0)
    }
  }

  /// Appends the rows of settled parties, and posts the receivers' figures.
  private mutating func settle(into part: RecordPart) {
    if case .entries(let writer) = purpose { return appendEntry(writer, to: part) }
    SettlementReport.append(assessor, to: &part.settlement) { receiver, place in
      post(receiver, at: place, to: part)
    }
  }

  /// Appends what the writer makes of the payment, and posts the receivers' figures where they are asked for.
  private mutating func appendEntry(_ writer: EntryWriter, to part: RecordPart) {
    writer.write(assessor, &part.settlement)
    guard writer.sumsAccounts else { return }
    writer.appendAccounts(assessor, to: &part.accountTexts) { receiver, place in
      post(receiver, at: place, to: part)
    }
    if writer.sumsSenders { postSender(at: writer.appendSender(assessor, to: &part.accountTexts), to: part) }
  }

  /// Posts what the sender paid, by its place in the account texts.
  private func postSender(at place: SettlementReport.AccountPlace, to part: RecordPart) {
    let text = place.text + place.offset
    let paid = assessor.senderAmount + assessor.senderFees
    guard let gross = paid.inlineMagnitude else {
      accounts.post(gross: paid, passedOn: .zero, fee: .zero, account: text, count: place.length)
      return
    }
    let hash = accounts.hash.shortHash(text, count: place.length)
    part.postings[AccountTotals.shard(of: hash)].append(
      AccountPosting(hash: hash, offset: place.offset, length: place.length, gross: gross, passedOn: 0, fee: 0))
  }

  /// Posts a receiver's figures, by its place in the settlement text or the account texts.
  @inline(__always)
  private func post(
    _ receiver: UnsafePointer<ReceiverFigures>, at place: SettlementReport.AccountPlace, to part: RecordPart
  ) {
    let text = place.text + place.offset
    guard let gross = receiver.pointee.gross.inlineMagnitude,
      let passedOn = receiver.pointee.passedOn.inlineMagnitude, let fee = receiver.pointee.fee.inlineMagnitude
    else {
      accounts.post(receiver, account: text, count: place.length, sign: .adding)
      return
    }
    let hash = accounts.hash.shortHash(text, count: place.length)
    part.postings[AccountTotals.shard(of: hash)].append(
      AccountPosting(
        hash: hash, offset: place.offset, length: place.length, gross: gross, passedOn: passedOn, fee: fee))
  }

  /// Appends the rows of `exceptions.csv`, or the lines of a validation, that the record gives.
  mutating func appendRows(line: Int, number: Int, to part: RecordPart, flush: (RecordPart) -> Void) {
    func begin() -> Int {
      // Between rows, not behind one: the last row of a record stays, as it may have to be replaced.
      if part.rowTexts.count > part.textBudget { flush(part) }
      return part.rowTexts.count
    }
    func close(from start: Int) {
      part.rows.append(RowPlace(number: number, line: line, length: part.rowTexts.count - start))
    }
    switch purpose {
    case .entries: return
    case .settlement:
      if assessor.outcome == .pending || assessor.outcome == .held {
        let start = begin()
        ExceptionsReport.appendUnsettled(assessor, to: &part.rowTexts)
        close(from: start)
      }
      for index in assessor.findings.indices {
        let start = begin()
        ExceptionsReport.append(
          assessor.findings[index], of: &assessor, message: &message, to: &part.rowTexts)
        close(from: start)
      }
    case .validation(let format):
      for index in assessor.findings.indices {
        let start = begin()
        FindingsReport.append(
          assessor.findings[index], format, of: &assessor, message: &message, to: &part.rowTexts)
        close(from: start)
      }
      for index in assessor.notices.indices {
        let start = begin()
        FindingsReport.append(assessor.notices[index], format, of: assessor, message: &message, to: &part.rowTexts)
        close(from: start)
      }
    }
  }
}
