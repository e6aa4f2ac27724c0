import Claims
import Digests
import Failures
import SQLite
import Text

/// How agreements are stored in the tables `agreement`, `agreementRecord` and `agreementUse`.
///
/// An agreement's digest is the sum of the digests of all its rows, so a lost row is noticed.
enum AgreementTable {
  /// An agreement's row.
  struct Place {
    let id: Int64
    var digest: Int64
  }

  /// The agreement with a key, if it is entered.
  static func find(_ database: Database, _ preapprovalKey: String, hash: KeyedHash) throws -> Place? {
    var found: Place?
    try RowLookup(
      database,
      """
      SELECT a.id, preapprovalKey, digest FROM agreementByKey AS i LEFT JOIN agreement AS a ON a.id = i.id
      WHERE i.hash = ?
      """
    ).forEach(hash.index(preapprovalKey)) { row in
      guard !row.isNull(0) else { throw damaged }
      if row.text(1) == preapprovalKey { found = Place(id: row.number(0), digest: row.number(2)) }
      return found == nil
    }
    return found
  }

  /// Enters what a run adds, and returns the number of records.
  static func insert(_ database: Database, run: Int, _ entries: [AgreementEntry], hash: KeyedHash) throws -> Int {
    guard !entries.isEmpty else { return 0 }
    var next = (try Int64.fetchOne(database, sql: "SELECT max(id) FROM agreement") ?? 0) + 1
    var added: [(hash: Int64, id: Int64)] = []
    var placed: [(place: Place, entry: AgreementEntry)] = []
    for entry in entries {
      if let known = try find(database, entry.preapprovalKey, hash: hash) {
        placed.append((known, entry))
      } else {
        precondition(!entry.records.isEmpty, "an agreement begins with a record")
        placed.append((Place(id: next, digest: digest([0, next], Array(entry.preapprovalKey.utf8))), entry))
        added.append((hash.index(entry.preapprovalKey), next))
        next += 1
      }
    }
    try HashIndex.agreementByKey.insert(database, added)
    placed.sort { $0.place.id < $1.place.id }
    for (place, entry) in placed { try insert(database, run: run, place, entry) }
    return entries.reduce(0) { $0 + $1.records.count }
  }

  private static func insert(_ database: Database, run: Int, _ place: Place, _ entry: AgreementEntry) throws {
    let id = place.id
    var sum = place.digest
    for (number, content) in entry.records.enumerated() {
      try database.cachedStatement(
        sql: "INSERT INTO agreementRecord (agreement, run, place, content) VALUES (?, ?, ?, ?)"
      ).execute(arguments: [id, run, number, content])
      sum &+= digest(record: id, run: run, place: number, content)
    }
    for use in entry.uses {
      try database.cachedStatement(
        sql: "INSERT INTO agreementUse (agreement, run, period, payments, amount) VALUES (?, ?, ?, ?, ?)"
      ).execute(arguments: [id, run, use.period, use.payments, use.amount])
      sum &+= digest(use: id, run: run, use)
    }
    try database.cachedStatement(
      sql: """
        INSERT INTO agreement (id, preapprovalKey, digest) VALUES (?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET digest = excluded.digest
        """
    ).execute(arguments: [id, entry.preapprovalKey, sum])
  }

  /// An agreement without what runs from a number on added; throws if a row is not what was written.
  static func read(
    _ database: Database, _ place: Place, _ preapprovalKey: String, before end: Int
  ) throws -> AgreementEntries {
    var agreement = AgreementEntries()
    var sum = digest([0, place.id], Array(preapprovalKey.utf8))
    try RowLookup(
      database, "SELECT run, place, content FROM agreementRecord WHERE agreement = ? ORDER BY run, place"
    ).forEach(place.id) { row in
      let (run, content) = (Int(row.number(0)), [UInt8](row.bytes(2)))
      sum &+= digest(record: place.id, run: run, place: Int(row.number(1)), content)
      if run < end { agreement.records.append((run, content)) }
      return true
    }
    try RowLookup(
      database, "SELECT run, period, payments, amount FROM agreementUse WHERE agreement = ? ORDER BY run, period"
    ).forEach(place.id) { row in
      let run = Int(row.number(0))
      let use = AgreementEntry.Use(period: row.number(1), payments: Int(row.number(2)), amount: row.text(3))
      sum &+= digest(use: place.id, run: run, use)
      if run < end { agreement.uses.append((run, use)) }
      return true
    }
    guard sum == place.digest else { throw damaged }
    return agreement
  }

