/// The contents of a column.
package enum StoredValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// A type that columns can store.
package protocol DatabaseValue {
  /// The value in the form that a column stores.
  var stored: StoredValue { get }
  /// The value that a column stores; nil if it is of another kind.
  init?(_ stored: StoredValue)
}

extension DatabaseValue where Self: FixedWidthInteger {
  package var stored: StoredValue { .integer(Int64(self)) }

  package init?(_ stored: StoredValue) {
    guard case .integer(let number) = stored else { return nil }
    self.init(exactly: number)
  }
}

extension Int: DatabaseValue {}
extension Int64: DatabaseValue {}
extension Int32: DatabaseValue {}
extension UInt32: DatabaseValue {}

extension Bool: DatabaseValue {
  package var stored: StoredValue { .integer(self ? 1 : 0) }

  package init?(_ stored: StoredValue) {
    guard case .integer(let number) = stored else { return nil }
    self = number != 0
  }
}

extension String: DatabaseValue {
  package var stored: StoredValue { .text(self) }

  package init?(_ stored: StoredValue) {
    guard case .text(let text) = stored else { return nil }
    self = text
  }
}

extension [UInt8]: DatabaseValue {
  package var stored: StoredValue { .blob(self) }

  package init?(_ stored: StoredValue) {
    guard case .blob(let bytes) = stored else { return nil }
    self = bytes
  }
}

extension Optional: DatabaseValue where Wrapped: DatabaseValue {
  package var stored: StoredValue { self?.stored ?? .null }

  package init?(_ stored: StoredValue) {
    if stored == .null {
      self = .none
    } else if let value = Wrapped(stored) {
      self = value
    } else {
      return nil
    }
  }
}

extension DatabaseValue {
  /// The first column of the first row of a query; nil if there is no row or it is null.
  package static func fetchOne(
    _ database: Database, sql: String, arguments: [any DatabaseValue] = []
  ) throws -> Self? {
    try Row.fetchOne(database, sql: sql, arguments: arguments)?.value(at: 0)
  }

  /// The first column of all rows of a query.
  package static func fetchAll(
    _ database: Database, sql: String, arguments: [any DatabaseValue] = []
  ) throws -> [Self] {
    try Row.fetchAll(database, sql: sql, arguments: arguments).map { try $0.value(at: 0) }
  }
}
