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
  ///   - commit: called where the part grows too large within the record; commits and empties the part, and tells
  ///     whether a pay key's fingerprint was committed before.
  /// - Returns: false where the record is too wide for this desk; nothing is taken then.
  mutating func take(
    line: Int, length: Int, number: Int, into part: RecordPart, commit: (RecordPart, Fingerprint) -> Bool
  ) -> Bool {
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
    case .record:
      takeRecord(line: line, length: length, number: number, into: part, commit: commit)
    }
    return true
  }

  /// Takes the record that the assessor holds.
  @inline(__always)
  private mutating func takeRecord(
    line: Int, length: Int, number: Int, into part: RecordPart, commit: (RecordPart, Fingerprint) -> Bool
  ) {
    var key = meetKey()
    var start = (settlement: part.settlement.count, rows: part.rows.count)
    let text = part.rowTexts.count
    let fits = appendsLittle(to: part) && appendRows(line: line, number: number, to: part) { _ in false }
    if !fits {
      // Its first rows are committed before it is whole. So it has to be known now whether it repeats a pay key: what is
      // committed cannot be replaced.
      part.removeRows(from: start.rows, text: text)
      if commit(part, key.fingerprint), !key.isRepeated {
        key.isRepeated = true
        _ = assessor.assessAgain(repeatsPayKey: true, earlierRun: key.earlierRun)
      }
    }
    part.countRecord(number: number)
    part.totals.count(assessor)
    if !fits {
      _ = appendRows(line: line, number: number, to: part) { part in
        _ = commit(part, .none)
        return true
      }
      start = (part.settlement.count, part.rows.count)
    }
    if purpose.settles, assessor.outcome == .settled { settle(into: part) }
    guard assessor.payKey.count > 0 else { return }
    part.keys.append(
      KeyedRecord(
        fingerprint: key.fingerprint, line: line, length: length, number: number,
        settlement: start.settlement..<part.settlement.count, rows: start.rows..<part.rows.count,
        isSettled: assessor.outcome == .settled, isRepeated: key.isRepeated,
        earlierRun: UInt32(truncatingIfNeeded: key.earlierRun)))
  }

  /// What is known of a record's pay key before the commit: whether this desk met it, and the earlier run that settled it.
  private mutating func meetKey() -> (fingerprint: Fingerprint, isRepeated: Bool, earlierRun: Int) {
    guard assessor.payKey.count > 0 else { return (.none, false, 0) }
    let fingerprint = hash.fingerprint(assessor.payKey.bytes, count: assessor.payKey.count).ofPayKey
    let isRepeated = recent.meets(fingerprint)
    let earlierRun = earlier?.run(of: fingerprint, reader: reader) ?? 0
    // Now that it is known, the record is another.
    if isRepeated || earlierRun > 0 {
      _ = assessor.assessAgain(repeatsPayKey: isRepeated, earlierRun: earlierRun)
    }
    return (fingerprint, isRepeated, earlierRun)
  }

  /// Whether it is worth trying if the record's rows fit into the part.
  private func appendsLittle(to part: RecordPart) -> Bool {
    (assessor.findings.count + assessor.notices.count) * Self.shortRow <= part.textBudget
  }

  /// Fewer bytes than a row takes.
  private static let shortRow = 32

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
  ///
  /// - Parameter whenFull: called between two rows where the part has more than it should; whether to go on.
  /// - Returns: whether all are appended.
  mutating func appendRows(line: Int, number: Int, to part: RecordPart, whenFull: (RecordPart) -> Bool) -> Bool {
    func append(_ row: (inout TextBuffer) -> Void) -> Bool {
      if part.rowTexts.count > part.textBudget, !whenFull(part) { return false }
      let start = part.rowTexts.count
      row(&part.rowTexts)
      part.rows.append(RowPlace(number: number, line: line, length: part.rowTexts.count - start))
      return true
    }
    switch purpose {
    case .entries: break
    case .settlement:
      if assessor.outcome == .pending || assessor.outcome == .held {
        let isAppended = append { ExceptionsReport.appendUnsettled(assessor, to: &$0) }
        guard isAppended else { return false }
      }
      for index in assessor.findings.indices {
        let isAppended = append {
          ExceptionsReport.append(assessor.findings[index], of: &assessor, message: &message, to: &$0)
        }
        guard isAppended else { return false }
      }
    case .validation(let format):
      for index in assessor.findings.indices {
        let isAppended = append {
          FindingsReport.append(assessor.findings[index], format, of: &assessor, message: &message, to: &$0)
        }
        guard isAppended else { return false }
      }
      for index in assessor.notices.indices {
        let isAppended = append {
          FindingsReport.append(assessor.notices[index], format, of: assessor, message: &message, to: &$0)
        }
        guard isAppended else { return false }
      }
    }
    return true
  }
}
