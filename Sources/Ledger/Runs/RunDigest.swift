import CXXHash
import FoundationEssentials
import SQLite

/// XXH3 checksums of what the ledger keeps about a run, to detect bytes that changed on the disk.
enum RunDigest {
  /// The digest of rows: of each column's name and value, except the digest in the first row. A column that is null is
  /// left out, so a column that a later version adds does not change a digest.
  ///
  /// - Parameter coversDigests: whether the columns `digest` of the other rows count. Version 6 left them out.
  static func of(_ rows: [Row], coversDigests: Bool = true) -> Int64 {
    var bytes: [UInt8] = []
    for (place, row) in rows.enumerated() {
      for (column, value) in row.columns where column != "digest" || place > 0 && coversDigests {
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
    try database.execute(sql: "UPDATE run SET digest = ? WHERE number = ?", arguments: [of(run: row, parts), run])
  }

  /// The digest of a run's row, with the rows of its files, totals and rules.
  static func of(run row: Row, _ parts: [Row]) throws -> Int64 {
    of([row] + parts, coversDigests: try row.value("checks") as Int? == 1)
  }

  /// Makes the digests of all runs cover those of their files and rules. A run that is damaged stays so.
  static func coverDigests(_ database: Database) throws {
    for row in try Row.fetchAll(database, sql: "SELECT * FROM run") {
      let run: Int = try row.value("number")
      let parts = try files(database, run: run) + totals(database, run: run) + rules(database, row, run: run)
      guard try row.value("digest") == of(run: row, parts) else { continue }
      try database.execute(sql: "UPDATE run SET checks = 1 WHERE number = ?", arguments: [run])
      try keep(database, run: run)
    }
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
}
