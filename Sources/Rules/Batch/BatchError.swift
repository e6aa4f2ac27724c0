/// Why a batch as a whole is not settled; nothing is published (`rules.md`, "Batch errors").
public enum BatchErrorCode: String, CaseIterable, Sendable {
  /// The file cannot be what it claims to be.
  case corruptBatch = "CORRUPT_BATCH"
  /// A header that is not the first record.
  case headerNotFirst = "HEADER_NOT_FIRST"
  /// A record after the trailer.
  case trailerNotLast = "TRAILER_NOT_LAST"
  /// A header whose fields break `batch.md`.
  case invalidHeader = "INVALID_HEADER"
  /// A trailer whose fields break `batch.md`.
  case invalidTrailer = "INVALID_TRAILER"
  /// A header and no trailer, or no trailer if one is required.
  case trailerMissing = "TRAILER_MISSING"
  /// The trailer's number of records is not what was read.
  case controlCountMismatch = "CONTROL_COUNT_MISMATCH"
  /// A sum of the trailer is not what was read.
  case controlTotalMismatch = "CONTROL_TOTAL_MISMATCH"
  /// An earlier run settled the same texts by other rules (`ledger.md`).
  case batchRulesChanged = "BATCH_RULES_CHANGED"
  /// The batch id is that of an earlier run, which settled other content (`ledger.md`).
  case batchIDReused = "BATCH_ID_REUSED"
  /// No record of a batch without header and trailer is a JSON object.
  case notABatch = "NOT_A_BATCH"
  /// More records are rejected than may be.
  case tooManyRejected = "TOO_MANY_REJECTED"

  /// The code in messages.
  public var code: String { rawValue }
}

/// A batch error: what, where, and what was expected.
public struct BatchError: Error, Sendable, CustomStringConvertible {
  /// Which error.
  public let code: BatchErrorCode
  /// What is wrong and what was expected; nothing from the batch in it is raw.
  public let reason: String
  /// The file, as given; nil if the batch as a whole is meant.
  public let file: String?
  /// The line in the file, from 1; nil if there is none.
  public let line: Int?

  /// A batch error.
  public init(_ code: BatchErrorCode, _ reason: String, file: String? = nil, line: Int? = nil) {
    self.code = code
    self.reason = reason
    self.file = file
    self.line = line
  }

  /// `CODE: file:line: reason`.
  public var description: String {
    var place = ""
    if let file { place = line.map { "\(file):\($0): " } ?? "\(file): " }
    return "\(code.code): \(place)\(reason)"
  }
}
