import Claims
import Failures
import FileSystem
import SQLite
import Glibc

/// What is kept from night to night: the runs, the fingerprint of every settled pay key, what refunds need from the
/// payments, refunds and agreements (`ledger.md`).
///
/// Only one run at a time has it open; a second one fails with `Failure.busy`. Every change is made in a
/// transaction that is on the disk when the call returns. Not safe for two threads at once.
public final class Ledger {
  /// Where it is.
  let place: LedgerPlace
  /// The ledger's file, as an absolute path without links.
  public var path: String { place.path }
  /// The hash of the fingerprints, whose secret key was drawn when the ledger was made.
  public let hash: KeyedHash

  /// The version of its tables before this opening upgraded them; nil if it was new or current.
  public let carriedOverFrom: Int?

  let database: Database
  // After the database: the lock is released once that is closed.
  let lock: LedgerLock
  /// What this opening made.
  private var making = Making.nothing
  /// What the lock file should say about the ledger as it is now.
  private(set) var slot = LedgerSlot()

  /// What an opening may make.
  private enum Making: Equatable {
    /// Nothing: there is a ledger.
    case nothing
    /// A new ledger, with a new lock file.
    case new(isAbsent: Bool)
    /// A lost ledger, with the name and numbers of its lock file, which stays as it is until a run is entered.
    case again(LedgerSlot)
  }

  /// Opens a ledger, makes it if there is none, and upgrades it to this version's schema.
  ///
  /// Throws if another run has it open, or if the file cannot be used: also if the ledger that its lock file names is
  /// gone, or this may be an older copy. Nothing is written to a file that is not a ledger.
  ///
  /// - Parameters:
  ///   - mustHaveRuns: whether to throw, and make nothing, if no run is entered yet.
  ///   - makesAgain: whether a run with `--adopt` opens it, which makes a lost ledger again.
  public convenience init(
    path: String, mustHaveRuns: Bool = false, makesAgain: Bool = false
  ) throws(Failure) {
    let shown = OutputPlace.shown(path)
    let (real, lock) = try Failure.telling(shown) {
      let real = try Self.resolve(path, mustExist: mustHaveRuns)
      return (real, try LedgerLock(ledger: real))
    }
    let known = lock.slot
    var making = Making.nothing
    do {
      making = try Self.making(real, known, makesAgain: makesAgain)
      if making != .nothing, mustHaveRuns { throw Self.noLedger }
      var expected = known
      if case .new = making {
        expected = LedgerSlot()
        // This must be on the disk before there is a file that a power failure may leave empty.
        try lock.keep(LedgerSlot())
        try LedgerFile.syncFolder(of: real)
      }
      if making == .nothing { try LedgerJournal.expectOwn(real, known: known) }
      try self.init(LedgerPlace(path: real, shown: shown), lock, making) { [making] database in
        if case .again = making { return }
        if let doubt = try LedgerSlot.doubt(of: database, known: expected) {
          throw Failure.unsound(doubt, .adopt(asksForLastPayout: known?.isBesideDamage ?? true))
        }
      }
      if making != .nothing { try begin(makesAgain: makesAgain) }
      slot = try read { try LedgerSlot($0) }
      if !isMadeFromLock { try lock.keep(slot) }
    } catch {
      Self.remove(making, real, lock)
      throw Self.hinted(Failure(ofLedger: error), known, real).ofLedger(shown)
    }
    if mustHaveRuns, isEmpty {
      throw Failure.inputOutput("the ledger has no run yet, and --existing-ledger requires one").ofLedger(shown)
    }
  }

  private static let noLedger = Failure.inputOutput(
    "there is no such ledger, and --existing-ledger makes none; name the ledger with the earlier runs")

  /// The ledger's path without links.
  private static func resolve(_ path: String, mustExist: Bool) throws(Failure) -> String {
    guard mustExist else { return try LedgerFile.resolve(path) }
    do throws(Failure) {
      let real = try LedgerFile.resolve(path)
      if try LedgerFile.size(real) == nil, try LedgerFile.size(real + "-lock") == nil { throw noLedger }
      return real
    } catch {
      throw error.kind == .unavailable ? .inputOutput(error.text) : error
    }
  }

  /// What to make; throws if the ledger that a lock file names is gone or empty, and it is not made again.
  private static func making(_ path: String, _ known: LedgerSlot?, makesAgain: Bool) throws -> Making {
    let size = try LedgerFile.size(path)
    if let known, !known.isBlank {
      if makesAgain {
        if size ?? 0 == 0 { return .again(known) }
        if try hasNothing(path) { return .again(known) }
      }
      if size == nil { throw Failure.damaged("the ledger is gone") }
    } else if size == nil || known.map({ $0.lastRun == nil }) ?? false {
      return .new(isAbsent: size == nil)
    }
    if size == 0 { throw Failure.damaged("the ledger is empty, and a new one is made only if there is no file") }
    return .nothing
  }

  /// Whether a file is a ledger without runs and payouts, such as one whose making was interrupted.
  private static func hasNothing(_ path: String) throws -> Bool {
    func hasNothing(_ path: String) throws -> Bool {
      let database = try LedgerConnection.open(path, isReadOnly: false)
      defer { database.close() }
      return try database.read { database in
        guard try LedgerSchema.state(database).isLedger else { return true }
        return try LedgerSlot(database).lastRun == 0 && PayoutEntry.inBookOrder(database).isEmpty
      }
    }
    if try LedgerJournal.paths(path).isEmpty { return try hasNothing(path) }
    return try LedgerJournal.withCopy(path, hasNothing)
  }

