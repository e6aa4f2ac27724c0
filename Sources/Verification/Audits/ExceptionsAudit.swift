import BatchRun
import Failures
import Documents
import Text

/// Audits `exceptions.csv`: every row, the order of records and errors, and the sums of the rows.
struct ExceptionsAudit: ~Copyable {
  private typealias Column = ExceptionsReport.Column

  private let log: FindingLog
  /// The names of the batch's files in order; nil if they are not known.
  private let fileNames: [[UInt8]]?
  /// The last index of each name among them.
  private let lastPlaces: [[UInt8]: Int]
  /// Whether every row could be read, so that the sums mean something.
  private(set) var isWhole = true
  /// The pay keys that earlier runs are said to have settled; kept if the batch will be settled again.
  private(set) var told: ReportedSettlements?

  private var fields = ReportRow()
  /// Whether the current record is a refund.
  private var isRefund = false
  private var before: ExceptionRow?
  /// The index of its file among the batch's files, and whether the same name occurs again after it.
  private var (file, isGivenAgain) = (0, false)

  /// - Parameter fileNames: the names of the batch's files; nil if they are not known.
  init(fileNames: [String]?, keepsTold: Bool, _ log: FindingLog) {
    self.fileNames = fileNames?.map { Array($0.utf8) }
    lastPlaces = Dictionary(zip(self.fileNames ?? [], 0...)) { _, last in last }
    told = keepsTold ? ReportedSettlements() : nil
    self.log = log
  }

  /// Audits the report's rows after its header, and adds them to the settlement's sums.
  mutating func audit(_ lines: ReportLines, into settlement: inout SettlementAudit) throws(Failure) {
    while try lines.next() {
      guard let row = read(lines) else {
        isWhole = false
        continue
      }
      if let before, isSameRecord(row, before) {
        checkSameRecord(row, before, lines.number)
      } else {
        begin(row, lines.number, &settlement)
      }
      if let reason = row.reason { settlement.totals.errors[Int(reason.rawValue)] += 1 }
      if row.reason == .alreadySettled { checkTold(row, lines.number, settlement) }
      if row.reason == .alreadyRefunded { told?.addRefund(row.refundKey) }
      if !row.refundKey.isEmpty || row.reason != .unknownField && row.field == Array("/refundKey".utf8) {
        isRefund = true
      }
      before = row
    }
    finish(&settlement)
  }

  /// Counts the record whose rows have ended. Refunds do not count in the control amounts.
  private mutating func finish(_ settlement: inout SettlementAudit) {
    guard let before else { return }
    settlement.totals.countUnsettled(before.outcome, control: isRefund ? nil : before.control)
    isRefund = false
  }

  private mutating func read(_ lines: ReportLines) -> ExceptionRow? {
    guard lines.split(into: &fields, log) else { return nil }
    do throws(RowFault) {
      return try ExceptionRow(fields)
    } catch {
      lines.note(error, in: fields, log)
      return nil
    }
  }

  private func complain(_ number: Int, _ column: Column, expected: String? = nil, _ reason: String) {
    log.add(
      .exceptions, line: number, column, found: MessageText.text(fields.bytes(column)), expected: expected, reason)
  }

  /// Takes a row that says that an earlier run settled the pay key.
  private mutating func checkTold(_ row: ExceptionRow, _ number: Int, _ settlement: borrowing SettlementAudit) {
    // If so, all payments with the key are rejected.
    if settlement.keys.contains(row.payKey.span) {
      complain(number, .payKey, "another payment with the same pay key is not rejected")
    }
    told?.add(row.payKey.span)
  }

  // MARK: Records

  private func isSameRecord(_ row: ExceptionRow, _ before: ExceptionRow) -> Bool {
    guard row.line == before.line, row.file == before.file else { return false }
    // A file that is given twice has its lines twice; then its errors begin again.
    return !isGivenAgain || row.outcome == .rejected && before.outcome == .rejected && isErrorOrder(before, row)
  }

  /// Whether the error of one row comes before that of another.
  private func isErrorOrder(_ before: ExceptionRow, _ row: ExceptionRow) -> Bool {
    guard let reason = before.reason, let next = row.reason else { return false }
    return reason < next || reason == next && before.field.lexicographicallyPrecedes(row.field)
  }

  private mutating func begin(_ row: ExceptionRow, _ number: Int, _ settlement: inout SettlementAudit) {
    finish(&settlement)
    checkOrder(row, number)
    isGivenAgain = lastPlaces[row.file, default: 0] > file
    // Of the payments with a key, all except the first are rejected.
    if row.outcome != .rejected, !settlement.keys.insert(row.payKey.span) {
      complain(number, .payKey, "an earlier payment that is not rejected has the same pay key")
    }
  }

  /// Checks that a new record comes after the previous one, in the order of the files and of the lines in each.
  private mutating func checkOrder(_ row: ExceptionRow, _ number: Int) {
    let isSameFile = row.file == before?.file
    if isSameFile, let before, row.line > before.line {
      if row.offset <= before.offset { complain(number, .offset, "later lines have larger offsets") }
      return
    }
    // Another file, or the same file given again.
    guard let fileNames else { return }
    let from = isSameFile ? file + 1 : file
    guard let last = lastPlaces[row.file] else { return complain(number, .file, "summary.json names no such file") }
    guard last >= from else { return complain(number, .line, "rows are in batch order") }
    file = fileNames[from...last].firstIndex(of: row.file) ?? last
  }

  private func checkSameRecord(_ row: ExceptionRow, _ before: ExceptionRow, _ number: Int) {
    let reason = "the row before is about the same record"
    if row.offset != before.offset { complain(number, .offset, expected: "\(before.offset)", reason) }
    if row.payKey != before.payKey {
      complain(number, .payKey, expected: MessageText.identifier(before.payKey), reason)
    }
    if row.outcome != .rejected || before.outcome != .rejected {
      complain(number, .outcome, "only rejected records have more than one row")
    }
    if row.control?.currency != before.control?.currency {
      complain(number, .currency, expected: before.control?.currency.code ?? "", reason)
    } else if row.control?.amount != before.control?.amount {
      complain(number, .amount, expected: before.control?.amount.description ?? "", reason)
    }
    guard let error = before.reason, let next = row.reason else { return }
    if error.isStructural || next.isStructural {
      complain(number, .code, "a structural error is a record's only one")
    } else if next < error {
      complain(number, .code, "errors are in the order of the error table")
    } else if !isErrorOrder(before, row), next != .unknownField || row.field != before.field {
      complain(
        number, .field,
        row.field == before.field ? "the row before has the same error" : "rows of one error are sorted by field")
    }
  }
}
