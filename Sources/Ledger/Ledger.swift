import GRDB

/// What is kept from night to night: the runs, and the fingerprint of every settled pay key (`ledger.md`).
///
/// One run at a time has it open; a second one is told that it is busy. Whatever is changed is changed in a transaction
/// that is on the disk when the call returns. Not safe for two threads at once.
public final class Ledger {
  /// The ledger's file, as an absolute path without links.
  public let path: String
  /// The secret key of the pay keys' fingerprints, drawn when the ledger was made.
  public let hashKey: (key0: UInt64, key1: UInt64)

  let database: DatabaseQueue
  // Behind the database: it is let go when that is closed.
  private let lock: LedgerLock

  /// Opens a ledger, makes it where there is none, and brings it to this version's schema.
  ///
  /// Throws where another run has it open, or where the file cannot be used. Nothing is written to a file that is no
  /// ledger.
  public init(path: String) throws(LedgerFailure) {
    let real = try LedgerFile.resolve(path)
    let lock = try LedgerLock(ledger: real)
    switch LedgerFile.size(real) {
    case 0 where lock.saysMade: throw .damaged("the ledger is damaged: it is empty, and was not before")
    case nil where lock.saysMade: lock.saysMade = false
    default: break
    }
    try LedgerFile.make(real)
    let opened = try LedgerFailure.telling {
      let database = try LedgerConnection.open(real, isReadOnly: false)
      if try !database.read(LedgerSchema.isLedger) { try LedgerSchema.make(database) }
      // As it is made; somebody may have set another.
      try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
      let key = try database.read(HashKey.fetch)
      return (database, (key.key0, key.key1))
    }
    if !lock.saysMade { lock.saysMade = true }
    self.path = real
    self.lock = lock
    (database, hashKey) = opened
  }

  deinit { try? database.close() }

  /// Reads in one transaction.
  func read<Result>(_ body: (Database) throws -> Result) throws(LedgerFailure) -> Result {
    try LedgerFailure.telling { try database.read(body) }
  }

  /// Writes in one transaction, which is on the disk when this returns.
  func write<Result>(_ body: (Database) throws -> Result) throws(LedgerFailure) -> Result {
    try LedgerFailure.telling { try database.write(body) }
  }

  /// KiB of pages in memory while segments are merged: each time it is full, all that is under way must reach the disk.
  static let mergingCache = 16_384
}
