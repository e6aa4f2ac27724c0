import Accounts
import Console
import ExactArithmetic
import Failures
import JSON
import Money
import Documents

/// Rows of `settle waiting` for programs.
enum WaitingText {
  private typealias Column = ExceptionsReport.Column

  /// The columns of `exceptions.csv`, after run and day.
  private static let columns: [Column] = [
    .file, .line, .payKey, .refundKey, .preapprovalKey, .outcome, .code, .field, .currency, .amount, .message,
  ]

  static let header = (["run", "day"] + columns.map(\.name)).joined(separator: ",")

  @Sendable static func appendCSV(_ text: inout [UInt8], _ night: WaitingRecords.Night, _ record: WaitingRecord) {
    let start = Array("\(night.run.number),\(night.day.text)".utf8)
    record.forEachRow { row in
      text += start
      // A field is quoted as in exceptions.csv.
      for column in columns {
        text.append(UInt8(ascii: ","))
        text.append(row[column])
      }
      text.append(UInt8(ascii: "\n"))
    }
  }

  @Sendable static func appendJSON(_ text: inout [UInt8], _ night: WaitingRecords.Night, _ record: WaitingRecord) {
    record.forEachRow { row in
      let fields = columns.map { column -> (String, JSONTree) in
        let value = plain(row, column)
        if column == .line { return (column.name, .number(value)) }
        return (column.name, value.isEmpty ? .null : .string(value))
      }
      let all: [(String, JSONTree)] = [("run", .number(night.run.number)), ("day", .string(night.day.text))] + fields
      text += JSONTree.object(all).description.utf8
      text.append(UInt8(ascii: "\n"))
    }
  }

  /// A field without quotes.
  static func plain(_ row: ReportRow, _ column: ExceptionsReport.Column) -> [UInt8] {
    ReportField.unquoted(row[column]) ?? row.bytes(column)
  }
}

/// What `settle waiting` shows to people: a line for each record, then counts by outcome and sums by currency.
enum WaitingTable {
  private typealias Column = ExceptionsReport.Column

  /// What one night has.
  private struct Night: Sendable {
    var rows: [[String]] = []
    var outcomes: [String: Int] = [:]
    var sums: [Currency: (records: Int, sum: ExactDecimal)] = [:]
  }

  static func show(_ waiting: WaitingRecords) throws(Failure) {
    var total = Night()
    try waiting.forEach(Night(), add: add) { night throws(Failure) in
      if !night.rows.isEmpty {
        let heading = ["run", "day", "key", "outcome", "code", "amount"]
        // A record without an amount leaves no spaces at the end of its line.
        let table = ClosingTable.table(heading, night.rows, texts: 5).map { line in
          String(line[...(line.lastIndex { $0 != " " } ?? line.startIndex)])
        }
        try Terminal.emit(total.outcomes.isEmpty ? table : [""] + table)
      }
      total.outcomes.merge(night.outcomes, uniquingKeysWith: +)
      total.sums.merge(night.sums) { ($0.records + $1.records, $0.sum + $1.sum) }
    }
    guard !total.outcomes.isEmpty else { return try Terminal.emit(["Nothing waits."]) }
    let counts = total.outcomes.sorted { $0.key < $1.key }.map { [$0.key, "\($0.value)"] }
    let sums = total.sums.sorted { $0.key < $1.key }.map { currency, sum in
      [currency.code, "\(sum.records)", ClosingTable.grouped(sum.sum)]
    }
    try Terminal.emit(
      [""] + ClosingTable.table(["outcome", "records"], counts)
        + (sums.isEmpty ? [] : [""] + ClosingTable.table(["currency", "records", "amount"], sums)))
  }

  @Sendable private static func add(
    _ night: inout Night, _ run: WaitingRecords.Night, _ record: WaitingRecord
  ) {
    var isFirst = true
    record.forEachRow { row in
      guard isFirst else { return }
      isFirst = false
      func text(_ column: Column) -> String { String(decoding: WaitingText.plain(row, column), as: UTF8.self) }
      // A record without a key is found by its line.
      let key = record.key.map { String(decoding: $0.text, as: UTF8.self) } ?? "\(text(.file)):\(text(.line))"
      let (outcome, amount) = (text(.outcome), text(.amount))
      night.outcomes[outcome, default: 0] += 1
      let shown = amount.isEmpty ? "" : "\(ClosingTable.grouped(amount)) \(text(.currency))"
      night.rows.append(["\(run.run.number)", run.day.text, key, outcome, text(.code), shown])
      guard let currency = Currency(code: text(.currency)), let figure = ExactDecimal(amount) else { return }
      let sum = night.sums[currency] ?? (0, .zero)
      night.sums[currency] = (sum.records + 1, sum.sum + figure)
    }
  }
}
