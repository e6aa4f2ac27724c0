import Failures
import SQLite

/// The runs of a ledger, read without writing to it and without blocking a run.
public struct LedgerHistory: Sendable {
  /// The runs that are entered, in order.
  public let runs: [RunEntry]
  /// What a run is working on, or was working on when it was interrupted. If it names a run, that run is among `runs`;
  /// only its directory shows whether it was published.
  public let attempt: Attempt?
  /// The payouts that are entered, in book order.
  public let payouts: [PayoutEntry]
  /// The payouts that were given up, in order.
  public let givenUp: [GivenUpPayout]
  /// The ledger's name.
  public let name: LedgerName
  /// The highest number of a payout that the ledger knows, entered or missing.
  public private(set) var lastKnownPayout = 0
  /// The digest of the directory of that payout; nil if it is not known.
  public private(set) var lastKnownDirectory: DirectoryDigest?
  /// The names of other shops' ledgers, according to the operator.
  public private(set) var others: Set<LedgerName> = []
  /// Why this may not be the newest copy, going by its lock file; nil if it is sound.
  public private(set) var doubt: String?

  /// Reads a ledger's runs.
  ///
  /// If an interrupted run left a transaction behind, SQLite must undo it first, which needs permission to write.
  public init(ledger path: String) throws(Failure) {
    self = try LedgerPlace.reading(path) { place in
      try LedgerConnection.reading(place) { database in
        try database.read { try LedgerHistory($0, lockOf: place.path) }
      }
    }
  }

  /// The runs in a database, and what its lock file says about it.
  init(_ database: Database, lockOf path: String) throws {
    try self.init(database)
    if LedgerLock.isForbidden(path) { return }
    let lock = try LedgerLock.slot(of: path)
    doubt = try LedgerSchema.state(database).isLedger ? LedgerSlot.doubt(of: database, known: lock) : nil
    if let lock, lock.name == name, lock.lastPayout > lastKnownPayout {
      (lastKnownPayout, lastKnownDirectory) = (lock.lastPayout, DirectoryDigest(kept: lock.payoutDirectory))
    }
  }

  /// The runs in a database; empty if no run has made it a ledger yet.
  init(_ database: Database) throws {
    guard try LedgerSchema.state(database).isLedger else {
      (runs, payouts, givenUp) = ([], [], [])
      attempt = nil
      name = LedgerName(0)
      return
    }
    runs = try RunEntry.all(database)
    attempt = try Ledger.attempt(database)
    payouts = try PayoutEntry.inBookOrder(database)
    givenUp = try GivenUpPayout.all(database)
    let slot = try LedgerSlot(database)
    (name, lastKnownPayout) = (slot.name, slot.lastPayout)
    lastKnownDirectory = DirectoryDigest(kept: slot.payoutDirectory)
    others = try LedgerIdentity(database).others
  }
}

extension Ledger {
  /// The runs and payouts that are entered.
  public func history() throws(Failure) -> LedgerHistory { try read { try LedgerHistory($0) } }
}
