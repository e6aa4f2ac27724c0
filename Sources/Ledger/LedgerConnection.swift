import SQLite

/// How databases are opened.
enum LedgerConnection {
  /// KiB of pages that a connection keeps in memory.
  static let ordinaryCache = 1024

  /// Opens a database; the caller must close it.
  ///
  /// It uses a rollback journal, so the ledger is one file whenever no run is active. Every commit waits until it is on
  /// the disk, including the journal's removal.
  static func open(_ place: LedgerPlace, isReadOnly: Bool) throws -> Database {
    try open(place.path, named: place.shown, isReadOnly: isReadOnly)
  }

  /// Opens a database that messages call by a name, or not at all; the caller must close it.
  static func open(_ path: String, named name: String? = nil, isReadOnly: Bool) throws -> Database {
    try LedgerFile.check(path, isReadOnly: isReadOnly)
    // The lock excludes other runs; anyone else who reads the ledger is done soon.
    let database = try Database(path: path, name: name, isReadOnly: isReadOnly, busyTimeout: 3000)
    try database.execute(
      sql: """
        PRAGMA synchronous = EXTRA; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0;
        PRAGMA secure_delete = OFF; PRAGMA cache_size = -\(ordinaryCache)
        """)
    return database
  }

  /// Reads a database, and closes it. If an interrupted run left a transaction behind, SQLite must undo it first, which
  /// needs permission to write.
  static func reading<Result>(_ place: LedgerPlace, _ body: (Database) throws -> Result) throws -> Result {
    func read(isReadOnly: Bool) throws -> Result {
      let database = try open(place, isReadOnly: isReadOnly)
      defer { database.close() }
      return try body(database)
    }
    do {
      return try read(isReadOnly: true)
    } catch let error as DatabaseError where error.needsRollback {
      try LedgerJournal.expectOwn(place.path, known: LedgerLock.slot(of: place.path))
      return try read(isReadOnly: false)
    }
  }
}
