import Claims
import Failures
import FoundationEssentials
import SQLite

/// The tables of a ledger. A new ledger gets them at once, one of an earlier version step by step: a later version appends
/// migrations and never changes one, unless it drops the first ones.
enum LedgerSchema {
  /// Marks the database as a ledger of settle: `StLg`.
  static let applicationID: Int32 = 0x5374_4C67

  private struct Migration: Sendable {
    let number: Int
    let name: String
    let make: @Sendable (Database) throws -> Void
  }

  /// What each version adds to the one before. The table `grdb_migrations` contains the names of a ledger's migrations,
  /// which begin with their numbers; a name never changes. The first one is that of 1.0.0-rc.2, the oldest version whose
  /// ledgers are read: every ledger has its tables.
  private static let migrations = [
    Migration(number: 6, name: "6: balances and payouts") { _ in },
    Migration(number: 7, name: "7: names, given-up payouts, and digests of digests") { database in
      try database.execute(sql: names + givenUp)
      try EntryTable.coverDigests(database)
      try Ledger.keepAttemptDigest(database)
      try LedgerIdentity(database, isEarlier: true).write(database)
    },
    Migration(number: 8, name: "8: 1.0.0-rc.4") { database in
      try database.execute(sql: witness)
      try database.execute(sql: safeguards)
      try database.execute(sql: terms)
    },
  ]

  // Some columns are described where ledgers of earlier versions get them: `names`, `witness`, `safeguards`, `terms`.
  private static let tables = """
    -- The secret key of the pay keys' fingerprints: one row, never changed.
    CREATE TABLE hashKey (key0 INTEGER NOT NULL, key1 INTEGER NOT NULL, digest INTEGER NOT NULL) STRICT;

    -- id distinguishes this ledger from copies that no longer count: one row. lastPayout: the number after which payouts
    -- are numbered, whether the ledger has it or not.
    CREATE TABLE ledgerID (
      id BLOB NOT NULL,
      lastPayout INTEGER NOT NULL DEFAULT 0,
      name TEXT NOT NULL DEFAULT '',
      word INTEGER,
      madeAgain INTEGER NOT NULL DEFAULT 0,
      digest INTEGER NOT NULL DEFAULT 0,
      witness INTEGER,
      lastDirectory INTEGER,
      others TEXT
    ) STRICT;

    -- A run that is entered. Digests of texts are SHA-256. batchKey is the fingerprint of the batch id; batchID is for
    -- showing. digest: XXH3 of the rows of the run, its files, its totals and its rules. day: the UTC date of the header's
    -- createdAt, in days since 1970-01-01. details: how many payments' details the run has; null if none are kept, because
    -- they were pruned or the run was entered before there were any. pruned: the last run when they were pruned; null if
    -- they are kept, or were pruned before this was noted. pieces: 1 if the digests of the run's texts are in pieces, null
    -- if they are plain, as 1.0.0-rc.1 entered them. balances: how many amounts of accounts the run has; null in one
    -- entered before they were kept. adopted: 1 in a run entered with a directory that existed.
    CREATE TABLE run (
      number INTEGER PRIMARY KEY,
      time TEXT NOT NULL,
      engine TEXT NOT NULL,
      content BLOB NOT NULL,
      opening BLOB NOT NULL,
      schedule BLOB NOT NULL,
      options TEXT NOT NULL,
      batchKey BLOB,
      batchID TEXT,
      recordsRead INTEGER NOT NULL,
      settled INTEGER NOT NULL,
      rejected INTEGER NOT NULL,
      pending INTEGER NOT NULL,
      held INTEGER NOT NULL,
      controlTotals TEXT NOT NULL,
      directory BLOB NOT NULL,
      sums TEXT NOT NULL,
      digest INTEGER NOT NULL DEFAULT 0,
      day INTEGER,
      refunded INTEGER,
      preapprovals INTEGER,
      details INTEGER,
      pruned INTEGER,
      pieces INTEGER,
      balances INTEGER,
      adopted INTEGER,
      checks INTEGER,
      UNIQUE (content, schedule, options)
    ) STRICT;
    CREATE INDEX runOpening ON run (opening);
    CREATE INDEX runBatchKey ON run (batchKey);

    CREATE TABLE runFile (
      run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
      place INTEGER NOT NULL,
      name TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      digest TEXT NOT NULL,
      PRIMARY KEY (run, place)
    ) WITHOUT ROWID, STRICT;

    CREATE TABLE runTotal (
      run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
      currency TEXT NOT NULL,
      payments INTEGER NOT NULL,
      senderAmount TEXT NOT NULL,
      senderFees TEXT NOT NULL,
      receiverNet TEXT NOT NULL,
      fees TEXT NOT NULL,
      refunds INTEGER,
      refunded TEXT,
      receiverDebit TEXT,
      feesReturned TEXT,
      PRIMARY KEY (run, currency)
    ) WITHOUT ROWID, STRICT;

    -- The rule texts that runs used, such as fee schedules, each once. digest is the SHA-256.
    CREATE TABLE ruleText (digest BLOB NOT NULL PRIMARY KEY, content BLOB NOT NULL) STRICT;

    -- The texts of a run by name. A run that was entered before they were kept has no row.
    CREATE TABLE runRule (
      run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
      name TEXT NOT NULL,
      digest BLOB NOT NULL,
      PRIMARY KEY (run, name)
    ) WITHOUT ROWID, STRICT;

    -- Sorted runs of fingerprints, each of one shard; the newest have the highest id. run is the last whose keys it has.
    -- All of them together have as many keys as runs have settled payments. digest: XXH3 of the row without its filter,
    -- which has its own.
    CREATE TABLE keySegment (
      id INTEGER PRIMARY KEY,
      shard INTEGER NOT NULL,
      run INTEGER NOT NULL,
      keyCount INTEGER NOT NULL,
      firstBlock INTEGER NOT NULL,
      filter BLOB NOT NULL,
      digest INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    -- The fingerprints, about 200 per row, which is a page. id is the segment's and 40 bits of the first fingerprint.
    CREATE TABLE keyBlock (id INTEGER PRIMARY KEY, entries BLOB NOT NULL) STRICT;
    """

