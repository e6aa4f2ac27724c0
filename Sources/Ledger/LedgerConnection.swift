import GRDB
import GRDBSQLite
import Glibc
import Synchronization

/// How databases are opened.
enum LedgerConnection {
  /// KiB of pages that a connection keeps in memory.
  static let ordinaryCache = 1024

  /// Connections are kept, closed, to the end of the process: letting go of one's queue takes a thread of Dispatch, which
  /// waits for ever if the system gives none.
  private static let opened = Mutex<[DatabaseQueue]>([])

  /// Opens a database; it is the caller's to close.
  static func open(_ path: String, isReadOnly: Bool) throws -> DatabaseQueue {
    try LedgerFile.check(path, isReadOnly: isReadOnly)
    let database = try DatabaseQueue(path: path, configuration: configuration(isReadOnly: isReadOnly))
    opened.withLock { $0.append(database) }
    return database
  }

  /// Reads a database, and closes it. Where an interrupted run left a transaction behind, SQLite must undo it first, which
  /// takes leave to write.
  static func reading<Result>(_ path: String, _ body: (DatabaseQueue) throws -> Result) throws -> Result {
    func read(isReadOnly: Bool) throws -> Result {
      let database = try open(path, isReadOnly: isReadOnly)
      defer { try? database.close() }
      return try body(database)
    }
    do {
      return try read(isReadOnly: true)
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
      return try read(isReadOnly: false)
    }
  }

  /// How SQLite is to work: a rollback journal, so that the ledger is one file whenever no run is at work; every commit
  /// waits until the disk has it, the journal's removal included.
  private static func configuration(isReadOnly: Bool) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    // Runs are kept apart by their lock; whoever else looks at the ledger is soon done.
    configuration.busyMode = .timeout(3)
    configuration.label = "settle.ledger"
    // One that reads may do so in one transaction to its end.
    configuration.allowsUnsafeTransactions = isReadOnly
    configuration.prepareDatabase { database in
      try database.execute(
        sql: """
          PRAGMA synchronous = EXTRA; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0;
          PRAGMA secure_delete = OFF; PRAGMA cache_size = -\(ordinaryCache)
          """)
    }
    return configuration
  }
}
