/// A row of a query, independent of its statement.
package struct Row: Sendable {
  /// The columns in their order.
  package let columns: [(name: String, value: StoredValue)]

  init(_ statement: Statement, names: [String]) {
    columns = names.enumerated().map { ($1, statement.value(Int32($0))) }
  }

  /// Whether there is a column with a name.
  package func hasColumn(_ name: String) -> Bool { columns.contains { $0.name == name } }

  /// The value of a column; a missing column is null. Throws if it is of another kind.
  package func value<Value: DatabaseValue>(_ name: String) throws -> Value {
    try Self.read(columns.first { $0.name == name }?.value ?? .null)
  }

  func value<Value: DatabaseValue>(at place: Int) throws -> Value { try Self.read(columns[place].value) }

  private static func read<Value: DatabaseValue>(_ stored: StoredValue) throws -> Value {
    guard let value = Value(stored) else { throw UnexpectedValue() }
    return value
  }

  /// The first row of a query, or nil.
  package static func fetchOne(
    _ database: Database, sql: String, arguments: [any DatabaseValue] = []
  ) throws(DatabaseError) -> Row? {
    let statement = try database.cachedStatement(sql: sql)
    defer { statement.reset() }
    try statement.bind(arguments)
    return try statement.step() ? Row(statement, names: statement.columnNames) : nil
  }

  /// All rows of a query.
  package static func fetchAll(
    _ database: Database, sql: String, arguments: [any DatabaseValue] = []
  ) throws(DatabaseError) -> [Row] {
    let statement = try database.cachedStatement(sql: sql)
    defer { statement.reset() }
    try statement.bind(arguments)
    var rows: [Row] = []
    // Known only once it runs: SQLite compiles it again if the tables have changed.
    var names: [String]?
    while try statement.step() {
      names = names ?? statement.columnNames
      rows.append(Row(statement, names: names!))
    }
    return rows
  }
}
