import Claims
import Failures
import FileSystem
import Postings
import Records
import Documents
import Rules
import Text
import Threads

/// Writes the reports of merged stretches: judges header and trailer, and completes rows with their places.
final class StretchReports: StretchSink {
  private let sink: ReportSink
  private let fileNames: [[UInt8]]
  /// Takes the lines of a validation; nil for a settlement.
  private let findings: FindingsList?
  private var envelope: BatchEnvelope
  private var rowText = TextBuffer(capacity: 1 << 16)
  private let scratch: String
  /// The refund data of the batch's own payments.
  let refundables: RefundablePayments
  /// The rows after the first refund; refunds are judged once the batch has ended.
  private var held: HeldRows?
  private(set) var made: MadeRefunds
  /// Whether the sink knows that the batch has begun.
  private var hasBegun = false

  /// - Parameters:
  ///   - fileNames: the names of the batch's files, escaped.
  ///   - isForLedger: whether a ledger keeps the refunds that are made.
  ///   - showsNames: whether the night shows the names of fees.
  ///   - errands: write the refund data.
  init(
    _ sink: ReportSink, _ purpose: RunPurpose, fileNames: [[UInt8]], scratch: String,
    findings: FindingsList? = nil, isForLedger: Bool = false, showsNames: Bool = false,
    errands: Errands = Errands(most: 0),
    passesOverTrailers: Bool = false
  ) {
    envelope = BatchEnvelope(passesOverTrailers: passesOverTrailers)
    made = MadeRefunds(purpose, keepsEntries: isForLedger, showsNames: showsNames)
    self.scratch = scratch
    refundables = RefundablePayments(scratch: scratch, errands: errands, isForLedger: isForLedger)
    self.sink = sink
    self.fileNames = fileNames
    self.findings = findings
  }

  var keepsClaims: Bool { false }

  func addClaim(
    _ claim: RecordClaim, fees: Int, _ later: LaterClaim?, refund: Span<UInt8>?, at place: StretchPlace
  ) {}

  var settlement: (any ReportWriter)? { sink.settlement }

  var refundData: any ReportWriter { refundables }

  var fees: (any ReportWriter)? { sink.fees }

  func holdRefund(
    of payment: Fingerprint, _ record: RecordClaim, _ line: Span<UInt8>, at place: StretchPlace
  ) throws(Failure) {
    try finishStretch()
    if held == nil { held = try HeldRows(scratch: scratch) }
    try held?.append(payment, record, line, at: place)
  }

  /// Returns and forgets the rows that were held back; nil if the batch has no refund.
  func releaseRows() -> HeldRows? {
    defer { held = nil }
    return held
  }

  /// The day of the run, from the header; nil if the header has none.
  var day: CalendarDay? { envelope.createdAt.map(CalendarDay.init) }

  /// What is wrong with the trailer, if it was read.
  var trailerError: BatchError? { envelope.trailerError }

  /// Appends the next refund that a lane made (`MadeRefunds`).
  func appendRefund(
    of other: borrowing MadeRefunds, from done: inout MadeRefunds.Place, to end: MadeRefunds.Place
  ) throws(Failure) {
    made.appendNext(of: other, from: &done, to: end)
    if made.settlement.count + made.rows.count > 1 << 16 { try finishRefunds() }
  }

  private func finishRefunds() throws(Failure) {
    try Self.hand(made, to: sink)
    made.removeTexts()
  }

  private static func hand(_ made: borrowing MadeRefunds, to sink: ReportSink) throws(Failure) {
    if !made.settlement.isEmpty { try sink.settlement!.write(made.settlement.span) }
    if !made.rows.isEmpty { try sink.refunds?.write(made.rows.span) }
    if !made.fees.isEmpty { try sink.fees!.write(made.fees.span) }
  }

  func readEnvelope(of stretch: borrowing StretchResult, at place: StretchPlace) throws(Failure) {
    do throws(BatchError) {
      try envelope.read(
        stretch.envelope, firstRecord: stretch.firstRecord, recordCount: stretch.recordCount,
        file: String(decoding: fileNames[place.file], as: UTF8.self), line: place.line)
    } catch {
      throw .batch(error)
    }
    if !hasBegun, stretch.recordCount > 0 || envelope.headerPlace != nil {
      hasBegun = true
      try sink.entries?.begin(createdAt: envelope.createdAt)
    }
  }

  /// The result of the whole batch, after the last stretch: compares it with the trailer and checks the books.
  ///
  /// - Parameter expectNew: called before the figures are compared.
  func finish(
    _ totals: ControlTotals, accounts: AccountTotals, files: [StoredFile], textBytes: Int, textDigests: [TextDigest],
    beginning: BatchBeginning, options: RunOptions, expectNew: SettlementLookup.Check?
  ) throws(Failure) -> RunResult {
    let (state, mismatch): (ControlTotalsState, BatchError?)
    do throws(BatchError) {
      (state, mismatch) = try envelope.finish(
        totals, requiresTrailer: options.requiresTrailer, beginning: beginning,
        file: fileNames.count == 1 ? String(decoding: fileNames[0], as: UTF8.self) : nil)
    } catch {
      throw .batch(error)
    }
    try expectNew?(envelope, textDigests)
    if let mismatch, options.enforcesControlTotals { throw .batch(mismatch) }
    if let error = options.mostRejected?.error(totals) { throw .batch(error) }
    if let imbalance = totals.imbalance ?? (options.showsNames ? totals.namesImbalance : nil) {
      // Not a precondition: a release build drops its message.
      fatalError("the books do not balance, nothing was published: \(imbalance)")
    }
    return RunResult(
      totals: totals, batchID: envelope.batchID, controlTotals: state, controlMismatch: mismatch, files: files,
      accounts: accounts.count, textBytes: textBytes, textDigests: textDigests,
      rules: options.namesRules ? options.rules.reported : nil, headerPlace: envelope.headerPlace,
      createdAt: envelope.createdAt, showsNames: options.showsNames)
  }

  func appendRow(_ row: RowPlace, _ text: Span<UInt8>, at place: StretchPlace) throws(Failure) {
    if let held { return try held.append(row, text, at: place) }
    let (line, offset) = (place.line + row.number, place.offset + row.line)
    let file = fileFields[place.file]
    if let findings {
      findings.append(text, file: file, line: line, offset: offset, to: &rowText)
    } else {
      ExceptionsReport.appendPlace(file: file, line: line, offset: offset, to: &rowText)
      rowText.append(text)
    }
    if rowText.count > 1 << 16 { try finishStretch() }
  }

  func finishStretch() throws(Failure) {
    try finishRefunds()
    guard rowText.count > 0 else { return }
    try rowText.withSpan { text throws(Failure) in try sink.rows!.write(text) }
    rowText.removeAll(keeping: 1 << 20)
  }

  private lazy var fileFields: [[UInt8]] = fileNames.map { name in
    if let findings { return findings.file(name) }
    var field = TextBuffer()
    CSV.append(name.span, to: &field)
    return [UInt8](field.span)
  }
}
