import ExactArithmetic
import Failures
import FoundationEssentials
import Money
import SQLite

enum PayoutTable {
  /// All payouts, in book order; empty in a ledger of an earlier version. Throws if one is not what was written.
  static func all(_ database: Database) throws -> [NumberedPayout] {
    guard try LedgerSchema.version(database) >= 6 else { return [] }
    return try Row.fetchAll(database, sql: "SELECT * FROM payout ORDER BY number").map { try payout($0, database) }
      .sorted { $0.place < $1.place }
  }

  private static func payout(_ row: Row, _ database: Database) throws -> NumberedPayout {
    let number: Int = try row.value("number")
    let totals = try totals(database, number)
    guard try row.value("digest") == RunDigest.of([row] + totals) else {
      throw Failure.damaged("the ledger is damaged: its entry of payout \(number) is not what was written")
    }
    var entry = PayoutEntry(
      time: try row.value("time"), engine: try row.value("engine"),
      identity: PayoutIdentity(
        date: try row.value("date"), executionDate: try row.value("executionDate"), untilRun: try row.value("untilRun"),
        since: try row.value("since"), minimums: try row.value("minimums"), payees: try row.value("payees"),
        returned: try row.value("returned"), adjustments: try row.value("adjustments"),
        debtor: try row.value("debtor")),
      firstRun: try row.value("firstRun"), ledger: try row.value("ledger"), isAdopted: try row.value("adopted"),
      exitCode: try row.value("exitCode"),
      achFiles: try row.value("achFiles"),
      totals: try totals.map { try PayoutTotal($0, payout: number) },
      directory: try row.bytes("directory"), sums: try row.value("sums"))
    (entry.payments, entry.returns, entry.carried) = (
      try row.value("payments"), try row.value("returns"), try row.value("carried")
    )
    entry.adjusted = try row.value("adjusted") ?? 0
    return NumberedPayout(
      number: number, entry: entry, place: try row.value("place") ?? number,
      bookedRun: try row.value("bookedRun") ?? entry.untilRun, enteredAfter: try row.value("enteredAfter"))
  }

  private static func totals(_ database: Database, _ number: Int) throws -> [Row] {
    try Row.fetchAll(database, sql: "SELECT * FROM payoutTotal WHERE payout = ? ORDER BY currency", arguments: [number])
  }

  /// - Parameter isMovedBack: whether it counts after another run than the one it was made up to.
  static func insert(_ database: Database, _ payout: NumberedPayout, isMovedBack: Bool) throws {
    let (entry, identity) = (payout.entry, payout.entry.identity)
    try database.execute(
      sql: """
        INSERT INTO payout (number, time, engine, date, executionDate, untilRun, since, minimums, payees, returned,
          debtor, firstRun, ledger, adopted, exitCode, achFiles, payments, returns, carried, directory, sums,
          adjustments, adjusted, place, bookedRun, enteredAfter)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
          CASE ? WHEN 1 THEN NULL ELSE (SELECT max(number) FROM run) END)
        """,
      arguments: [
        payout.number, entry.time, entry.engine, identity.date, identity.executionDate, identity.untilRun,
        identity.since, identity.minimums, identity.payees, identity.returned, identity.debtor, entry.firstRun,
        entry.ledger, entry.isAdopted, entry.exitCode, entry.achFiles, entry.payments, entry.returns, entry.carried,
        entry.directory, entry.sums, identity.adjustments, entry.adjusted, payout.place,
        isMovedBack ? payout.bookedRun : nil as Int?, entry.isAdopted,
      ])
    for total in entry.totals { try total.insert(database, payout: payout.number) }
    try keepDigest(database, payout.number)
  }

  /// Writes a payout's digest into its row, covering everything in its rows.
  static func keepDigest(_ database: Database, _ number: Int) throws {
    let rows = try Row.fetchAll(database, sql: "SELECT * FROM payout WHERE number = ?", arguments: [number])
    try database.execute(
      sql: "UPDATE payout SET digest = ? WHERE number = ?",
      arguments: [RunDigest.of(try rows + totals(database, number)), number])
  }

  /// The number and digest of the last payout before a number, in the form that a lock file keeps.
  ///
  /// - Parameter floor: the least number to return, even without such a payout; later payouts get higher numbers.
  static func last(_ database: Database, before number: Int, floor: Int) throws -> (number: Int, digest: Int64) {
    guard try LedgerSchema.version(database) >= 6 else { return (0, 0) }
    // Without the directory, which may change later.
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT number, time, date, executionDate, untilRun, firstRun, minimums, payees, returned, debtor, payments
        FROM payout WHERE number < ? ORDER BY number DESC LIMIT 1
        """, arguments: [number])
    let last: Int = try row?.value("number") ?? 0
    return last >= floor ? (last, row.map { RunDigest.of([$0]) } ?? 0) : (floor, 0)
  }
}

extension PayoutTotal {
  fileprivate func insert(_ database: Database, payout: Int) throws {
    var columns: [(name: String, value: any DatabaseValue)] = [("payout", payout), ("currency", currency.code)]
    columns += Self.amounts.map { ($0.name, self[keyPath: $0.path].description) }
    columns += Self.counts.map { ($0.name, self[keyPath: $0.path]) }
    columns.append((Self.adjustment.name, self[keyPath: Self.adjustment.path]?.description))
    try database.insert(into: "payoutTotal", columns)
  }

  fileprivate init(_ row: Row, payout: Int) throws {
    let damaged = Failure.damaged("the ledger is damaged: a figure of payout \(payout) is not one of a currency")
    guard let currency = Currency(code: try row.value("currency")) else { throw damaged }
    func amount(_ name: String) throws -> ExactDecimal? {
      guard let text: String = try row.value(name) else { return nil }
      guard let amount = ExactDecimal(text) else { throw damaged }
      return amount
    }
    self.init(currency)
    for figure in Self.amounts {
      guard let amount = try amount(figure.name) else { throw damaged }
      self[keyPath: figure.path] = amount
    }
    self[keyPath: Self.adjustment.path] = try amount(Self.adjustment.name)
    for figure in Self.counts { self[keyPath: figure.path] = try row.value(figure.name) }
  }
}
