import CSQLite

/// An error of SQLite. (Unsafe: messages of SQLite end in a zero byte, and are copied at once.)
package struct DatabaseError: Error {
  /// The extended result code, such as `SQLITE_IOERR_WRITE`.
  package let extendedCode: Int32
  /// SQLite's message.
  package let message: String

  /// The result code, such as `SQLITE_IOERR`.
  package var code: Int32 { extendedCode & 0xFF }

  /// Whether an interrupted transaction must be undone first, which a read-only connection cannot do.
  package var needsRollback: Bool { extendedCode == SQLITE_READONLY | 3 << 8 }

  /// - Parameter connection: the connection that failed; its last error is this one.
  init(_ code: Int32, _ connection: OpaquePointer?) {
    let last = unsafe sqlite3_extended_errcode(connection)
    extendedCode = last & 0xFF == code & 0xFF ? last : code
    message = unsafe String(cString: extendedCode == last ? sqlite3_errmsg(connection) : sqlite3_errstr(code))
  }
}

/// A column contains another kind of value than the one requested.
package struct UnexpectedValue: Error {}
