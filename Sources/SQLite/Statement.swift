import CSQLite

/// A statement that is compiled once and run often: a run may look up or enter a million rows.
///
/// Argument numbers start at 1, column numbers at 0.
package final class Statement {
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { sqlite3_finalize(pointer) }

  // MARK: Running

  /// Runs it to its end.
  package func execute(arguments: [any DatabaseValue] = []) throws(DatabaseError) {
    defer { reset() }
    try bind(arguments)
    while try step() {}
  }

  /// Calls `take` with the rows one by one, until it returns false; bound arguments stay.
  package func forEach(_ take: (Statement) throws -> Bool) throws {
    defer { reset() }
    while try step() {
      if try !take(self) { return }
    }
  }

  /// Moves to the next row. Returns false if there is none.
  package func step() throws(DatabaseError) -> Bool {
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw DatabaseError(code, sqlite3_db_handle(pointer))
    }
  }

  /// Ends it, so that it can be run again.
  package func reset() { sqlite3_reset(pointer) }

  // MARK: Arguments

  func bind(_ arguments: [any DatabaseValue]) throws(DatabaseError) {
    precondition(arguments.count == sqlite3_bind_parameter_count(pointer), "wrong number of arguments")
    for (place, argument) in arguments.enumerated() {
      let place = Int32(place + 1)
      let code =
        switch argument.stored {
        case .null: sqlite3_bind_null(pointer, place)
        case .integer(let number): sqlite3_bind_int64(pointer, place, number)
        case .real(let number): sqlite3_bind_double(pointer, place, number)
        case .text(let text): sqlite3_bind_text(pointer, place, text, Int32(text.utf8.count), Self.copied)
        case .blob(let bytes):
          bytes.withUnsafeBytes { bytes in
            // SQLite takes bytes at a null address as null.
            bytes.isEmpty
              ? sqlite3_bind_zeroblob(pointer, place, 0)
              : sqlite3_bind_blob64(pointer, place, bytes.baseAddress, UInt64(bytes.count), Self.copied)
          }
        }
      guard code == SQLITE_OK else { throw DatabaseError(code, sqlite3_db_handle(pointer)) }
    }
  }

  /// Makes SQLite copy the bytes (`SQLITE_TRANSIENT`).
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  package func bind(_ number: Int64, at place: Int32) { sqlite3_bind_int64(pointer, place, number) }

  /// Binds bytes, which must stay in place until the statement is run or bound again.
  package func bind(_ bytes: UnsafeRawBufferPointer, at place: Int32, isText: Bool = false) {
    if isText {
      sqlite3_bind_text(
        pointer, place, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), nil)
    } else {
      sqlite3_bind_blob(pointer, place, bytes.baseAddress, Int32(bytes.count), nil)
    }
  }

  // MARK: Columns of the row that it is at

  var columnNames: [String] {
    (0..<sqlite3_column_count(pointer)).map { String(cString: sqlite3_column_name(pointer, $0)!) }
  }

  /// Whether a column is null.
  package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(pointer, column) == SQLITE_NULL }

  package func number(_ column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }

  /// The bytes of a column, valid until the next step.
  package func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: sqlite3_column_blob(pointer, column), count: Int(sqlite3_column_bytes(pointer, column)))
  }

  package func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  func value(_ column: Int32) -> StoredValue {
    switch sqlite3_column_type(pointer, column) {
    case SQLITE_INTEGER: .integer(number(column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(pointer, column))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: .blob(Array(bytes(column)))
    default: .null
    }
  }
}
