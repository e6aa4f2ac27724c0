import Claims
import ExactArithmetic
import Failures
import FileSystem
import FoundationEssentials
import Postings
import SQLite

/// How an entry is stored in the tables.
extension RunEntry {
  /// - Parameters:
  ///   - detailCount: the number of payments whose details are entered with it; nil if details are not kept.
  ///   - balanceCount: the number of amounts of accounts; nil if they are not kept.
  func insert(_ database: Database, number: Int, detailCount: Int?, balanceCount: Int?) throws {
    try database.execute(
      sql: """
        INSERT INTO run (number, time, engine, content, opening, schedule, options, batchKey, batchID, recordsRead,
          settled, rejected, pending, held, controlTotals, directory, sums, day, refunded, preapprovals, details,
          pieces, balances, adopted, checks)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        number, time, engine, identity.content, opening, identity.schedule, identity.options,
        batchKey?.bytes, batchID, records.read, records.settled, records.rejected, records.pending, records.held,
        controlTotals, directory, sums, day, records.refunded, records.preapprovals, detailCount,
        identity.isPlain ? nil : 1, balanceCount, isAdopted ? 1 : nil as Int?, 1,
      ])
    for (place, file) in files.enumerated() {
      try database.execute(
        sql: "INSERT INTO runFile (run, place, name, bytes, digest) VALUES (?, ?, ?, ?, ?)",
        arguments: [number, place, file.name, file.bytes, file.sha256])
    }
    for total in totals { try total.insert(database, run: number) }
    for (name, digest) in rules {
      try database.execute(
        sql: "INSERT INTO runRule (run, name, digest) VALUES (?, ?, ?)", arguments: [number, name, digest])
    }
    try RunDigest.keep(database, run: number)
  }

  fileprivate init(_ row: Row, number: Int, database: Database) throws {
    let files = try RunDigest.files(database, run: number)
    let totals = try RunDigest.totals(database, run: number)
    let rules = try RunDigest.rules(database, row, run: number)
    // A ledger of an earlier version has no digest.
    let digest = try RunDigest.of(run: row, files + totals + rules)
    guard try !row.hasColumn("digest") || row.value("digest") == digest else {
      throw Failure.damaged("the ledger is damaged: its entry of run \(number) is not what was written")
    }
    self.init(
      time: try row.value("time"), engine: try row.value("engine"),
      identity: RunIdentity(
        content: try row.bytes("content"), schedule: try row.bytes("schedule"), options: try row.value("options"),
        isPlain: try !row.hasColumn("pieces") || row.value("pieces") == Int?.none),
      opening: try row.bytes("opening"), batchKey: Fingerprint(bytes: try row.bytes("batchKey")),
      batchID: try row.value("batchID"), day: try row.value("day"),
      files: try files.map {
        StoredFile(name: try $0.value("name"), bytes: try $0.value("bytes"), sha256: try $0.value("digest"))
      },
      records: Records(
        read: try row.value("recordsRead"), settled: try row.value("settled"), rejected: try row.value("rejected"),
        pending: try row.value("pending"), held: try row.value("held"),
        refunded: try row.value("refunded") ?? 0, preapprovals: try row.value("preapprovals") ?? 0),
      controlTotals: try row.value("controlTotals"),
      totals: try totals.map { try Total($0, run: number) },
      directory: try row.bytes("directory"), sums: try row.value("sums"),
      rules: try Dictionary(uniqueKeysWithValues: rules.map { (try $0.value("name"), try $0.bytes("digest")) }))
    isAdopted = try row.value("adopted") ?? false
  }
}

extension RunEntry.Total {
  fileprivate func insert(_ database: Database, run: Int) throws {
    var columns: [(name: String, value: any DatabaseValue)] = [("run", run), ("currency", currency)]
    for part in TrialBalance.parts {
      columns.append((part.count.name, moved[keyPath: part.count.path]))
      columns += part.sums.map { ($0.name, moved[keyPath: $0.path].description) }
    }
    try database.insert(into: "runTotal", columns)
  }

  /// A run of an earlier version has no refunds.
  fileprivate init(_ row: Row, run: Int) throws {
    func sum(_ name: String) throws -> ExactDecimal? {
      guard let text: String = try row.value(name) else { return nil }
      guard let sum = ExactDecimal(text) else {
        throw Failure.damaged("the ledger is damaged: a sum of run \(run) is not a number")
      }
      return sum
    }
    let first = TrialBalance.paymentPart.sums[0]
    var moved = TrialBalance(exponent: try sum(first.name)?.exponent ?? 0)
    for part in TrialBalance.parts {
      moved[keyPath: part.count.path] = try row.value(part.count.name) ?? 0
      for figure in part.sums { if let sum = try sum(figure.name) { moved[keyPath: figure.path] = sum } }
    }
    self.init(currency: try row.value("currency"), moved: moved)
  }
}

extension NumberedRun {
  /// Throws if the rows are not what was written.
  init(_ row: Row, database: Database) throws {
    number = try row.value("number")
    entry = try RunEntry(row, number: number, database: database)
    detailCount = try row.value("details")
    balanceCount = try row.value("balances")
    prunedAfter = row.hasColumn("pruned") ? try row.value("pruned") : nil
  }
}

extension Fingerprint {
  init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self = bytes.withUnsafeBytes { Fingerprint(low: $0.littleEndian(at: 0), high: $0.littleEndian(at: 8)) }
  }

  var bytes: [UInt8] {
    [low, high].map(\.littleEndian).withUnsafeBytes(Array.init)
  }
}

extension Row {
  /// The bytes of a column; empty if it is null.
  func bytes(_ column: String) throws -> [UInt8] { try value(column) ?? [] }
}
