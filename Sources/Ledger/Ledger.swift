import Claims
import SQLite
import Glibc

/// What is kept from night to night: the runs, the fingerprint of every settled pay key, what refunds need from the
/// payments, refunds and agreements (`ledger.md`).
///
/// Only one run at a time has it open; a second one fails with ``LedgerFailure/busy(_:)``. Every change is made in a
/// transaction that is on the disk when the call returns. Not safe for two threads at once.
public final class Ledger {
  /// The ledger's file, as an absolute path without links.
  public let path: String
  /// The hash of the fingerprints, whose secret key was drawn when the ledger was made.
  public let hash: KeyedHash

  /// The version of its tables before this opening upgraded them; nil if it was new or current.
  public let carriedOverFrom: Int?

  let database: Database
  // After the database: the lock is released once that is closed.
  let lock: LedgerLock

  /// Whether this opening made the ledger.
  public private(set) var isMade = false

  /// Opens a ledger, makes it if there is none, and upgrades it to this version's schema.
  ///
  /// Throws if another run has it open, or if the file cannot be used: also if the ledger that its lock file names is
  /// gone, or this is an older copy. Nothing is written to a file that is not a ledger.
  ///
  /// - Parameter mustHaveRuns: whether to throw, and make nothing, if no run is entered yet.
  public convenience init(path: String, mustHaveRuns: Bool = false) throws(LedgerFailure) {
    let real = try Self.resolve(path, mustExist: mustHaveRuns)
    let lock = try LedgerLock(ledger: real)
    let known = lock.slot
    var (isAbsent, isMade) = (false, false)
    do throws(LedgerFailure) {
      isAbsent = try LedgerFile.size(real) == nil
      isMade = known.map { $0.lastRun == nil } ?? isAbsent
      if isMade, mustHaveRuns { throw Self.noLedger }
      if isMade, known == nil {
        // This must be on the disk before there is a file that a power failure may leave empty.
        try lock.keep(LedgerSlot())
        try LedgerFile.syncFolder(of: real)
      }
      try self.init(real, lock)
      try expect(known)
      try lock.keep(read { try RunDigest.slot($0) })
    } catch {
      // A lock file that names no ledger counts as absent.
      if isMade, isAbsent { Self.remove(real, lock) } else if known == nil { lock.remove() }
      throw Self.hinted(error, known)
    }
    self.isMade = isMade
    if mustHaveRuns, isEmpty { throw .inputOutput("the ledger has no run yet, and --existing-ledger requires one") }
  }

  private static let noLedger = LedgerFailure.inputOutput(
    "there is no such ledger, and --existing-ledger makes none; name the ledger with the earlier runs")

  /// The ledger's path without links.
  private static func resolve(_ path: String, mustExist: Bool) throws(LedgerFailure) -> String {
    guard mustExist else { return try LedgerFile.resolve(path) }
    do throws(LedgerFailure) {
      let real = try LedgerFile.resolve(path)
      if try LedgerFile.size(real) == nil, try LedgerFile.size(real + "-lock") == nil { throw noLedger }
      return real
    } catch .unavailable(let text) {
      throw .inputOutput(text)
    }
  }

  /// Whether it has neither a run nor a payout.
  public var isEmpty: Bool { lock.slot?.lastRun == 0 && lock.slot?.lastPayout == 0 }

  /// Removes the ledger and its lock file, unless a run or a payout is entered.
  public func removeIfEmpty() {
    if isEmpty { Self.remove(path, lock) }
  }

  /// Removes an empty ledger, in an order that never leaves a lock file that names a ledger.
  private static func remove(_ path: String, _ lock: LedgerLock) {
    try? lock.keep(LedgerSlot())
    unlink(path)
    unlink(path + "-journal")
    lock.remove()
  }

  /// Throws if this is not the ledger that its lock file names, or if it has fewer runs or payouts. Having more is
  /// correct.
  private func expect(_ known: LedgerSlot?) throws(LedgerFailure) {
    guard let known, let lastRun = known.lastRun else { return }
    let then = try read { try RunDigest.slot($0, before: lastRun + 1, beforePayout: known.lastPayout + 1) }
    if then.id != known.id { throw .damaged("is not the ledger of its lock file") }
    if then.lastRun != lastRun { throw .damaged("the ledger has runs up to \(then.lastRun ?? 0) only") }
    if then.digest != known.digest { throw .damaged("the ledger's run \(lastRun) is not the one that was entered") }
    if then.lastPayout != known.lastPayout {
      throw .damaged("the ledger has payouts up to \(then.lastPayout) only, and would make the others again")
    }
    if known.payoutDigest != 0, then.payoutDigest != known.payoutDigest {
      throw .damaged("the ledger's payout \(known.lastPayout) is not the one that was entered")
    }
  }

  /// A failure to open a ledger, with what its lock file says.
  private static func hinted(_ failure: LedgerFailure, _ known: LedgerSlot?) -> LedgerFailure {
    guard let known else { return failure }
    let hint = "; \(known.described). Put the right file back; settle ledger adopt makes an older copy count"
    return switch failure {
    case .foreign(let found) where known.lastRun != nil: .damaged(found + hint)
    case .damaged(let found): .damaged(found + hint)
    default: failure
    }
  }

  /// Opens or makes a database, whatever the lock file says about it.
  init(_ path: String, _ lock: LedgerLock) throws(LedgerFailure) {
    let isBeingMade = lock.slot.map { $0.lastRun == nil } ?? false
    let size = try LedgerFile.size(path) ?? -1
    guard size > 0 || isBeingMade else {
      throw .damaged(
        size < 0 ? "the ledger is gone" : "the ledger is empty, and a new one is made only if there is no file")
    }
    try LedgerFile.make(path)
    try LedgerFile.expectWhole(path, size: size)
    (database, hash, carriedOverFrom) = try LedgerFailure.telling {
      let database = try LedgerConnection.open(path, isReadOnly: false)
      let (state, version) = try database.read { (try LedgerSchema.state($0), try LedgerSchema.version($0)) }
      switch state {
      case .current: break
      case .empty where !isBeingMade: throw LedgerFailure.foreign("is not a ledger: it is an empty database")
      default: try LedgerSchema.make(database)
      }
      // This is the mode the ledger was made with; someone may have changed it.
      try database.execute(sql: "PRAGMA journal_mode = DELETE")
      return (database, try database.read(KeyedHash.fetch), state == .earlier ? version : nil)
    }
    self.path = path
    self.lock = lock
  }

  deinit { database.close() }

  /// Reads in one transaction.
  func read<Result>(_ body: (Database) throws -> Result) throws(LedgerFailure) -> Result {
    try LedgerFailure.telling { try database.read(body) }
  }

  /// Writes in one transaction, which is on the disk when this returns.
  func write<Result>(_ body: (Database) throws -> Result) throws(LedgerFailure) -> Result {
    try LedgerFailure.telling { try database.write(body) }
  }

  /// KiB of pages in memory while segments are merged. Each time they are full, all unwritten pages must go to the
  /// disk.
  static let mergingCache = 16_384
}
