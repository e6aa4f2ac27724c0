import Console
import ExactArithmetic
import Failures
import JSON
import Text

/// A column of a list.
struct ListColumn<Row>: Sendable {
  /// Its name in CSV, and its key in JSON; nil if it is for tables alone.
  let name: String?
  /// Its heading in tables; nil if it is for programs alone.
  let title: String?
  let kind: ListKind
  /// What tables show for an absent value.
  let absent: String
  /// Its value in a row.
  let value: @Sendable (Row) -> JSONTree

  /// A column of tables, CSV and JSON.
  ///
  /// - Parameters:
  ///   - title: its heading in tables, if that is not its name; nil if only programs get it.
  ///   - kind: how tables show it; by default as its type.
  init<Value: ListValue>(
    _ name: String?, title: String?, kind: ListKind? = nil, absent: String = "",
    _ value: @escaping @Sendable (Row) -> Value
  ) {
    (self.name, self.title, self.absent) = (name, title, absent)
    self.kind = kind ?? Value.kind
    self.value = { value($0).tree }
  }

  /// A column whose heading in tables is its name.
  init<Value: ListValue>(_ name: String, absent: String = "", _ value: @escaping @Sendable (Row) -> Value) {
    self.init(name, title: name, absent: absent, value)
  }

  /// A column that only tables have.
  init<Value: ListValue>(
    title: String, kind: ListKind? = nil, absent: String = "", _ value: @escaping @Sendable (Row) -> Value
  ) {
    self.init(nil, title: title, kind: kind, absent: absent, value)
  }

  fileprivate func shown(_ row: Row) -> String {
    switch value(row) {
    case .string(let text), .number(let text):
      kind == .amount ? ExactDecimal.grouped(text) : MessageText.escapedName(text)
    case .null: absent
    case let tree: tree.description
    }
  }

  fileprivate func appendCSV(_ row: Row, to text: inout TextBuffer) {
    switch value(row) {
    case .string(let field): CSV.append(field.span, to: &text)
    case .null: break
    case let tree: tree.write(to: &text)
    }
  }
}

/// What is shown of rows of one kind: as a table for people, as CSV, and as JSON Lines.
struct Listing<Row>: Sendable {
  private let named: [(name: String, column: ListColumn<Row>)]
  private let titled: [(title: String, column: ListColumn<Row>)]

  init(_ columns: [ListColumn<Row>]) {
    named = columns.compactMap { column in column.name.map { ($0, column) } }
    titled = columns.compactMap { column in column.title.map { ($0, column) } }
  }

  /// The fields of a row's JSON object.
  func fields(_ row: Row) -> [(String, JSONTree)] { named.map { ($0.name, $0.column.value(row)) } }

  /// A JSON object for each row.
  func array(_ rows: [Row]) -> JSONTree { .array(rows.map { .object(fields($0)) }) }

  /// Appends a row as a line of JSON.
  func appendJSON(_ row: Row, to text: inout TextBuffer) {
    JSONTree.object(fields(row)).write(to: &text)
    text.append("\n")
  }

  /// The names of the columns as a line of CSV.
  var header: String { named.map(\.name).joined(separator: ",") + "\n" }

  /// Appends a row as a line of CSV.
  func appendCSV(_ row: Row, to text: inout TextBuffer) {
    for (place, (_, column)) in named.enumerated() {
      if place > 0 { text.append(",") }
      column.appendCSV(row, to: &text)
    }
    text.append("\n")
  }

  /// Writes rows to standard output.
  func emit(_ rows: some Sequence<Row>, as format: ListFormat) throws(Failure) {
    var table = table
    if format == .table { for row in rows { table.widen(for: cells(row)) } }
    var text = TextBuffer(capacity: 1 << 17)
    switch format {
    case .table: text.append(table.head + "\n")
    case .csv: text.append(header)
    case .jsonl: break
    }
    for row in rows {
      switch format {
      case .table: text.append(table.line(cells(row)) + "\n")
      case .csv: appendCSV(row, to: &text)
      case .jsonl: appendJSON(row, to: &text)
      }
      guard text.count > 1 << 16 else { continue }
      try Terminal.emit(text.span)
      text.removeAll()
    }
    try Terminal.emit(text.span)
  }

  /// A table without rows, to which ``cells(_:)`` are added.
  var table: Table { Table(titled.map(\.title), isFigure: titled.map { $0.column.kind != .text }) }

  /// A row of a table.
  func cells(_ row: Row) -> [String] { titled.map { $0.column.shown(row) } }

  /// A table of rows, with its heading.
  func table(_ rows: [Row]) -> [String] { table.lines(rows.map(cells)) }
}
