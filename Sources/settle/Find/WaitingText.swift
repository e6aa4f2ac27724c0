import Accounts
import Console
import Documents
import ExactArithmetic
import Failures
import JSON
import Money

/// A row of `exceptions.csv` of a record that still waits: run and day, then its columns.
struct WaitingRow {
  private typealias Column = ExceptionsReport.Column

  let night: WaitingRecords.Night
  let row: ReportRow

  /// A field without quotes.
  fileprivate func plain(_ column: ExceptionsReport.Column) -> [UInt8] {
    ReportField.unquoted(row[column]) ?? row.bytes(column)
  }

  fileprivate func text(_ column: ExceptionsReport.Column) -> String { String(decoding: plain(column), as: UTF8.self) }

  static let columns = Listing<WaitingRow>(
    [
      ListColumn("run") { $0.night.run.number },
      ListColumn("day") { $0.night.day.text },
      ListColumn("file") { $0.plain(.file) },
      ListColumn("line") { JSONTree.number($0.plain(.line)) },
    ]
      + [
        Column.payKey, .refundKey, .preapprovalKey, .outcome, .code, .field, .currency, .amount, .message,
      ].map { column in ListColumn(column.name) { $0.plain(column) } })
}

/// A record that still waits, for people.
private struct WaitingLine: Sendable {
  let run: Int
  let day: String
  /// A record without a key is found by its line.
  let key: String
  let outcome: String
  let code: String
  let amount: ExactDecimal?
  let currency: String

  /// - Parameter row: the first of the record.
  init(_ row: WaitingRow, _ key: WaitingKey?) {
    (run, day) = (row.night.run.number, row.night.day.text)
    self.key = key.map { String(decoding: $0.text, as: UTF8.self) } ?? "\(row.text(.file)):\(row.text(.line))"
    (outcome, code, currency) = (row.text(.outcome), row.text(.code), row.text(.currency))
    amount = ExactDecimal(row.text(.amount))
  }

  static let columns = Listing<WaitingLine>([
    ListColumn(title: "run", kind: .text) { $0.run },
    ListColumn(title: "day") { $0.day },
    ListColumn(title: "key") { $0.key },
    ListColumn(title: "outcome") { $0.outcome },
    ListColumn(title: "code") { $0.code },
    ListColumn(title: "amount", kind: .number) { line in line.amount.map { "\($0.grouped) \(line.currency)" } },
  ])
}

/// What `settle waiting` shows to people: a line for each record, then counts by outcome and sums by currency.
enum WaitingTable {
  /// What one night left waiting; or all nights together, without lines.
  private struct Night: Sendable {
    var lines: [WaitingLine] = []
    var outcomes: [String: Int] = [:]
    var sums: [Currency: (records: Int, sum: ExactDecimal)] = [:]
  }

  static func show(_ waiting: WaitingRecords) throws(Failure) {
    var total = Night()
    try waiting.forEach(Night(), add: add) { night throws(Failure) in
      if !night.lines.isEmpty {
        // A record without an amount leaves no spaces at the end of its line.
        let table = WaitingLine.columns.table(night.lines).map { line in
          String(line[...(line.lastIndex { $0 != " " } ?? line.startIndex)])
        }
        try Terminal.emit(total.outcomes.isEmpty ? table : [""] + table)
      }
      total.outcomes.merge(night.outcomes, uniquingKeysWith: +)
      total.sums.merge(night.sums) { ($0.records + $1.records, $0.sum + $1.sum) }
    }
    guard !total.outcomes.isEmpty else { return try Terminal.emit(["Nothing waits."]) }
    let counts = total.outcomes.sorted { $0.key < $1.key }.map { [$0.key, "\($0.value)"] }
    let sums = total.sums.sorted { $0.key < $1.key }.map { [$0.key.code, "\($0.value.records)", $0.value.sum.grouped] }
    try Terminal.emit(
      [""] + Table.lines(["outcome", "records"], counts)
        + (sums.isEmpty ? [] : [""] + Table.lines(["currency", "records", "amount"], sums)))
  }

  @Sendable private static func add(_ sums: inout Night, _ night: WaitingRecords.Night, _ record: WaitingRecord) {
    var first: WaitingLine?
    record.forEachRow { row in
      if first == nil { first = WaitingLine(WaitingRow(night: night, row: row), record.key) }
    }
    guard let first else { return }
    sums.lines.append(first)
    sums.outcomes[first.outcome, default: 0] += 1
    guard let currency = Currency(code: first.currency), let amount = first.amount else { return }
    let sum = sums.sums[currency] ?? (0, .zero)
    sums.sums[currency] = (sum.records + 1, sum.sum + amount)
  }
}
