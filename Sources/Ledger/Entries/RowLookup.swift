import GRDB
import GRDBSQLite

/// A statement with numbers, texts and bytes to fill in, run by SQLite's own functions: a night may look things up, or
/// enter them, a million times.
struct RowLookup {
  private let statement: Statement

  init(_ database: Database, _ sql: String) throws { statement = try database.cachedStatement(sql: sql) }

  /// Gives the rows one by one, until one is told to be the last.
  func forEach(_ first: Int64, _ second: Int64 = 0, _ take: (LookupRow) throws -> Bool = { _ in true }) throws {
    let pointer = statement.sqliteStatement
    defer { sqlite3_reset(pointer) }
    bind(first, at: 1)
    bind(second, at: 2)
    while true {
      switch sqlite3_step(pointer) {
      case SQLITE_ROW: if try !take(LookupRow(statement: pointer)) { return }
      case SQLITE_DONE: return
      case let code: throw DatabaseError(resultCode: ResultCode(rawValue: code))
      }
    }
  }

  /// Fills in a number; places count from 1.
  func bind(_ number: Int64, at place: Int32) { sqlite3_bind_int64(statement.sqliteStatement, place, number) }

  /// Fills in bytes, which stay where they are until the statement is run or filled in anew.
  func bind(_ bytes: UnsafeRawBufferPointer, at place: Int32, isText: Bool = false) {
    let (start, count) = (bytes.baseAddress, Int32(bytes.count))
    if isText {
      sqlite3_bind_text(statement.sqliteStatement, place, start?.assumingMemoryBound(to: CChar.self), count, nil)
    } else {
      sqlite3_bind_blob(statement.sqliteStatement, place, start, count, nil)
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
