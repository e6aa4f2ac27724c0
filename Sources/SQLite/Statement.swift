import CSQLite

/// A statement that is compiled once and run often: a run may look up or enter a million rows.
///
/// Argument numbers start at 1, column numbers at 0.
///
/// (Unsafe: the statement is finalized with its object. SQLite copies what is bound, or reads it while the call
/// that binds it runs, and keeps a column's bytes until the next step.)
@safe
package final class Statement {
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

  deinit { unsafe sqlite3_finalize(pointer) }

  // MARK: Running

  /// Runs it to its end.
  package func execute(arguments: [any DatabaseValue] = []) throws(DatabaseError) {
    defer { reset() }
    try bind(arguments)
    while try step() {}
  }

  /// Runs it to its end with a number and bytes, which SQLite reads where they are.
  package func execute(_ number: Int64, _ bytes: Span<UInt8>) throws(DatabaseError) {
    try unsafe bytes.withUnsafeBytes { bytes throws(DatabaseError) in
      defer {
        reset()
        unsafe sqlite3_clear_bindings(pointer)
      }
      unsafe sqlite3_bind_int64(pointer, 1, number)
      unsafe sqlite3_bind_blob64(pointer, 2, bytes.baseAddress, UInt64(bytes.count), nil)
      while try step() {}
    }
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
    switch unsafe sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw unsafe DatabaseError(code, sqlite3_db_handle(pointer))
    }
  }

  /// Ends it, so that it can be run again.
  package func reset() { unsafe sqlite3_reset(pointer) }

  // MARK: Arguments

  func bind(_ arguments: [any DatabaseValue]) throws(DatabaseError) {
    unsafe precondition(arguments.count == sqlite3_bind_parameter_count(pointer), "wrong number of arguments")
    for (place, argument) in arguments.enumerated() {
      let place = Int32(place + 1)
      let code =
        switch argument.stored {
        case .null: unsafe sqlite3_bind_null(pointer, place)
        case .integer(let number): unsafe sqlite3_bind_int64(pointer, place, number)
        case .real(let number): unsafe sqlite3_bind_double(pointer, place, number)
        case .text(let text): unsafe sqlite3_bind_text(pointer, place, text, Int32(text.utf8.count), Self.copied)
        case .blob(let bytes):
          unsafe bytes.withUnsafeBytes { bytes in
            // SQLite takes bytes at a null address as null.
            unsafe bytes.isEmpty
              ? sqlite3_bind_zeroblob(pointer, place, 0)
              : sqlite3_bind_blob64(pointer, place, bytes.baseAddress, UInt64(bytes.count), Self.copied)
          }
        }
      guard code == SQLITE_OK else { throw unsafe DatabaseError(code, sqlite3_db_handle(pointer)) }
    }
  }

  /// Makes SQLite copy the bytes (`SQLITE_TRANSIENT`).
  private static let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  package func bind(_ number: Int64, at place: Int32) { unsafe sqlite3_bind_int64(pointer, place, number) }

  /// Binds a text or bytes; SQLite keeps a copy.
  package func bind(_ bytes: Span<UInt8>, at place: Int32, isText: Bool = false) {
    unsafe bytes.withUnsafeBytes { bytes in
      // SQLite takes bytes at a null address as null.
      if unsafe bytes.isEmpty, isText {
        unsafe sqlite3_bind_text(pointer, place, "", 0, Self.copied)
      } else if unsafe bytes.isEmpty {
        unsafe sqlite3_bind_zeroblob(pointer, place, 0)
      } else if isText {
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        unsafe sqlite3_bind_text(pointer, place, start, Int32(bytes.count), Self.copied)
      } else {
        unsafe sqlite3_bind_blob(pointer, place, bytes.baseAddress, Int32(bytes.count), Self.copied)
      }
    }
  }

  // MARK: Columns of the row that it is at

  var columnNames: [String] {
    unsafe (0..<sqlite3_column_count(pointer)).map { unsafe String(cString: sqlite3_column_name(pointer, $0)!) }
  }

  /// Whether a column is null.
  package func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(pointer, column) == SQLITE_NULL }

  package func number(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(pointer, column) }

  /// The bytes of a column, valid until the next step.
  @_lifetime(borrow self)
  package func bytes(_ column: Int32) -> Span<UInt8> {
    let start = unsafe sqlite3_column_blob(pointer, column)?.assumingMemoryBound(to: UInt8.self)
    let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column)))
    return unsafe _overrideLifetime(bytes.span, borrowing: self)
  }

  package func text(_ column: Int32) -> String {
    unsafe bytes(column).withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  func value(_ column: Int32) -> StoredValue {
    switch unsafe sqlite3_column_type(pointer, column) {
    case SQLITE_INTEGER: .integer(number(column))
    case SQLITE_FLOAT: unsafe .real(sqlite3_column_double(pointer, column))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: unsafe .blob(bytes(column).withUnsafeBufferPointer { unsafe Array($0) })
    default: .null
    }
  }
}
