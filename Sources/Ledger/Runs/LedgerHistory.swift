import GRDB

/// The runs of a ledger, read without writing to it and without keeping a run from its work.
public struct LedgerHistory: Sendable {
  /// The runs that are entered, in order.
  public let runs: [NumberedRun]
  /// What a run is at work on, or was when it was interrupted. Where it names a run, that one is among `runs`, and
  /// whether it is published only its directory can tell.
  public let attempt: Attempt?

  /// Reads a ledger's runs.
  ///
  /// Where an interrupted run left a transaction behind, SQLite must undo it first, which takes leave to write.
  public init(ledger path: String) throws(LedgerFailure) {
    let real = try LedgerFile.resolve(path)
    guard LedgerFile.exists(real) else { throw .missing("there is no such ledger") }
    self = try LedgerFailure.telling {
      do {
        return try Self.read(real, isReadOnly: true)
      } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
        return try Self.read(real, isReadOnly: false)
      }
    }
  }

  private init(runs: [NumberedRun], attempt: Attempt?) {
    self.runs = runs
    self.attempt = attempt
  }

  private static func read(_ path: String, isReadOnly: Bool) throws -> LedgerHistory {
    let database = try LedgerConnection.open(path, isReadOnly: isReadOnly)
    defer { try? database.close() }
    return try database.read { database in
      guard try LedgerSchema.standing(database) == .ledger else { return LedgerHistory(runs: [], attempt: nil) }
      let runs = try Row.fetchAll(database, sql: "SELECT * FROM run ORDER BY number").map {
        NumberedRun(number: try $0.value("number"), entry: try RunEntry($0, database: database))
      }
      return LedgerHistory(runs: runs, attempt: try Ledger.attempt(database))
    }
  }
}
