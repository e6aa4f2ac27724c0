import SQLite

extension Row {
  /// The bytes of a column; empty if it is null.
  func bytes(_ column: String) throws -> [UInt8] { try value(column) ?? [] }
}
