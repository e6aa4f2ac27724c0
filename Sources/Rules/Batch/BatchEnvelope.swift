import ExactArithmetic
import Failures
import Money
import Records
import Text

/// The order of a batch (a header first, a trailer last) and what the trailer says about the records between them.
///
/// It takes headers, trailers and counts of records in reading order, and throws the first batch error it meets. It
/// throws `INVALID_TRAILER` only when something follows the trailer or the batch has ended, so that the errors of all
/// records before it are found.
public struct BatchEnvelope: Sendable {
  /// The trailer's figures.
  struct Trailer {
    let recordCount: [UInt8]
    let totals: [ExactDecimal?]
    let refundTotals: [ExactDecimal?]
    let place: Place
  }

  /// A line of the batch, for messages.
  public struct Place: Sendable {
    /// The file, as given.
    public let file: String
    /// The line, from 1.
    public let line: Int

    public init(file: String, line: Int) {
      self.file = file
      self.line = line
    }
  }

  /// The batch's identifier, if the header gives one.
  public private(set) var batchID: String?
  /// When the batch was made, if the header says so.
  public private(set) var createdAt: UTCTime?
  /// Where the header is, or nil.
  public private(set) var headerPlace: Place?
  /// What is wrong with the trailer, until it is thrown.
  public private(set) var trailerError: BatchError?
  private var trailer: Trailer?
  private var recordsSeen = 0
  /// Whether trailers are passed over, whatever they say and wherever they are.
  private let passesOverTrailers: Bool
  /// Whether a trailer was passed over.
  private var hasTrailer = false

  /// An envelope of a batch of which nothing was read yet.
  ///
  /// - Parameter passesOverTrailers: whether trailers are passed over, whatever they say and wherever they are.
  public init(passesOverTrailers: Bool = false) { self.passesOverTrailers = passesOverTrailers }

  /// Takes a number of consecutive records, the first of them at `place`.
  public mutating func countRecords(_ count: Int, at place: @autoclosure () -> Place) throws(BatchError) {
    guard count > 0 else { return }
    try throwTrailerError()
    if let trailer {
      throw BatchError(
        .trailerNotLast, "a record follows the trailer of line \(trailer.place.line); expected the trailer last",
        file: place().file, line: place().line)
    }
    recordsSeen += count
  }

  /// Takes a header line.
  ///
  /// - Parameter hasDuplicateField: whether an object of the line has any field of `batch.md` twice.
  public mutating func readHeader(_ text: [UInt8], hasDuplicateField: Bool, at place: Place) throws(BatchError) {
    try throwTrailerError()
    guard headerPlace == nil, trailer == nil, recordsSeen == 0 else {
      throw BatchError(
        .headerNotFirst, headerPlace == nil ? "a header after other records; expected it first" : "a second header",
        file: place.file, line: place.line)
    }
    let fields = try EnvelopeFields(text, hasDuplicateField: hasDuplicateField, code: .invalidHeader, place: place)
    if let value = fields["batchId"] {
      guard case .string(let bytes) = value, !bytes.isEmpty, BatchIdentifier.isValid(bytes.span) else {
        throw fields.invalid("batchId", "\(BatchIdentifier.expected)")
      }
      batchID = String(decoding: bytes, as: UTF8.self)
    }
    if let value = fields["createdAt"] {
      guard case .string(let bytes) = value, !bytes.isEmpty, Timestamp.isValid(bytes.span) else {
        let absence = value.string.flatMap { Timestamp.absence(in: $0.utf8) }.map { "; \($0)" } ?? ""
        throw fields.invalid("createdAt", "an RFC 3339 date-time like 2026-11-20T08:30:00Z\(absence)")
      }
      createdAt = Timestamp.utc(bytes.span)
    }
    headerPlace = place
  }

  /// Takes a trailer line.
  ///
  /// - Parameter hasDuplicateField: whether an object of the line has any field of `batch.md` twice.
  public mutating func readTrailer(_ text: [UInt8], hasDuplicateField: Bool, at place: Place) throws(BatchError) {
    if passesOverTrailers {
      hasTrailer = true
      return
    }
    try throwTrailerError()
    if let trailer {
      throw BatchError(
        .trailerNotLast, "a second trailer after that of line \(trailer.place.line)", file: place.file,
        line: place.line)
    }
    do throws(BatchError) {
      trailer = try Self.trailer(text, hasDuplicateField: hasDuplicateField, at: place)
    } catch {
      trailerError = error
    }
  }

  private func throwTrailerError() throws(BatchError) {
    if let trailerError { throw trailerError }
  }

