import FileSystem
import Input
import Postings
import Reports
import Rules
import Text

/// Makes reports of merged stretches: judges header and trailer, and gives rows their places.
final class StretchReports: StretchSink {
  private let sink: any ReportSink
  private let fileNames: [[UInt8]]
  /// Takes the lines of a validation; nil for a settlement.
  private let findings: FindingsList?
  private var envelope = BatchEnvelope()
  private var rowText = TextBuffer(capacity: 1 << 16)
  /// Whether the sink was told that the batch begins.
  private var hasBegun = false

  /// - Parameter fileNames: the names of the batch's files, escaped.
  init(_ sink: any ReportSink, fileNames: [[UInt8]], findings: FindingsList? = nil) {
    self.sink = sink
    self.fileNames = fileNames
    self.findings = findings
  }

  var keepsClaims: Bool { false }

  func takeClaim(_ claim: RecordClaim, at place: StretchPlace) {}

  func takeEnvelope(of stretch: StretchResult, at place: StretchPlace) throws(RunFailure) {
    let file = String(decoding: fileNames[place.file], as: UTF8.self)
    var taken = 0
    var nextRecord = stretch.firstRecord
    func takeRecords(upTo count: Int) throws(BatchError) {
      try envelope.takeRecords(
        count - taken, at: BatchEnvelope.Place(file: file, line: place.line + (nextRecord ?? 0)))
      taken = count
    }
    do throws(BatchError) {
      for line in stretch.envelope {
        try takeRecords(upTo: line.recordsBefore)
        nextRecord = line.recordBehind
        let linePlace = BatchEnvelope.Place(file: file, line: place.line + line.number)
        if line.isHeader {
          try envelope.takeHeader(line.text, hasDuplicateField: line.hasDuplicateField, at: linePlace)
        } else {
          try envelope.takeTrailer(line.text, hasDuplicateField: line.hasDuplicateField, at: linePlace)
        }
      }
      try takeRecords(upTo: stretch.recordCount)
    } catch {
      throw .batch(error)
    }
    if !hasBegun, stretch.recordCount > 0 || envelope.headerPlace != nil {
      hasBegun = true
      try sink.begin(createdAt: envelope.createdAt)
    }
  }

  /// The result of the whole batch, once all stretches are taken: held against its trailer, its books checked.
  func finish(
    _ totals: ControlTotals, accounts: AccountTotals, files: [StoredFile], textBytes: Int, textDigests: [String],
    beginning: [UInt8] = [], options: RunOptions
  ) throws(RunFailure) -> RunResult {
    let (state, mismatch): (ControlTotalsState, BatchError?)
    do throws(BatchError) {
      (state, mismatch) = try envelope.finish(
        totals, requiresTrailer: options.requiresTrailer, beginning: beginning,
        file: fileNames.count == 1 ? String(decoding: fileNames[0], as: UTF8.self) : nil)
    } catch {
      throw .batch(error)
    }
    if let mismatch, options.enforcesControlTotals { throw .batch(mismatch) }
    if let error = options.mostRejected?.error(totals) { throw .batch(error) }
    if let imbalance = totals.imbalance {
      // Not a precondition: those lose their words in a release build.
      fatalError("the books do not balance, nothing was published: \(imbalance)")
    }
    return RunResult(
      totals: totals, batchID: envelope.batchID, controlTotals: state, controlMismatch: mismatch, files: files,
      accounts: accounts.count, textBytes: textBytes, textDigests: textDigests, headerPlace: envelope.headerPlace,
      createdAt: envelope.createdAt)
  }

  func takeSettled(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    try sink.takeSettlement(text, count: count)
  }

  func takeRow(_ row: RowPlace, _ text: UnsafePointer<UInt8>, at place: StretchPlace) throws(RunFailure) {
    let (line, offset) = (place.line + row.number, place.offset + row.line)
    let file = fileFields[place.file]
    if let findings {
      findings.append(text, count: row.length, file: file, line: line, offset: offset, to: &rowText)
    } else {
      ExceptionsReport.appendPlace(file: file, line: line, offset: offset, to: &rowText)
      rowText.append(text, count: row.length)
    }
    if rowText.count > 1 << 16 { try finishStretch() }
  }

  func finishStretch() throws(RunFailure) {
    guard rowText.count > 0 else { return }
    try sink.takeRows(rowText.bytes, count: rowText.count)
    rowText.removeAll(keeping: 1 << 20)
  }

  /// The files' names as fields of the rows.
  private lazy var fileFields: [[UInt8]] = fileNames.map { name in
    if let findings { return findings.file(name) }
    var field = TextBuffer()
    CSV.append(name, count: name.count, to: &field)
    return Array(UnsafeBufferPointer(start: field.bytes, count: field.count))
  }
}
