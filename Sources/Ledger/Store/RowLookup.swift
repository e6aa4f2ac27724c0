import SQLite

/// A statement whose numbers, texts and bytes are bound for each use: a night may look up or enter a million rows.
struct RowLookup {
  private let statement: Statement

  init(_ database: Database, _ sql: String) throws { statement = try database.cachedStatement(sql: sql) }

  /// Passes on the rows one by one, until `take` returns false.
  func forEach(_ first: Int64, _ second: Int64 = 0, _ take: (Statement) throws -> Bool = { _ in true }) throws {
    statement.bind(first, at: 1)
    statement.bind(second, at: 2)
    try statement.forEach(take)
  }

  /// Binds bytes; places count from 1.
  func bind(_ bytes: Span<UInt8>, at place: Int32, isText: Bool = false) {
    statement.bind(bytes, at: place, isText: isText)
  }
}
