import Claims
import Failures
import FileSystem
import FoundationEssentials
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
    for total in totals {
      try database.execute(
        sql: """
          INSERT INTO runTotal (run, currency, payments, senderAmount, senderFees, receiverNet, fees, refunds,
            refunded, receiverDebit, feesReturned)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          number, total.currency, total.payments, total.senderAmount, total.senderFees, total.receiverNet, total.fees,
          total.refunds, total.refunded, total.receiverDebit, total.feesReturned,
        ])
    }
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
      totals: try totals.map {
        Total(
          currency: try $0.value("currency"), payments: try $0.value("payments"),
          senderAmount: try $0.value("senderAmount"), senderFees: try $0.value("senderFees"),
          receiverNet: try $0.value("receiverNet"), fees: try $0.value("fees"),
          refunds: try $0.value("refunds") ?? 0, refunded: try $0.value("refunded"),
          receiverDebit: try $0.value("receiverDebit"), feesReturned: try $0.value("feesReturned"))
      },
      directory: try row.bytes("directory"), sums: try row.value("sums"),
      rules: try Dictionary(uniqueKeysWithValues: rules.map { (try $0.value("name"), try $0.bytes("digest")) }))
    isAdopted = try row.value("adopted") ?? false
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