  /// Sets up a ledger that was just made.
  private func begin(makesAgain: Bool) throws(Failure) {
    try write { database in
      var identity = try LedgerIdentity(database)
      if case .again(let known) = making {
        (identity.name, identity.lastPayout) = (known.name, known.lastPayout)
        identity.isMadeAgain = known.needsWord || known.isBesideDamage
      } else {
        guard makesAgain else { return }
        identity.isMadeAgain = true
      }
      try identity.write(database)
    }
  }

  /// Whether this opening made the ledger.
  public var isMade: Bool { making != .nothing }

  /// Whether this opening made a lost ledger again, with the name and numbers of its lock file.
  public var isMadeFromLock: Bool {
    if case .again = making { true } else { false }
  }

  /// Whether it has neither a run nor a payout.
  public var isEmpty: Bool { slot.isBlank }

  /// Removes a ledger that this opening made, unless a run or a payout is entered.
  public func removeIfEmpty() {
    guard slot.lastRun == 0, isMadeFromLock || isEmpty else { return }
    Self.remove(isMadeFromLock ? making : .new(isAbsent: true), path, lock)
  }

  /// Removes what an opening made, in an order that never leaves a lock file that names a ledger.
  private static func remove(_ making: Making, _ path: String, _ lock: LedgerLock) {
    switch making {
    case .nothing, .new(isAbsent: false): lock.removeIfNew()
    case .again: try? FileName.remove(path)
    case .new(isAbsent: true):
      try? lock.keep(LedgerSlot())
      try? FileName.remove(path)
      try? FileName.remove(path + "-journal")
      lock.remove()
    }
  }

  /// Records a state in the lock file.
  func keep(_ slot: LedgerSlot) throws(Failure) {
    self.slot = slot
    try database.telling { try lock.keep(slot) }
  }

  /// Records a state in the lock file again: in the slot that still has another one.
  func keepAgain(_ slot: LedgerSlot) throws(Failure) {
    try database.telling { try lock.keep(slot, again: true) }
  }

  /// A failure to open a ledger, with what its lock file says and what to do.
  private static func hinted(_ failure: Failure, _ known: LedgerSlot?, _ path: String) -> Failure {
    let said = known.map { "; \($0.described)" } ?? ""
    switch failure.kind {
    case .unsound: return .unsound(failure.text + said, failure.advice!)
    case .foreign where !(known?.isBlank ?? true): return .unsound(failure.text + said, .restore)
    case .damaged:
      if let unread = LedgerFile.readFailure(path) { return unread }
      let isGone = (try? LedgerFile.size(path) ?? 0) == 0
      return .unsound(failure.text + said, isGone && known != nil ? .makeAgain : .restore)
    default: return failure
    }
  }

  /// Opens an existing ledger, whatever its lock file says about it.
  convenience init(unproven place: LedgerPlace, _ lock: LedgerLock) throws(Failure) {
    try self.init(place, lock, .nothing) { _ in }
    slot = try read { try LedgerSlot($0) }
  }

  /// Opens or makes a database.
  ///
  /// - Parameter check: called with a ledger before it is upgraded; throws if it must not be used.
  private init(
    _ place: LedgerPlace, _ lock: LedgerLock, _ making: Making, check: (Database) throws -> Void
  ) throws(Failure) {
    let path = place.path
    let size = try LedgerFile.size(path) ?? -1
    let isBeingMade = making != .nothing
    guard size > 0 || isBeingMade else { throw .damaged(size < 0 ? "the ledger is gone" : "the ledger is empty") }
    try LedgerFile.make(path)
    try LedgerFile.expectWhole(path, size: size)
    (database, hash, carriedOverFrom) = try Failure.telling(place.shown) {
      let database = try LedgerConnection.open(place, isReadOnly: false)
      let (state, version) = try database.read { (try LedgerSchema.state($0), try LedgerSchema.version($0)) }
      if state.isLedger { try database.read(check) }
      switch state {
      case .current: break
      case .empty where !isBeingMade: throw Failure.foreign("is not a ledger: it is an empty database")
      default: try LedgerSchema.make(database)
      }
      // This is the mode the ledger was made with; someone may have changed it.
      try database.execute(sql: "PRAGMA journal_mode = DELETE")
      return (database, try database.read(KeyedHash.fetch), state == .earlier ? version : nil)
    }
    self.place = place
    self.lock = lock
    self.making = making
  }

  deinit { database.close() }

  /// Reads in one transaction.
  func read<Result>(_ body: (Database) throws -> Result) throws(Failure) -> Result {
    try database.telling { try database.read(body) }
  }

  /// Writes in one transaction, which is on the disk when this returns. A signal that would end the process waits: then
  /// the ledger is one file, without a journal next to it.
  func write<Result>(_ body: (Database) throws -> Result) throws(Failure) -> Result {
    try Interruption.uninterrupted { () throws(Failure) in
      try database.telling { try database.write(body) }
    }
  }

  /// KiB of pages in memory while segments are merged. Each time they are full, all unwritten pages must go to the
  /// disk.
  static let mergingCache = 16_384
}
