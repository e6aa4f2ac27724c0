import SQLite

/// The runs of a ledger, read without writing to it and without keeping a run from its work.
public struct LedgerHistory: Sendable {
  /// The runs that are entered, in order.
  public let runs: [NumberedRun]
  /// What a run is at work on, or was when it was interrupted. Where it names a run, that one is among `runs`, and
  /// whether it is published only its directory can tell.
  public let attempt: Attempt?
  /// The payouts that are entered, in order.
  public let payouts: [NumberedPayout]

  /// Reads a ledger's runs.
  ///
  /// Where an interrupted run left a transaction behind, SQLite must undo it first, which takes leave to write.
  public init(ledger path: String) throws(LedgerFailure) {
    self = try LedgerFailure.reading(path) { path in
      try LedgerConnection.reading(path) { database in try database.read { try LedgerHistory($0) } }
    }
  }

  /// The runs of a database; none if no run has made it a ledger yet.
  init(_ database: Database) throws {
    guard try LedgerSchema.state(database).isLedger else {
      (runs, payouts) = ([], [])
      attempt = nil
      return
    }
    runs = try Row.fetchAll(database, sql: "SELECT * FROM run ORDER BY number").map {
      try NumberedRun($0, database: database)
    }
    attempt = try Ledger.attempt(database)
    payouts = try PayoutTable.all(database)
  }
}
