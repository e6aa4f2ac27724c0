import BatchFile
import ExactArithmetic
import Ledger
import Reports
import Settlement

/// The part of a run that happens in batch order, one chunk after the other: records that span chunks, repeated pay
/// keys, header and trailer, line numbers, the texts' way out.
///
/// Not safe for two threads at once: `CommitOrder` lets one in at a time.
final class OrderedCommit {
  private let sink: any ReportSink
  private let fileNames: [[UInt8]]
  private let purpose: RunPurpose
  private var desk: RecordDesk
  // Asked for every payment; only `take` does.
  @exclusivity(unchecked) private var seen = SeenPayKeys()
  private let accounts: AccountTotals
  private(set) var framing = BatchFraming()
  private(set) var totals = ControlTotals()
  private(set) var textBytes = 0
  /// The digests of the files' texts, where they are wanted.
  private(set) var textDigests: TextDigests?

  private var spanning = SpanningLines()
  private let carriedPart: RecordPart
  private let repeatedPart: RecordPart
  private var rowText = TextBuffer(capacity: 1 << 16)

  init(
    sink: any ReportSink, fileNames: [[UInt8]], purpose: RunPurpose, options: RunOptions, hash: KeyedHash,
    accounts: AccountTotals, earlier: EarlierSettlements?, textBudget: Int
  ) {
    self.sink = sink
    self.fileNames = fileNames
    self.purpose = purpose
    self.accounts = accounts
    desk = RecordDesk(purpose: purpose, options: options, hash: hash, accounts: accounts, earlier: earlier)
    textDigests = earlier?.isOfLedger == true ? TextDigests(files: fileNames.count) : nil
    carriedPart = RecordPart(textBudget: textBudget)
    repeatedPart = RecordPart(textBudget: 1 << 40)
  }

  // MARK: Chunks

  /// Takes what comes before the chunk's first part: a new file, and the end of the line that earlier chunks began.
  func begin(_ work: ChunkWork) throws(RunFailure) {
    if let line = spanning.begin(work) { try takeLine(line) }
  }

  /// Takes a part of the chunk's own lines.
  func take(_ work: ChunkWork) throws(RunFailure) {
    try take(work.part, line: spanning.line, offset: spanning.offset)
  }

  /// Whether a record taken so far has a pay key of this fingerprint.
  func hasSeen(_ key: Fingerprint) -> Bool { seen.contains(key) }

  /// Takes what comes behind the chunk's last part: the line that ends in a later chunk, or with the file.
  func finish(_ work: ChunkWork) throws(RunFailure) {
    textBytes += work.chunk.count
    textDigests?.take(work)
    if let line = try spanning.finish(work, fileNames: fileNames) { try takeLine(line) }
  }

  /// Takes a line that spans chunks, now that it is whole.
  private func takeLine(_ line: SpanningLine) throws(RunFailure) {
    carriedPart.text = line.bytes
    try takeAlone(line: 0, length: line.length, number: 0, base: line.number, offset: line.offset)
  }

  /// Takes one line of the chunk that is too wide for its worker; all before it is taken.
  func takeWide(_ work: ChunkWork, line: Int, length: Int) throws(RunFailure) {
    carriedPart.text = UnsafePointer(work.chunk.text)
    try takeAlone(line: line, length: length, number: work.lineCount, base: spanning.line, offset: spanning.offset)
  }

  /// Takes one line of the carried part's text at the commit's own desk.
  private func takeAlone(line: Int, length: Int, number: Int, base: Int, offset: Int) throws(RunFailure) {
    var failure: RunFailure?
    _ = desk.take(line: line, length: length, number: number, into: carriedPart) { part, key in
      do throws(RunFailure) {
        if failure == nil { try self.takeSpanning(part, line: base, offset: offset) }
      } catch {
        failure = error
      }
      part.clear()
      return self.hasSeen(key)
    }
    if let failure { throw failure }
    try takeSpanning(carriedPart, line: base, offset: offset)
  }

  private func takeSpanning(_ part: RecordPart, line: Int, offset: Int) throws(RunFailure) {
    part.post(to: accounts)
    try take(part, line: line, offset: offset)
    part.clear()
  }

  // MARK: Parts

  private func take(_ part: RecordPart, line: Int, offset: Int) throws(RunFailure) {
    try takeFrames(part, line: line)
    totals.merge(part.totals)
    var settlementDone = 0
    var rowsDone = 0
    var textDone = 0
    func writeRows(upTo end: Int) throws(RunFailure) {
      while rowsDone < end {
        append(part.rows[rowsDone], text: part.rowTexts.bytes + textDone, line: line, offset: offset)
        textDone += part.rows[rowsDone].length
        rowsDone += 1
        if rowText.count > 1 << 16 { try flushRows() }
      }
    }
    for (index, key) in part.keys.enumerated() {
      if index + 12 < part.keys.count { seen.prefetch(part.keys[index + 12].fingerprint) }
      if seen.insert(key.fingerprint, isSettled: key.isSettled) {
        precondition(!key.isRepeated, "a pay key was repeated before it came")
        continue
      }
      if key.isRepeated { continue }
      // A repeated key rejects its record: what it gave is replaced by what it gives now.
      try writeSettlement(part, settlementDone..<key.settlement.lowerBound)
      settlementDone = key.settlement.upperBound
      try writeRows(upTo: key.rows.lowerBound)
      while rowsDone < key.rows.upperBound {
        textDone += part.rows[rowsDone].length
        rowsDone += 1
      }
      try takeRepeated(key, text: part.text, line: line, offset: offset)
    }
    try writeSettlement(part, settlementDone..<part.settlement.count)
    try writeRows(upTo: part.rows.count)
    try flushRows()
  }

