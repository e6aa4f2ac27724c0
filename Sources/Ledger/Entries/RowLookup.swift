import SQLite

/// A statement with numbers, texts and bytes to fill in: a night may look things up, or enter them, a million times.
struct RowLookup {
  private let statement: Statement

  init(_ database: Database, _ sql: String) throws { statement = try database.cachedStatement(sql: sql) }

  /// Gives the rows one by one, until one is told to be the last.
  func forEach(_ first: Int64, _ second: Int64 = 0, _ take: (Statement) throws -> Bool = { _ in true }) throws {
    statement.bind(first, at: 1)
    statement.bind(second, at: 2)
    try statement.forEach(take)
  }

  /// Fills in bytes, which stay where they are until the statement is run or filled in anew; places count from 1.
  func bind(_ bytes: UnsafeRawBufferPointer, at place: Int32, isText: Bool = false) {
    statement.bind(bytes, at: place, isText: isText)
  }
}
