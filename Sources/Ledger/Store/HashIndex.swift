import Claims
import Failures
import SQLite

/// An index that finds the rows of another table by 48 bits of a fingerprint. The row itself shows whether it is the
/// right one.
enum HashIndex: String, CaseIterable {
  case refundByKey
  case refundByPayment
  case agreementByKey

  /// The bits of a fingerprint that are kept: a number that SQLite stores in six bytes.
  static func hash(_ key: Fingerprint) -> Int64 { Int64(bitPattern: key.high) >> 16 }

  /// Adds rows in the order of their hashes, so that each page is changed once.
  func insert(_ database: Database, _ rows: consuming [(hash: Int64, id: Int64)]) throws {
    let insert = try RowLookup(database, "INSERT INTO \(rawValue) (hash, id) VALUES (?, ?)")
    rows.sort { $0 < $1 }
    for row in rows { try insert.forEach(row.hash, row.id) }
  }

  /// Removes the rows from an id on.
  func remove(_ database: Database, from id: Int64) throws {
    try database.execute(sql: "DELETE FROM \(rawValue) WHERE id >= ?", arguments: [id])
  }

  /// Throws if it does not find each of the rows, or has other entries.
  func check(_ database: Database, _ rows: [(hash: Int64, id: Int64)]) throws {
    let find = try RowLookup(database, "SELECT 1 FROM \(rawValue) WHERE hash = ? AND id = ?")
    var found = 0
    for row in rows {
      try find.forEach(row.hash, row.id) { _ in
        found += 1
        return true
      }
    }
    guard found == rows.count, try Int.fetchOne(database, sql: "SELECT count(*) FROM \(rawValue)") == found else {
      throw Failure.damagedLedger("the index \(rawValue) is inconsistent")
    }
  }
}

extension KeyedHash {
  /// The bits by which a key is found.
  func index(_ key: String) -> Int64 { HashIndex.hash(fingerprint(key.utf8Span.span)) }
}