  /// Removes what a run added. It must be the last run.
  static func remove(_ database: Database, run: Int) throws {
    let touched = try Row.fetchAll(
      database,
      sql: """
        SELECT id, preapprovalKey, digest FROM agreement WHERE id IN (
          SELECT agreement FROM agreementRecord WHERE run = ?1 UNION SELECT agreement FROM agreementUse WHERE run = ?1)
        """, arguments: [run])
    for row in touched {
      let place = Place(id: try row.value("id"), digest: try row.value("digest"))
      let all = try read(database, place, try row.value("preapprovalKey"), before: .max)
      var sum = place.digest
      for (number, record) in all.records.filter({ $0.run == run }).enumerated() {
        sum &-= digest(record: place.id, run: run, place: number, record.content)
      }
      for use in all.uses where use.run == run { sum &-= digest(use: place.id, run: run, use.use) }
      try database.execute(sql: "UPDATE agreement SET digest = ? WHERE id = ?", arguments: [sum, place.id])
    }
    try database.execute(sql: "DELETE FROM agreementRecord WHERE run = ?", arguments: [run])
    try database.execute(sql: "DELETE FROM agreementUse WHERE run = ?", arguments: [run])
    let left = try Int64.fetchOne(database, sql: "SELECT max(agreement) FROM agreementRecord") ?? 0
    // Agreements are numbered in the order of entry, so those without a record are the last ones.
    try database.execute(sql: "DELETE FROM agreement WHERE id > ?", arguments: [left])
    try HashIndex.agreementByKey.remove(database, from: left + 1)
  }

  private static func digest(record agreement: Int64, run: Int, place: Int, _ content: [UInt8]) -> Int64 {
    digest([1, agreement, Int64(run), Int64(place)], content)
  }

  private static func digest(use agreement: Int64, run: Int, _ use: AgreementEntry.Use) -> Int64 {
    digest([2, agreement, Int64(run), use.period, Int64(use.payments)], Array(use.amount.utf8))
  }

  private static func digest(_ numbers: [Int64], _ bytes: [UInt8]) -> Int64 {
    var all = TextBuffer()
    for number in numbers { all.append(littleEndian: number) }
    all.append(bytes)
    return Int64(bitPattern: XXH3.checksum(of: all.span))
  }

  private static var damaged: Failure { .damagedLedger("an agreement is not what was written") }

  /// Reads all agreements, and counts their records by run, each at the index one below the run's number; throws if
  /// they are not what was written.
  static func check(_ database: Database, hash: KeyedHash, into counts: inout [Int]) throws {
    var rows: [(hash: Int64, id: Int64)] = []
    var (records, uses) = (0, 0)
    try RowLookup(database, "SELECT id, preapprovalKey, digest FROM agreement").forEach(0) { row in
      let agreement = try read(
        database, Place(id: row.number(0), digest: row.number(2)), row.text(1), before: counts.count + 1)
      for record in agreement.records where record.run > 0 { counts[record.run - 1] += 1 }
      records += agreement.records.count
      uses += agreement.uses.count
      rows.append((hash.index(row.text(1)), row.number(0)))
      return true
    }
    guard try Int.fetchOne(database, sql: "SELECT count(*) FROM agreementRecord") == records,
      try Int.fetchOne(database, sql: "SELECT count(*) FROM agreementUse") == uses
    else { throw Failure.damagedLedger("it has entries that belong to no agreement") }
    try HashIndex.agreementByKey.check(database, rows)
  }
}
