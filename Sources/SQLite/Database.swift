import CSQLite

/// A connection to an SQLite database, for one thread at a time.
///
/// A thin layer over SQLite's C interface. Anything not mentioned here is SQLite's own behavior.
///
/// (Unsafe: the connection is closed once, by `close`; statements that still exist keep it alive.)
@safe
package final class Database {
  private let connection: OpaquePointer
  private var statements: [String: Statement] = [:]
  private var isClosed = false
  /// What messages call it; nil if the caller adds that.
  package let name: String?

  /// Opens a database, and creates the file if it does not exist, unless it is opened read-only.
  ///
  /// - Parameters:
  ///   - name: what messages call it.
  ///   - busyTimeout: the milliseconds to wait for another connection's lock.
  package init(
    path: String, name: String? = nil, isReadOnly: Bool = false, busyTimeout: Int32 = 0
  ) throws(DatabaseError) {
    var connection: OpaquePointer?
    let flags =
      (isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &connection, flags, nil)
    guard code == SQLITE_OK, let connection = unsafe connection else {
      defer { unsafe sqlite3_close_v2(connection) }
      throw unsafe DatabaseError(code, connection)
    }
    unsafe self.connection = unsafe connection
    self.name = name
    unsafe sqlite3_busy_timeout(connection, busyTimeout)
    try execute(sql: "PRAGMA foreign_keys = ON")
  }

  /// Opens a database that no one changes, as it is: without applying a journal.
  package init(immutable path: String) throws(DatabaseError) {
    var connection: OpaquePointer?
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let escaped = path.utf8.map { byte in
      let isPlain =
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
      return isPlain || byte == UInt8(ascii: "/")
        ? String(decoding: [byte], as: UTF8.self) : "%" + String(Int(byte) + 0x100, radix: 16).suffix(2)
    }
    let code = unsafe sqlite3_open_v2("file:\(escaped.joined())?immutable=1", &connection, flags, nil)
    guard code == SQLITE_OK, let connection = unsafe connection else {
      defer { unsafe sqlite3_close_v2(connection) }
      throw unsafe DatabaseError(code, connection)
    }
    unsafe self.connection = unsafe connection
    name = nil
  }

  deinit { close() }

  /// Closes the connection. Statements that still exist keep the file open.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    statements = [:]
    unsafe sqlite3_close_v2(connection)
  }

  // MARK: Statements

  /// Runs statements without arguments, one by one.
  package func execute(sql: String) throws(DatabaseError) {
    let code = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw unsafe DatabaseError(code, connection) }
  }

  /// Runs a statement with arguments.
  package func execute(sql: String, arguments: [any DatabaseValue]) throws(DatabaseError) {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// Inserts a row.
  package func insert(
    into table: String, _ columns: [(name: String, value: any DatabaseValue)]
  ) throws(DatabaseError) {
    let names = columns.map(\.name).joined(separator: ", ")
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    try execute(sql: "INSERT INTO \(table) (\(names)) VALUES (\(places))", arguments: columns.map(\.value))
  }

  /// A statement, compiled when it is first requested.
  package func cachedStatement(sql: String) throws(DatabaseError) -> Statement {
    if let known = statements[sql] { return known }
    var pointer: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
    guard code == SQLITE_OK, let pointer = unsafe pointer else { throw unsafe DatabaseError(code, connection) }
    let statement = unsafe Statement(pointer)
    statements[sql] = statement
    return statement
  }

  /// The number of rows that the last statement changed.
  package var changesCount: Int { unsafe Int(sqlite3_changes(connection)) }

  // MARK: Transactions

  /// Reads in one transaction, so that everything read is consistent; in the open transaction if there is one.
  package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    guard unsafe sqlite3_get_autocommit(connection) != 0 else { return try body(self) }
    try execute(sql: "BEGIN")
    // Nothing was written. If this fails, SQLite has already ended the transaction.
    defer { try? execute(sql: "ROLLBACK") }
    return try body(self)
  }

  /// Writes in one transaction: either everything is kept or nothing.
  package func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try execute(sql: "BEGIN IMMEDIATE")
    do {
      let result = try body(self)
      try execute(sql: "COMMIT")
      return result
    } catch {
      // Some errors make SQLite end the transaction itself.
      if unsafe sqlite3_get_autocommit(connection) == 0 { try? execute(sql: "ROLLBACK") }
      throw error
    }
  }

  // MARK: Copies

  /// Copies the database into another one by SQLite's online backup, a number of pages at a time.
  ///
  /// It is not locked between steps. If it is written to meanwhile, the copy starts again.
  package func backup(to target: Database, pagesPerStep: Int32) throws(DatabaseError) {
    guard let backup = unsafe sqlite3_backup_init(target.connection, "main", connection, "main") else {
      throw unsafe DatabaseError(sqlite3_errcode(target.connection), target.connection)
    }
    var code = SQLITE_OK
    while code == SQLITE_OK { code = unsafe sqlite3_backup_step(backup, pagesPerStep) }
    unsafe sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else { throw unsafe DatabaseError(code, target.connection) }
  }
}
