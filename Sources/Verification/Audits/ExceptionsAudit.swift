import BatchRun
import ExactArithmetic
import Glibc
import Money
import Payments
import Settlement

/// Goes through `exceptions.csv`: every row, the order of records and errors, and what the rows add up to.
struct ExceptionsAudit: ~Copyable {
  private static let columns = ReportColumns.exceptions

  private let log: FindingLog
  /// The names of the batch's files in their order; nil where they cannot be told.
  private let fileNames: [[UInt8]]?
  /// The last place of each name among them.
  private let lastPlaces: [[UInt8]: Int]
  private var file = 0
  /// The rows read, the header not among them.
  private(set) var rows = 0
  /// Whether every row could be read, so that the sums mean something.
  private(set) var isWhole = true

  /// The pay keys that earlier runs are said to have settled; kept where the batch is to be settled again.
  private(set) var told: ToldSettlements?

  private var row = ExceptionRow()
  // The record that the rows before belong to.
  private var hasRecord = false
  private var fileName: [UInt8] = []
  private var isGivenAgain = false
  private var line = 0
  private var offset = 0
  private var payKey: [UInt8] = []
  private var outcome = Outcome.rejected
  private var reason: RejectionReason?
  private var field: [UInt8] = []
  private var control: (currency: Currency, amount: ExactDecimal)?

  init(fileNames: [[UInt8]]?, keepsTold: Bool, _ log: FindingLog) {
    self.fileNames = fileNames
    lastPlaces = Dictionary(zip(fileNames ?? [], 0...)) { _, last in last }
    told = keepsTold ? ToldSettlements() : nil
    self.log = log
  }

  /// Goes through the report's rows, its header taken already, and adds what they tell to the settlement's sums.
  mutating func audit(_ lines: ReportLines, into settlement: inout SettlementAudit) throws(RunFailure) {
    while try lines.next() {
      rows += 1
      guard lines.isProperLine(log), read(lines) else {
        isWhole = false
        continue
      }
      if isSameRecord {
        checkSameRecord(lines.number)
      } else {
        finishRecord(&settlement)
        beginRecord(lines.number, &settlement)
      }
      if let reason = row.reason { settlement.totals.countError(reason) }
      if row.reason == .alreadySettled { takeTold(lines.number, settlement) }
      reason = row.reason
      field = Array(row.field)
    }
    finishRecord(&settlement)
  }

  /// Takes a row by which an earlier run settled the pay key.
  private mutating func takeTold(_ number: Int, _ settlement: borrowing SettlementAudit) {
    guard let key = row.payKey.baseAddress else { return }
    // Then all payments with the key are rejected.
    if settlement.keys.contains(key, count: row.payKey.count) {
      complain(number, 3, "another payment with the same pay key is not rejected")
    }
    if let run = row.earlierRun { told?.add(key, count: row.payKey.count, run: run) }
  }

  private mutating func read(_ lines: ReportLines) -> Bool {
    guard row.split(lines.line, count: lines.length) else {
      log.add(lines.finding("is no row of \(Self.columns.names.count) fields"))
      return false
    }
    do throws(ExceptionRow.Fault) {
      try row.read()
      return true
    } catch {
      complain(lines.number, error.column, error.reason)
      return false
    }
  }

  private func complain(_ number: Int, _ column: Int, expected: String? = nil, _ reason: String) {
    log.add(
      ReportFinding(
        Self.columns.file, line: number, field: Self.columns.names[column], found: ShownField.text(row.text(column)),
        expected: expected, reason))
  }

  // MARK: Records

  /// Whether the row is of the record that the row before is of.
  private var isSameRecord: Bool {
    guard hasRecord, row.line == line, row.file.elementsEqual(fileName) else { return false }
    // A file that is given twice has its lines twice; then errors begin anew.
    return !isGivenAgain || row.outcome == .rejected && outcome == .rejected && errorFollows
  }

  /// Whether the row's error stands behind that of the row before.
  private var errorFollows: Bool {
    guard let reason, let next = row.reason else { return false }
    return reason < next || reason == next && field.lexicographicallyPrecedes(row.field)
  }

  private mutating func beginRecord(_ number: Int, _ settlement: inout SettlementAudit) {
    checkOrder(number)
    hasRecord = true
    if !row.file.elementsEqual(fileName) { fileName = Array(row.file) }
    isGivenAgain = lastPlaces[fileName, default: 0] > file
    line = row.line
    offset = row.offset
    payKey = Array(row.payKey)
    outcome = row.outcome
    control = row.control
    // Of the payments with a key only the first can be anything but rejected.
    if outcome != .rejected, let start = row.payKey.baseAddress,
      !settlement.keys.insert(start, count: row.payKey.count)
    {
      complain(number, 3, "an earlier payment that is not rejected has the same pay key")
    }
  }

  private mutating func finishRecord(_ settlement: inout SettlementAudit) {
    if hasRecord { settlement.totals.countUnsettled(outcome, control: control) }
    hasRecord = false
  }

  /// Whether a new record stands behind the one before, in the order of the files and of the lines in each.
  private mutating func checkOrder(_ number: Int) {
    guard hasRecordBefore, row.file.elementsEqual(fileName), row.line > line else {
      // Another file, or the same one given once more.
      guard let fileNames else { return }
      let from = hasRecordBefore && row.file.elementsEqual(fileName) ? file + 1 : file
      guard let last = lastPlaces[Array(row.file)] else {
        return complain(number, 0, "summary.json names no such file")
      }
      guard last >= from else { return complain(number, 1, "rows stand in batch order") }
      file = fileNames[from...last].firstIndex { row.file.elementsEqual($0) } ?? last
      return
    }
    if row.offset <= offset { complain(number, 2, "later lines have larger offsets") }
  }

  private var hasRecordBefore: Bool { line > 0 }

  private func checkSameRecord(_ number: Int) {
    let before = "the row before is of the same record"
    if row.offset != offset { complain(number, 2, expected: "\(offset)", before) }
    if !row.payKey.elementsEqual(payKey) {
      complain(number, 3, expected: payKey.withUnsafeBufferPointer { ShownField.identifier($0) }, before)
    }
    if row.outcome != .rejected || outcome != .rejected {
      complain(number, 4, "only rejected records have more than one row")
    }
    if row.control?.currency != control?.currency {
      complain(number, 7, expected: control?.currency.code ?? "", before)
    } else if row.control?.amount != control?.amount {
      complain(number, 8, expected: control.map { ShownField.amount($0.amount) } ?? "", before)
    }
    guard let reason, let next = row.reason else { return }
    if reason.isStructural || next.isStructural { complain(number, 5, "a structural error is a record's only one") }
    if next < reason { return complain(number, 5, "errors stand in the order of the error table") }
    guard !errorFollows else { return }
    complain(
      number, 6,
      row.field.elementsEqual(field) ? "the row before has the same error" : "rows of one error are sorted by field")
  }
}
