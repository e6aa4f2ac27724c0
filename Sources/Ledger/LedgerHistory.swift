import Failures
import FileSystem
import SQLite

/// The runs and payouts of a ledger that count, read without writing to it and without blocking a run: a run counts once
/// its reports are published.
public struct LedgerHistory: Sendable {
  /// The runs, in order.
  public private(set) var runs: [RunEntry] = []
  /// The payouts, in book order.
  public private(set) var payouts: [PayoutEntry] = []
  /// The payouts that were given up, in order.
  public private(set) var givenUp: [GivenUpPayout] = []
  /// What a run is working on, or was working on when it was interrupted; nil if that is published.
  public private(set) var attempt: Attempt?
  /// The ledger's name.
  public private(set) var name = LedgerName(0)
  /// The highest number of a payout that the ledger or its lock file knows, entered or missing.
  public private(set) var lastKnownPayout = 0
  /// The digest of the directory of that payout; nil if it is not known.
  public private(set) var lastKnownDirectory: DirectoryDigest?
  /// The names of other shops' ledgers, according to the operator.
  public private(set) var others: Set<LedgerName> = []
  /// A message about a ledger that may not be the newest copy, going by its lock file; nil if it is sound.
  public private(set) var doubt: String?

  /// Reads a ledger's runs and payouts.
  ///
  /// If an interrupted run left a transaction behind, SQLite must undo it first, which needs permission to write.
  public init(ledger path: String) throws(Failure) {
    self = try LedgerPlace.reading(path) { place in
      try LedgerConnection.reading(place) { database in
        try database.read { try LedgerHistory($0, lockOf: place) }
      }
    }.counted
  }

  /// What a database has entered, published or not, and what its lock file says about it.
  init(_ database: Database, lockOf place: LedgerPlace) throws {
    try self.init(database)
    if LedgerLock.isForbidden(place.path) { return }
    let lock = try LedgerLock.slot(of: place.path)
    if try LedgerSchema.state(database).isLedger, let doubt = try LedgerSlot.doubt(of: database, known: lock) {
      self.doubt =
        "\(place.shown): \(doubt). What it says may be out of date; settle ledger verify \(place.quoted) says more"
    }
    if let lock, lock.name == name, lock.lastPayout > lastKnownPayout {
      (lastKnownPayout, lastKnownDirectory) = (lock.lastPayout, DirectoryDigest(kept: lock.payoutDirectory))
    }
  }

  /// What a database has entered, published or not; empty if no run has made it a ledger yet.
  init(_ database: Database) throws {
    guard try LedgerSchema.state(database).isLedger else { return }
    runs = try RunEntry.all(database)
    attempt = try Ledger.attempt(database)
    payouts = try PayoutEntry.inBookOrder(database)
    givenUp = try GivenUpPayout.all(database)
    let slot = try LedgerSlot(database)
    (name, lastKnownPayout) = (slot.name, slot.lastPayout)
    lastKnownDirectory = DirectoryDigest(kept: slot.payoutDirectory)
    others = try LedgerIdentity(database).others
  }

  /// The same without a run or payout that is entered and not published. Reads its files.
  var counted: LedgerHistory {
    let entered = attempt?.entered
    let isPublished = runs.first { $0.id == entered }?.isPublished ?? payouts.first { $0.id == entered }?.isPublished
    var counted = self
    if isPublished == true {
      counted.attempt = nil
    } else {
      counted.runs.removeAll { $0.id == entered }
      counted.payouts.removeAll { $0.id == entered }
    }
    return counted
  }

  /// A message about a run that is active or was interrupted; nil if there is no such run.
  public var unfinished: String? {
    attempt.map { attempt in
      let directory = OutputPlace.shown(FileName.string(attempt.directory))
      let isAtWork = "a run is active at \(directory), or was interrupted there"
      return attempt.entered.map {
        "\(isAtWork), as \($0), before its reports were published; the next run with this ledger completes or "
          + "withdraws it"
      } ?? "\(isAtWork); nothing of it was settled"
    }
  }

  /// Whether some of the runs were entered by the plain digests of their texts.
  package var hasPlainRuns: Bool { runs.contains { $0.identity.isPlain } }
}

extension Ledger {
  /// The runs and payouts that are entered, published or not.
  public func history() throws(Failure) -> LedgerHistory { try read { try LedgerHistory($0) } }
}
