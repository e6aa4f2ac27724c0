import Failures
import SQLite

/// The rows of entries, with checksums.
enum EntryTable {
  /// The row of an entry.
  static func row(_ database: Database, _ id: EntryID) throws -> Row? {
    try Row.fetchOne(database, sql: "SELECT * FROM \(id.kind) WHERE number = ?", arguments: [id.number])
  }

  /// The further rows of an entry, by table.
  static func parts(_ database: Database, _ id: EntryID) throws -> [[Row]] {
    try id.kind.parts.map { table, order in
      try Row.fetchAll(
        database, sql: "SELECT * FROM \(table) WHERE \(id.kind) = ? ORDER BY \(order)", arguments: [id.number])
    }
  }

  /// The number and digest of the last entry of a kind before a number, in the form that a lock file keeps; zeros
  /// without such an entry.
  static func last(_ database: Database, _ kind: EntryKind, before number: Int) throws -> (number: Int, digest: Int64) {
    let row = try Row.fetchOne(
      database,
      sql: "SELECT \(kind.distinguishing) FROM \(kind) WHERE number < ? ORDER BY number DESC LIMIT 1",
      arguments: [number])
    return try row.map { (try $0.value("number"), RowDigest.of([$0])) } ?? (0, 0)
  }

  /// Removes an entry and its further rows.
  static func remove(_ database: Database, _ id: EntryID) throws {
    for (table, _) in id.kind.parts {
      try database.execute(sql: "DELETE FROM \(table) WHERE \(id.kind) = ?", arguments: [id.number])
    }
    try database.execute(sql: "DELETE FROM \(id.kind) WHERE number = ?", arguments: [id.number])
  }

  // MARK: Checksums

  private static func digest(_ kind: EntryKind, _ row: Row, _ parts: [[Row]]) throws -> Int64 {
    RowDigest.of([row] + parts.joined(), coversDigests: try kind != .run || row.value("checks") as Int? == 1)
  }

  /// Throws if an entry's rows are not what was written.
  static func expectWritten(_ id: EntryID, _ row: Row, _ parts: [[Row]]) throws {
    guard try row.value("digest") == digest(id.kind, row, parts) else {
      throw Failure.damagedLedger("its entry of \(id) is not what was written")
    }
  }

  /// Writes an entry's digest into its row, covering everything in its rows.
  static func keepDigest(_ database: Database, _ id: EntryID) throws {
    guard let row = try row(database, id) else { return }
    try database.execute(
      sql: "UPDATE \(id.kind) SET digest = ? WHERE number = ?",
      arguments: [digest(id.kind, row, parts(database, id)), id.number])
  }

  /// Makes the digests of all runs cover those of their files and rules. A run that is damaged stays so.
  static func coverDigests(_ database: Database) throws {
    for row in try Row.fetchAll(database, sql: "SELECT * FROM run") {
      let id = EntryID.run(try row.value("number"))
      guard try row.value("digest") == digest(.run, row, parts(database, id)) else { continue }
      try database.execute(sql: "UPDATE run SET checks = 1 WHERE number = ?", arguments: [id.number])
      try keepDigest(database, id)
    }
  }
}