  private static func trailer(
    _ text: [UInt8], hasDuplicateField: Bool, at place: Place
  ) throws(BatchError) -> Trailer {
    let fields = try EnvelopeFields(text, hasDuplicateField: hasDuplicateField, code: .invalidTrailer, place: place)
    guard case .number(let recordCount) = fields["recordCount"], recordCount.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
    else { throw fields.invalid("recordCount", "a number of digits alone") }
    return Trailer(
      recordCount: recordCount, totals: try fields.totals("totals"),
      refundTotals: fields["refundTotals"] == nil ? [] : try fields.totals("refundTotals"), place: place)
  }

  /// Compares the whole batch with its trailer, after the last record.
  ///
  /// Throws `INVALID_TRAILER` if the trailer is not valid, `NOT_A_BATCH` if a JSON value over several lines begins the
  /// batch or no record is a JSON object, and `TRAILER_MISSING` if there is a header but no trailer, or no trailer
  /// although one is required.
  /// - Parameters:
  ///   - requiresTrailer: whether there must be a trailer even if there is no header.
  ///   - beginning: how the batch's text begins.
  ///   - file: the batch's file, if it is one.
  /// - Returns: the state of the control totals, and what does not agree: the count, or otherwise every sum.
  public func finish(
    _ totals: ControlTotals, requiresTrailer: Bool = false, beginning: BatchBeginning = BatchBeginning(),
    file: String? = nil
  ) throws(BatchError) -> (state: ControlTotalsState, mismatch: BatchError?) {
    try throwTrailerError()
    if headerPlace == nil, beginning.firstLine.isSpread {
      throw BatchError(
        .notABatch,
        beginning.firstLine == .bracket
          ? "this is a JSON array; expected a record on each line (jq -c '.[]' converts it)"
          : "this is a JSON object over several lines; expected a record on each line (jq -c . converts it)",
        file: file)
    }
    guard let trailer else {
      if headerPlace == nil, !hasTrailer, totals.recordsRead > 0, totals.recordsWithoutObject == totals.recordsRead {
        let records =
          totals.recordsRead == 1 ? "the only record cannot" : "none of the \(totals.recordsRead) records can"
        let described = OtherFile.described(
          beginning.bytes, notUTF8: totals.errors[Int(RejectionReason.invalidUTF8.rawValue)])
        throw BatchError(.notABatch, "\(records) be read as a JSON object; \(described)", file: file)
      }
      if passesOverTrailers { return (.absent, nil) }
      if let headerPlace {
        throw BatchError(
          .trailerMissing, "the batch has a header (line \(headerPlace.line)) but no trailer; it was cut short",
          file: headerPlace.file)
      }
      if requiresTrailer {
        throw BatchError(
          .trailerMissing, "the batch has no trailer, and one is required; it was cut short, or is another file",
          file: file)
      }
      return (.absent, nil)
    }
    guard let mismatch = mismatch(trailer, totals) else { return (.verified, nil) }
    return (.mismatch, mismatch)
  }

  private func mismatch(_ trailer: Trailer, _ totals: ControlTotals) -> BatchError? {
    let read = totals.recordsRead
    let without =
      totals.recordsWithoutControlAmount + totals.otherRecords - totals.currencies.reduce(0) { $0 + $1.refundRecords }
    let amounts =
      "\(without) of \(read) record\(read == 1 ? "" : "s") \(without == 1 ? "has" : "have") no control amount"
    func error(_ code: BatchErrorCode, _ reason: String) -> BatchError {
      BatchError(code, "\(reason); \(amounts)", file: trailer.place.file, line: trailer.place.line)
    }
    if !String(recordsSeen).utf8.elementsEqual(trailer.recordCount) {
      let records = trailer.recordCount.elementsEqual("1".utf8) ? "record" : "records"
      let were = recordsSeen == 1 ? "was" : "were"
      return error(
        .controlCountMismatch,
        "the trailer counts \(MessageText.text(trailer.recordCount)) \(records), \(recordsSeen) \(were) read")
    }
    func mismatches(_ told: [ExactDecimal?], _ what: String, _ read: (CurrencyTotals) -> ExactDecimal) -> [String] {
      zip(Currency.all, totals.currencies).compactMap { currency, sums in
        let read = read(sums)
        let told = (told.isEmpty ? nil : told[Int(currency.index)]) ?? .zero(at: -currency.settlementExponent)
        return told == read
          ? nil : "sums \(told) \(currency.code)\(what), \(read) \(currency.code) were read"
      }
    }
    let all =
      mismatches(trailer.totals, "", \.amount) + mismatches(trailer.refundTotals, " of refunds", \.refundControl)
    return all.isEmpty ? nil : error(.controlTotalMismatch, "the trailer \(all.joined(separator: "; it "))")
  }
}

/// Whether the control totals were verified.
public enum ControlTotalsState: String, Sendable {
  /// The trailer agrees with what was read.
  case verified
  /// The trailer does not agree with what was read.
  case mismatch
  /// There is no trailer.
  case absent
}
