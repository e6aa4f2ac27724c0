import BatchRun
import Payments
import Settlement
import Verification

/// The rows of `exceptions.csv`: all of them counted, the first ones and some of each code kept.
struct ListedExceptions {
  /// A row that is listed.
  struct Row {
    /// The file's place in the batch.
    let file: Int
    let line: Int
    let payKey: String
    let outcome: Outcome
    /// The error; nil for a pending or held payment.
    let reason: RejectionReason?
    let field: String
    /// The currency's code and the amount as it stands; nil where no amount can be told.
    let amount: (currency: String, text: String)?
    let message: String
  }
  /// How many there are, listed or not.
  struct Counts {
    /// Errors; a rejected record may have several.
    var errors: [RejectionReason: Int] = [:]
    var pending = 0
    var held = 0
  }

  /// The rows of the report.
  private(set) var count = 0
  private(set) var counts = Counts()
  /// What is listed, in the order of the report.
  private(set) var rows: [Row] = []

  /// Reads `exceptions.csv`.
  init(_ lines: ReportLines, files: [[UInt8]], shownFolder: String) throws(RunFailure) {
    let log = FindingLog()
    try lines.takeHeader(.exceptions, log)
    let places = Dictionary(zip(files, 0...)) { first, _ in first }
    var row = ExceptionRow()
    // The file of the row before, which is nearly always the row's own.
    var file = 0
    while try lines.next() {
      guard lines.isProperLine(log) else { break }
      do throws(Fault) {
        try Self.read(lines, &row)
        if !row.file.elementsEqual(files[file]) {
          guard let place = places[Array(row.file)] else { throw Fault(reason: "names a file that is not the batch's") }
          file = place
        }
      } catch {
        throw .inputOutput("\(shownFolder)/\(lines.name):\(lines.number): \(error.reason)")
      }
      add(row, file: file)
    }
    try PublishedReports.refuse(log, shownFolder)
  }

  private struct Fault: Error { let reason: String }

  private static func read(_ lines: ReportLines, _ row: inout ExceptionRow) throws(Fault) {
    let names = ReportColumns.exceptions.names
    guard row.split(lines.line, count: lines.length) else { throw Fault(reason: "is no row of \(names.count) fields") }
    do throws(ExceptionRow.Fault) {
      try row.read()
    } catch {
      throw Fault(reason: "\(names[error.column]): \(error.reason)")
    }
  }

  private mutating func add(_ row: borrowing ExceptionRow, file: Int) {
    count += 1
    let ofCode = count(row)
    guard count <= ReportPage.mostExceptions || ofCode <= ReportPage.exceptionsOfEachCode else { return }
    rows.append(
      Row(
        file: file, line: row.line, payKey: String(decoding: row.payKey, as: UTF8.self), outcome: row.outcome,
        reason: row.reason, field: String(decoding: row.field, as: UTF8.self),
        amount: row.control.map { ($0.currency.code, $0.amount.description) },
        message: String(decoding: row.message, as: UTF8.self)))
  }

  /// Counts a row; how many there are of its kind now.
  private mutating func count(_ row: borrowing ExceptionRow) -> Int {
    switch row.outcome {
    case .pending:
      counts.pending += 1
      return counts.pending
    case .held:
      counts.held += 1
      return counts.held
    case .rejected, .settled:
      guard let reason = row.reason else { return 0 }
      counts.errors[reason, default: 0] += 1
      return counts.errors[reason, default: 0]
    }
  }
}
