import SQLite

/// A payout whose directory is lost, and whose number the operator gave up. What it had paid is booked as adjustments.
///
/// It is not an `Entry`: it has neither a directory nor files that could be published, moved or withdrawn.
public struct GivenUpPayout: Sendable, Equatable {
  /// Its number, which is never used again.
  public let number: Int
  /// When it was given up: RFC 3339, UTC, in seconds.
  public let time: String
  /// The run after which its adjustments count.
  public let run: Int
  /// Its place in book order among the payouts that were made or given up.
  let place: Int
  /// The number of its adjustments; 0 if it was never sent.
  public let adjustments: Int

  /// All of them by number; empty in a ledger of an earlier version. Throws if one is not what was written.
  static func all(_ database: Database) throws -> [GivenUpPayout] {
    guard try LedgerSchema.version(database) >= 7 else { return [] }
    return try Row.fetchAll(database, sql: "SELECT * FROM givenUp ORDER BY number").map { row in
      let id = EntryID(.givenUp, try row.value("number"))
      try EntryTable.expectWritten(id, row, [])
      return GivenUpPayout(
        number: id.number, time: try row.value("time"), run: try row.value("run"), place: try row.value("place"),
        adjustments: try row.value("adjustments"))
    }
  }

  func insert(_ database: Database) throws {
    try database.insert(
      into: "givenUp",
      [("number", number), ("time", time), ("run", run), ("place", place), ("adjustments", adjustments)])
    try EntryTable.keepDigest(database, EntryID(.givenUp, number))
  }
}
