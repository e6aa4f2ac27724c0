import JSON
import Text

/// A column of a list.
struct ListColumn<Row>: Sendable {
  /// Its name in CSV, and its key in JSON; nil if only tables have it.
  let name: String?
  /// Its heading in tables; nil if only programs get it.
  let title: String?
  /// Whether tables align it to the right.
  let isFigure: Bool
  /// What tables show for an absent value.
  let absent: String
  /// Its value in a row.
  let cell: @Sendable (Row) -> ListCell

  /// A column of tables, CSV and JSON.
  ///
  /// - Parameters:
  ///   - title: its heading in tables, if that is not its name; nil if only programs get it.
  ///   - isFigure: whether tables align it to the right; by default they do so with figures.
  init<Value: ListValue>(
    _ name: String?, title: String?, isFigure: Bool? = nil, absent: String = "",
    _ value: @escaping @Sendable (Row) -> Value
  ) {
    (self.name, self.title, self.absent) = (name, title, absent)
    self.isFigure = isFigure ?? Value.isFigure
    cell = { value($0).cell }
  }

  /// A column whose heading in tables is its name.
  init<Value: ListValue>(_ name: String, absent: String = "", _ value: @escaping @Sendable (Row) -> Value) {
    self.init(name, title: name, absent: absent, value)
  }

  /// A column that only tables have.
  init<Value: ListValue>(
    title: String, isFigure: Bool? = nil, absent: String = "", _ value: @escaping @Sendable (Row) -> Value
  ) {
    self.init(nil, title: title, isFigure: isFigure, absent: absent, value)
  }
}

/// What is shown of rows of one kind: as a table for people, as CSV, and as JSON Lines.
struct Listing<Row>: Sendable {
  private let named: [(name: [UInt8], column: ListColumn<Row>)]
  private let titled: [(title: String, column: ListColumn<Row>)]

  init(_ columns: [ListColumn<Row>]) {
    named = columns.compactMap { column in column.name.map { (Array($0.utf8), column) } }
    titled = columns.compactMap { column in column.title.map { ($0, column) } }
  }

  /// The fields of a row's JSON object.
  func fields(_ row: Row) -> [(String, JSONTree)] {
    named.map { (String(decoding: $0.name, as: UTF8.self), $0.column.cell(row).tree) }
  }

  /// A JSON object for each row.
  func array(_ rows: [Row]) -> JSONTree { .array(rows.map { .object(fields($0)) }) }

  /// Appends a row as a line of JSON.
  func appendJSON(_ row: Row, to text: inout TextBuffer) {
    for (place, (name, column)) in named.enumerated() {
      text.append(place == 0 ? "{" : ",")
      JSONText.append(name.span, to: &text)
      text.append(":")
      column.cell(row).appendJSON(to: &text)
    }
    text.append("}\n")
  }

  /// The names of the columns as a line of CSV.
  var header: String { named.map { String(decoding: $0.name, as: UTF8.self) }.joined(separator: ",") + "\n" }

  /// Appends a row as a line of CSV.
  func appendCSV(_ row: Row, to text: inout TextBuffer) {
    for (place, (_, column)) in named.enumerated() {
      if place > 0 { text.append(",") }
      column.cell(row).appendCSV(to: &text)
    }
    text.append("\n")
  }

  /// A table without rows, to which ``cells(_:)`` are added.
  var table: Table { Table(titled.map(\.title), isFigure: titled.map(\.column.isFigure)) }

  /// A row of a table.
  func cells(_ row: Row) -> [String] { titled.map { $0.column.cell(row).shown ?? $0.column.absent } }

  /// A table of rows, with its heading.
  func table(_ rows: [Row]) -> [String] {
    Table.lines(titled.map(\.title), rows.map(cells), isFigure: titled.map(\.column.isFigure))
  }
}
