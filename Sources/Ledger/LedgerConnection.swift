import CSQLiteCalls
import GRDB
import GRDBSQLite
import Glibc
import Threads

/// How databases are opened.
enum LedgerConnection {
  /// KiB of pages that a connection keeps in memory.
  static let ordinaryCache = 1024

  /// Done once, before the first connection.
  private static let guardCalls: Void = settle_guard_sqlite_calls()

  /// Connections are kept, closed, to the end of the process: letting go of one's queue takes a thread of Dispatch, which
  /// waits for ever where the system gives none.
  nonisolated(unsafe) private static var opened: [DatabaseQueue] = []
  private static let gate = Lock()

  /// Opens a database; it is the caller's to close.
  static func open(_ path: String, isReadOnly: Bool) throws -> DatabaseQueue {
    guardCalls
    let database = try DatabaseQueue(path: path, configuration: configuration(isReadOnly: isReadOnly))
    gate.withLock { opened.append(database) }
    return database
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
      if !isReadOnly { try checkWritable(database) }
      try database.execute(
        sql: """
          PRAGMA synchronous = EXTRA; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0;
          PRAGMA secure_delete = OFF; PRAGMA cache_size = -\(ordinaryCache)
          """)
    }
    return configuration
  }

  /// Throws where the file could not be opened for writing: SQLite opens it for reading then.
  private static func checkWritable(_ database: Database) throws {
    guard sqlite3_db_readonly(database.sqliteConnection, "main") == 1 else { return }
    let code = settle_take_sqlite_error()
    let text = "cannot open the ledger for writing: \(LedgerLock.text(code == 0 ? EACCES : code))"
    throw code == EIO ? LedgerFailure.inputOutput(text) : .unavailable(text)
  }
}
