import CXXHash
import FoundationEssentials
import SQLite

/// XXH3 checksums of what the ledger keeps about a run, to detect bytes that changed on the disk.
enum RunDigest {
  /// The digest of rows: of each column's name and value. A column that is null is left out, so a column that a later
  /// version adds does not change a digest.
  static func of(_ rows: [Row]) -> Int64 {
    var bytes: [UInt8] = []
    for row in rows {
      for (column, value) in row.columns where column != "digest" {
        let content: [UInt8]
        switch value {
        case .blob(let blob): content = blob
        case .text(let text): content = Array(text.utf8)
        case .integer(let number): content = Array("\(number)".utf8)
        case .real, .null: continue
        }
        bytes += "\(column) \(content.count) ".utf8 + content
      }
    }
    return bytes.withUnsafeBytes { Int64(bitPattern: XXH3_64bits($0.baseAddress, $0.count)) }
  }

  /// Writes a run's digest into its row, covering everything in its rows.
  static func keep(_ database: Database, run: Int) throws {
    guard let row = try Row.fetchOne(database, sql: "SELECT * FROM run WHERE number = ?", arguments: [run]) else {
      return
    }
    let parts = try files(database, run: run) + totals(database, run: run) + rules(database, row, run: run)
    let digest = of([row] + parts)
    try database.execute(sql: "UPDATE run SET digest = ? WHERE number = ?", arguments: [digest, run])
  }

  static func files(_ database: Database, run: Int) throws -> [Row] {
    try Row.fetchAll(database, sql: "SELECT * FROM runFile WHERE run = ? ORDER BY place", arguments: [run])
  }

  /// The rows of a run's rules; empty in a ledger of an earlier version.
  static func rules(_ database: Database, _ row: Row, run: Int) throws -> [Row] {
    guard row.hasColumn("pruned") else { return [] }
    return try Row.fetchAll(database, sql: "SELECT * FROM runRule WHERE run = ? ORDER BY name", arguments: [run])
  }

  static func totals(_ database: Database, run: Int) throws -> [Row] {
    try Row.fetchAll(database, sql: "SELECT * FROM runTotal WHERE run = ? ORDER BY currency", arguments: [run])
  }

  /// What a lock file records about a ledger: its last run before a number, and its last payout.
  static func slot(
    _ database: Database, before number: Int = .max, beforePayout: Int = .max
  ) throws -> LedgerSlot {
    let ids = try Row.fetchAll(database, sql: "SELECT * FROM ledgerID")
    guard ids.count == 1 else { throw LedgerFailure.damaged("the ledger is damaged: it has lost its id") }
    let payout = try PayoutTable.last(database, before: beforePayout, floor: ids[0].value("lastPayout") ?? 0)
    // Without the directory, which may change later.
    let last = try Row.fetchOne(
      database,
      sql: """
        SELECT number, time, content, schedule, options FROM run WHERE number < ? ORDER BY number DESC LIMIT 1
        """, arguments: [number])
    return LedgerSlot(
      id: try ids[0].value("id"), lastRun: try last?.value("number") ?? 0, digest: last.map { of([$0]) } ?? 0,
      lastPayout: payout.number, payoutDigest: payout.digest)
  }
}