  private static let refunds = """
    -- What refunds need of the settled payments. id is the run's number and 40 bits of the first fingerprint.
    CREATE TABLE detailBlock (id INTEGER PRIMARY KEY, entries BLOB NOT NULL) STRICT;

    -- Refunds made. id is the run's number and 32 bits of the place among its refunds; payment is a fingerprint; digest is
    -- 32 bits of XXH3.
    CREATE TABLE refund (
      id INTEGER PRIMARY KEY,
      refundKey TEXT NOT NULL,
      payment BLOB NOT NULL,
      taken BLOB NOT NULL,
      digest INTEGER NOT NULL
    ) STRICT;

    -- Agreements. digest is the sum of the XXH3 of the row and of all rows of its records and uses.
    CREATE TABLE agreement (
      id INTEGER PRIMARY KEY,
      preapprovalKey TEXT NOT NULL,
      digest INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE agreementRecord (
      agreement INTEGER NOT NULL,
      run INTEGER NOT NULL,
      place INTEGER NOT NULL,
      content BLOB NOT NULL,
      PRIMARY KEY (agreement, run, place)
    ) WITHOUT ROWID, STRICT;

    CREATE TABLE agreementUse (
      agreement INTEGER NOT NULL,
      run INTEGER NOT NULL,
      period INTEGER NOT NULL,
      payments INTEGER NOT NULL,
      amount TEXT NOT NULL,
      PRIMARY KEY (agreement, run, period)
    ) WITHOUT ROWID, STRICT;

    -- Where the rows of those tables are, by 48 bits of a fingerprint.
    CREATE TABLE refundByKey (hash INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (hash, id)) WITHOUT ROWID, STRICT;
    CREATE TABLE refundByPayment (
      hash INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (hash, id)
    ) WITHOUT ROWID, STRICT;
    CREATE TABLE agreementByKey (
      hash INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (hash, id)
    ) WITHOUT ROWID, STRICT;
    """

