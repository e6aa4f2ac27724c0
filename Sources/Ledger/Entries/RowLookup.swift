import GRDB
import GRDBSQLite

/// A statement with at most two numbers to fill in, run by SQLite's own functions: a night may look things up a million
/// times.
struct RowLookup {
  private let statement: Statement

  init(_ database: Database, _ sql: String) throws { statement = try database.cachedStatement(sql: sql) }

  /// Gives the rows one by one, until one is told to be the last.
  func forEach(_ first: Int64, _ second: Int64 = 0, _ take: (LookupRow) throws -> Bool = { _ in true }) throws {
    let pointer = statement.sqliteStatement
    defer { sqlite3_reset(pointer) }
    sqlite3_bind_int64(pointer, 1, first)
    sqlite3_bind_int64(pointer, 2, second)
    while true {
      switch sqlite3_step(pointer) {
      case SQLITE_ROW: if try !take(LookupRow(statement: pointer)) { return }
      case SQLITE_DONE: return
      case let code: throw DatabaseError(resultCode: ResultCode(rawValue: code))
      }
    }
  }
}

/// A row of a lookup, while it is given; columns count from 0.
struct LookupRow {
  fileprivate let statement: SQLiteStatement

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  func number(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
  }

  func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
}
