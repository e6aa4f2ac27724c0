import SQLite

/// The runs of a ledger, read without writing to it and without blocking a run.
public struct LedgerHistory: Sendable {
  /// The runs that are entered, in order.
  public let runs: [NumberedRun]
  /// What a run is working on, or was working on when it was interrupted. If it names a run, that run is among `runs`;
  /// only its directory shows whether it was published.
  public let attempt: Attempt?
  /// The payouts that are entered, in order.
  public let payouts: [NumberedPayout]

  /// Reads a ledger's runs.
  ///
  /// If an interrupted run left a transaction behind, SQLite must undo it first, which needs permission to write.
  public init(ledger path: String) throws(LedgerFailure) {
    self = try LedgerFailure.reading(path) { path in
      try LedgerConnection.reading(path) { database in try database.read { try LedgerHistory($0) } }
    }
  }

  /// The runs in a database; empty if no run has made it a ledger yet.
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