  private static let balances = """
    -- A payout that is entered. since is the option, firstRun the resulting run; ledger is what its files call
    -- the ledger. Digests of files are SHA-256. payments, returns and carried are the lengths of its lists. digest is the
    -- XXH3 of its row and those of its totals.
    CREATE TABLE payout (
      number INTEGER PRIMARY KEY,
      time TEXT NOT NULL,
      engine TEXT NOT NULL,
      date TEXT NOT NULL,
      executionDate TEXT NOT NULL,
      untilRun INTEGER NOT NULL,
      since INTEGER,
      minimums TEXT NOT NULL,
      payees TEXT NOT NULL,
      returned TEXT,
      debtor TEXT,
      firstRun INTEGER NOT NULL,
      ledger TEXT NOT NULL,
      adopted INTEGER NOT NULL,
      exitCode INTEGER NOT NULL,
      achFiles INTEGER NOT NULL,
      payments INTEGER NOT NULL,
      returns INTEGER NOT NULL,
      carried INTEGER NOT NULL,
      directory BLOB NOT NULL,
      sums TEXT NOT NULL,
      digest INTEGER NOT NULL DEFAULT 0,
      place INTEGER,
      bookedRun INTEGER,
      enteredAfter INTEGER,
      adjustments TEXT,
      adjusted INTEGER,
      changedAccounts INTEGER,
      refused INTEGER,
      keepsDay INTEGER,
      terms TEXT,
      noPayments INTEGER,
      delayed INTEGER,
      reserved INTEGER
    ) STRICT;

    -- The directory that a run is working on: at most one row. Its run or payout is entered, but may be unpublished; or
    -- both are null, and nothing of it counts.
    CREATE TABLE attempt (
      directory BLOB NOT NULL,
      replaces INTEGER NOT NULL,
      run INTEGER REFERENCES run ON DELETE SET NULL,
      payout INTEGER REFERENCES payout ON DELETE SET NULL,
      digest INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    CREATE TABLE payoutTotal (
      payout INTEGER NOT NULL,
      currency TEXT NOT NULL,
      opening TEXT NOT NULL,
      settled TEXT NOT NULL,
      returned TEXT NOT NULL,
      paid TEXT NOT NULL,
      closing TEXT NOT NULL,
      carried TEXT NOT NULL,
      owing TEXT NOT NULL,
      instructions INTEGER NOT NULL,
      accountsCarried INTEGER NOT NULL,
      accountsOwing INTEGER NOT NULL,
      adjusted TEXT,
      delayed TEXT,
      reserved TEXT,
      kept TEXT,
      PRIMARY KEY (payout, currency)
    ) WITHOUT ROWID, STRICT;

    -- Amounts of accounts, in lists sorted by account and currency, a few hundred per row. id is the kind of list,
    -- the number of the run or payout, and the row's place in the list.
    CREATE TABLE accountBlock (id INTEGER PRIMARY KEY, entries BLOB NOT NULL) STRICT;
    """

  /// Makes the tables of a new ledger in the open transaction.
  private static func makeTables(_ database: Database) throws {
    for tables in [tables, refunds, balances, givenUp] { try database.execute(sql: tables) }
    try KeyedHash().insert(database)
    try database.execute(sql: "INSERT INTO ledgerID (id) VALUES (?)", arguments: [UUID()])
    try LedgerIdentity(database, isEarlier: true).write(database)
    for migration in migrations { try database.execute(sql: noteMigration, arguments: [migration.name]) }
  }

  private static let noteMigration = "INSERT INTO grdb_migrations (identifier) VALUES (?)"

  /// What a database means to this version of settle.
  enum State {
    case empty
    /// A ledger that was interrupted while it was made, before it could hold anything.
    case unfinished
    /// A ledger of an earlier version: it can be read, and is upgraded before it is written to.
    case earlier
    /// A ledger of this version.
    case current

    /// Whether it can hold runs.
    var isLedger: Bool { self == .earlier || self == .current }
  }

  /// Throws if a database belongs to another application, or is a ledger of a later version or of 1.0.0-rc.1.
  static func state(_ database: Database) throws -> State {
    let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
    let id = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    if tables == 0, id == 0 { return .empty }
    guard id == applicationID else {
      throw Failure.foreign("is not a ledger: it is a database of another application")
    }
    let (version, first, current) = (try version(database), migrations.first!.number, migrations.last!.number)
    guard version <= current else {
      throw Failure.configuration("is a ledger of a later version of settle; this one cannot read it")
    }
    if version == 0 { return .unfinished }
    guard version >= first else {
      throw Failure(
        .configuration, "is a ledger of 1.0.0-rc.1 or before, which this version does not read", advice: .convert)
    }
    return version < current ? .earlier : .current
  }

  /// Whether a database holds neither a run nor a payout, such as one whose making was interrupted.
  static func hasNothing(_ database: Database) throws -> Bool {
    guard try state(database).isLedger else { return true }
    return try ["run", "payout"].allSatisfy { try Bool.fetchOne(database, sql: "SELECT 1 FROM \($0) LIMIT 1") == nil }
  }

  /// The number of the last migration that a database has had, or 0.
  static func version(_ database: Database) throws -> Int {
    let hasAny = try Bool.fetchOne(database, sql: "SELECT 1 FROM sqlite_master WHERE name = 'grdb_migrations'")
    guard hasAny == true else { return 0 }
    let made = try String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations")
    return made.map { name in Int(name.prefix { $0 != ":" }) ?? .max }.max() ?? 0
  }

  /// Makes a ledger from an empty database, or completes or upgrades an unfinished or earlier one.
  static func make(_ database: Database) throws {
    // First, and on its own: whatever follows is then known to belong to a ledger.
    try database.write { try $0.execute(sql: "PRAGMA application_id = \(applicationID)") }
    try database.write { database in
      try database.execute(sql: "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
      if try version(database) == 0 { try makeTables(database) } else { try upgrade(database) }
    }
  }

  /// Upgrades a ledger of an earlier version in the open transaction.
  static func upgrade(_ database: Database) throws {
    let version = try version(database)
    for migration in migrations where migration.number > version {
      try migration.make(database)
      try database.execute(sql: noteMigration, arguments: [migration.name])
    }
  }
}
