import Claims
import Failures
import FileSystem
import Ledger
import Documents

/// The key by which a record that a night did not settle is matched with later nights.
package enum WaitingKey {
  /// The refund key of a refund.
  case refund([UInt8])
  /// The pay key of a payment.
  case payment([UInt8])
  /// The preapproval key of a preapproval.
  case agreement([UInt8])

  package var text: [UInt8] {
    switch self {
    case .refund(let text), .payment(let text), .agreement(let text): text
    }
  }

  /// The key as a ledger's fingerprint. Keys of different kinds have different ones.
  func fingerprint(_ hash: KeyedHash) -> Fingerprint {
    let print = hash.fingerprint(text.span)
    return switch self {
    case .payment: print.ofPayKey
    case .refund: print.ofRefundKey
    case .agreement: print.ofRefundKey.ofRefundKey.marked
    }
  }
}

extension Fingerprint {
  /// This fingerprint in a form that neither pay keys nor refund keys have.
  fileprivate var marked: Fingerprint { Fingerprint(low: low, high: high | Self.mark) }
}

/// A record that a night left pending, held or rejected, with all its rows of `exceptions.csv`; valid until the next
/// one.
package struct WaitingRecord {
  /// Its rows as lines, without line feeds, one after the other.
  fileprivate(set) var lines: [UInt8] = []
  /// Where each row ends.
  fileprivate(set) var ends: [Int] = []
  /// The key; nil if it has none, or its own key is invalid.
  package fileprivate(set) var key: WaitingKey?

  /// Passes on each row.
  package func forEachRow(_ take: (ReportRow) -> Void) {
    var row = ReportRow()
    var start = 0
    for end in ends {
      row.split(lines.span.extracting(start..<end))
      take(row)
      start = end
    }
  }
}

/// The records of a run's `exceptions.csv`, in order. Nothing is verified or hashed.
final class NightExceptions {
  private typealias Column = ExceptionsReport.Column

  private let lines: ReportLines
  private let shown: String
  private let log = FindingLog()
  private var row = ReportRow()
  private var hasRow = false
  /// The file and line of the current record.
  private var place: [UInt8] = []

  /// Opens the report; throws if it cannot be read.
  init(of run: RunEntry) throws(Failure) {
    let directory = FileName.string(run.directory)
    shown = OutputPlace.shown(directory)
    let folder = try ReportFolder(path: directory)
    guard let found = try folder.open(ReportKind.exceptions.fileName, log, isHashed: false) else {
      throw log.failure(shown, Failure.inputOutput)
    }
    lines = found
    try lines.readHeader(log)
    guard log.count == 0 else { throw log.failure(shown, Failure.inputOutput) }
    try advance()
  }

  private func advance() throws(Failure) {
    hasRow = try lines.next()
    if hasRow, !lines.split(into: &row, log) { throw log.failure(shown, Failure.inputOutput) }
  }

  /// The length of the fields `file` and `line`, with which a row begins, and the comma between them.
  private var placeLength: Int {
    let row = row
    return row[Column.file].count + 1 + row[Column.line].count
  }

  /// Whether the current row is of the record at `place`.
  private var hasRowOfRecord: Bool {
    guard hasRow else { return false }
    let (lines, place) = (lines, place)
    return lines.current.extracting(first: placeLength).isEqual(to: place.span)
  }

  private func has(_ text: StaticString, _ column: Column) -> Bool {
    let row = row
    return text.matches(row[column])
  }

  /// Reads the next record; false after the last.
  func next(into record: inout WaitingRecord) throws(Failure) -> Bool {
    guard hasRow else { return false }
    record.lines.removeAll(keepingCapacity: true)
    record.ends.removeAll(keepingCapacity: true)
    let lines = lines
    place.removeAll(keepingCapacity: true)
    place.append(lines.current.extracting(first: placeLength))
    let refundKey = row.bytes(Column.refundKey)
    let payKey = row.bytes(Column.payKey)
    let preapprovalKey = row.bytes(Column.preapprovalKey)
    var (refundFails, payFails) = (false, false)
    repeat {
      record.lines.append(lines.current)
      record.ends.append(record.lines.count)
      if !has("UNKNOWN_FIELD", .code) {
        refundFails = refundFails || has("/refundKey", .field)
        payFails = payFails || has("/payKey", .field)
      }
      try advance()
    } while hasRowOfRecord
    record.key =
      if !refundKey.isEmpty {
        .refund(refundKey)
      } else if refundFails {
        nil
      } else if !payKey.isEmpty {
        .payment(payKey)
      } else if !payFails, !preapprovalKey.isEmpty {
        .agreement(preapprovalKey)
      } else {
        nil
      }
    return true
  }
}