  /// Assesses a record again as the repetition it is, and sets its figures right.
  private func takeRepeated(
    _ key: KeyedRecord, text: UnsafePointer<UInt8>, line: Int, offset: Int
  ) throws(RunFailure) {
    let bytes = text + key.line
    let earlierRun = Int(key.earlierRun)
    _ = desk.assessor.assess(bytes, count: key.length, earlierRun: earlierRun)
    totals.count(desk.assessor, sign: .removing)
    if purpose.settles, desk.assessor.outcome == .settled { unpost() }
    _ = desk.assessor.assessAgain(repeatsPayKey: true, earlierRun: earlierRun)
    totals.count(desk.assessor)
    _ = desk.appendRows(line: key.line, number: key.number, to: repeatedPart) { _ in true }
    var at = 0
    for row in repeatedPart.rows {
      append(row, text: repeatedPart.rowTexts.bytes + at, line: line, offset: offset)
      at += row.length
    }
    repeatedPart.clear()
    if rowText.count > 1 << 16 { try flushRows() }
  }

  /// Takes the figures of the settled payment on the desk out of the account totals.
  private func unpost() {
    func remove(_ receiver: UnsafePointer<ReceiverFigures>, at place: SettlementReport.AccountPlace) {
      accounts.post(receiver, account: place.text + place.offset, count: place.length, sign: .removing)
    }
    repeatedPart.clear()
    if case .entries(let writer) = purpose {
      if writer.sumsAccounts {
        writer.appendAccounts(desk.assessor, to: &repeatedPart.accountTexts, receiver: remove)
      }
      if writer.sumsSenders {
        let place = writer.appendSender(desk.assessor, to: &repeatedPart.accountTexts)
        accounts.post(
          gross: desk.assessor.senderAmount + desk.assessor.senderFees, passedOn: .zero, fee: .zero,
          account: place.text + place.offset, count: place.length, sign: .removing)
      }
    } else {
      SettlementReport.append(desk.assessor, to: &repeatedPart.settlement, receiver: remove)
    }
    repeatedPart.clear()
  }

  private func takeFrames(_ part: RecordPart, line: Int) throws(RunFailure) {
    let file = String(decoding: fileNames[spanning.file], as: UTF8.self)
    var taken = 0
    var nextRecord = part.firstRecord
    func takeRecords(upTo count: Int) throws(BatchError) {
      try framing.takeRecords(count - taken, at: BatchFraming.Place(file: file, line: line + (nextRecord ?? 0)))
      taken = count
    }
    do throws(BatchError) {
      for frame in part.frames {
        try takeRecords(upTo: frame.recordsBefore)
        nextRecord = frame.recordBehind
        let text = Array(UnsafeBufferPointer(start: part.text + frame.offset, count: frame.length))
        let place = BatchFraming.Place(file: file, line: line + frame.number)
        if frame.isHeader {
          try framing.takeHeader(text, hasDuplicateField: frame.hasDuplicateField, at: place)
          sink.takeHeader(createdAt: framing.createdAt)
        } else {
          try framing.takeTrailer(text, hasDuplicateField: frame.hasDuplicateField, at: place)
        }
      }
      try takeRecords(upTo: part.recordCount)
    } catch {
      throw .batch(error)
    }
  }

  /// Gives up the pay keys seen, for those that were settled, once the batch has ended.
  func takeSeen() -> SeenPayKeys {
    var taken = SeenPayKeys()
    swap(&taken, &seen)
    return taken
  }

  // MARK: Texts

  private func writeSettlement(_ part: RecordPart, _ range: Range<Int>) throws(RunFailure) {
    guard !range.isEmpty else { return }
    try sink.takeSettlement(part.settlement.bytes + range.lowerBound, count: range.count)
  }

  private func append(_ row: RowPlace, text: UnsafePointer<UInt8>, line: Int, offset: Int) {
    switch purpose {
    case .entries: preconditionFailure("entries have no rows")
    case .settlement:
      ExceptionsReport.appendPlace(
        file: fileFields[spanning.file], line: line + row.number, offset: offset + row.line, to: &rowText)
    case .validation(let format):
      FindingsReport.appendPlace(
        format, file: fileFields[spanning.file], line: line + row.number, offset: offset + row.line, to: &rowText)
    }
    rowText.append(text, count: row.length)
  }

  private func flushRows() throws(RunFailure) {
    guard rowText.count > 0 else { return }
    try sink.takeRows(rowText.bytes, count: rowText.count)
    rowText.removeAll(keeping: 1 << 20)
  }

  /// The files' names as fields of the rows.
  private lazy var fileFields: [[UInt8]] = fileNames.map { name in
    var field = TextBuffer()
    let text = String(decoding: name, as: UTF8.self)
    switch purpose {
    case .entries: break
    case .settlement: CSV.append(text, to: &field)
    case .validation(.text): field.append(text)
    case .validation(.jsonl): JSONText.append(text, to: &field)
    }
    return Array(UnsafeBufferPointer(start: field.bytes, count: field.count))
  }
}
