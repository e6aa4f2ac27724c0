import Failures
import Records
import Rules
import Documents

/// The rows of `exceptions.csv`: all are counted; the first ones and some of each code are kept.
struct ListedExceptions {
  /// A row that is listed.
  struct Row {
    /// The index of the file in the batch.
    let file: Int
    let line: Int
    let payKey: String
    let outcome: Outcome
    /// The error; nil for a pending or held payment.
    let reason: RejectionReason?
    let field: String
    /// The currency's code and the amount as written; nil if the row has no amount.
    let amount: (currency: String, text: String)?
    let message: String
  }

  /// The number of rows in the report.
  private(set) var count = 0
  /// The number of errors by reason, listed or not; a rejected record may have several.
  private(set) var errors: [RejectionReason: Int] = [:]
  /// The number of pending and of held payments.
  private(set) var waiting: [Outcome: Int] = [:]
  /// The listed rows, in the order of the report.
  private(set) var rows: [Row] = []

  /// Reads `exceptions.csv`.
  init(_ report: ReportRows, files: [String]) throws(Failure) {
    let files = files.map { Array($0.utf8) }
    let places = Dictionary(zip(files, 0...)) { first, _ in first }
    // The file of the row before, which is nearly always this row's file too.
    var file = 0
    while try report.next() {
      let row = try report.exception()
      if row.file != files[file], let place = places[row.file] { file = place }
      guard row.file == files[file] else { throw report.fault("names a file that is not the batch's") }
      add(row, file: file)
    }
  }

  private mutating func add(_ row: ExceptionRow, file: Int) {
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

  /// Counts a row, and returns how many rows of its kind there are so far.
  private mutating func count(_ row: ExceptionRow) -> Int {
    if let reason = row.reason { return Self.increased(&errors[reason, default: 0]) }
    return Self.increased(&waiting[row.outcome, default: 0])
  }

  private static func increased(_ count: inout Int) -> Int {
    count += 1
    return count
  }
}
