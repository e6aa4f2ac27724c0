/// Why a batch as a whole is not settled; nothing is published (`rules.md`, "Batch errors").
public enum BatchErrorCode: String, CaseIterable, Sendable {
  /// The file's contents do not match its format.
  case corruptBatch = "CORRUPT_BATCH"
  /// A header is not the first record.
  case headerNotFirst = "HEADER_NOT_FIRST"
  /// A record follows the trailer.
  case trailerNotLast = "TRAILER_NOT_LAST"
  /// A field of the header breaks the rules of `batch.md`.
  case invalidHeader = "INVALID_HEADER"
  /// A field of the trailer breaks the rules of `batch.md`.
  case invalidTrailer = "INVALID_TRAILER"
  /// There is a header and no trailer, or no trailer although one is required.
  case trailerMissing = "TRAILER_MISSING"
  /// The trailer's number of records is not the number that was read.
  case controlCountMismatch = "CONTROL_COUNT_MISMATCH"
  /// A sum in the trailer is not the sum that was read.
  case controlTotalMismatch = "CONTROL_TOTAL_MISMATCH"
  /// An earlier run settled the same texts with other rules (`ledger.md`).
  case batchRulesChanged = "BATCH_RULES_CHANGED"
  /// An earlier run settled other content with the same batch id (`ledger.md`).
  case batchIDReused = "BATCH_ID_REUSED"
  /// The file is a JSON value over several lines, or none of its records is a JSON object.
  case notABatch = "NOT_A_BATCH"
  /// More records are rejected than allowed.
  case tooManyRejected = "TOO_MANY_REJECTED"

  /// The code as messages show it.
  public var code: String { rawValue }
}

/// A batch error: what, where, and what was expected.
public struct BatchError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The error's code.
  public let code: BatchErrorCode
  /// What is wrong and what was expected. Text from the batch is escaped.
  public let reason: String
  /// The file, as given; nil if the error is about the batch as a whole.
  public let file: String?
  /// The line in the file, from 1, or nil.
  public let line: Int?

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
