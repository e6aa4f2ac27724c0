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

  /// Whether this opening upgraded its tables, those of an earlier version.
  public private(set) var isUpgraded = false
  /// Whether its tables are those of an earlier version. They are upgraded when something is entered.
  private var isEarlier: Bool

  let database: Database
  // After the database: the lock is released once that is closed.
  let lock: LedgerLock
  /// Its witness, if one is given.
  let witness: LedgerWitness?
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

  /// Opens a ledger, and makes it if there is none. One of an earlier version is upgraded to this version's schema when
  /// something is entered.
  ///
  /// Throws if another run has it open, or if the file cannot be used: also if the ledger that its lock file or witness
  /// names is gone, or this may be an older copy. Nothing is written to a file that is not a ledger.
  ///
  /// - Parameters:
  ///   - mustHaveRuns: whether to throw, and make nothing, if no run is entered yet.
  ///   - makesAgain: whether a run with `--adopt` opens it, which makes a lost ledger again.
  ///   - witness: the path of its witness; nil if none is given.
  ///   - isKept: whether nothing is changed: not its lock file, its witness, or an old version's tables.
  public convenience init(
    path: String, mustHaveRuns: Bool = false, makesAgain: Bool = false, witness: String? = nil, isKept: Bool = false
  ) throws(Failure) {
    let shown = OutputPlace.shown(path)
    let (real, lock) = try Failure.telling(shown) {
      let real = try Self.resolve(path, mustExist: mustHaveRuns && witness.map(OutputPlace.isGone) ?? true)
      return (real, try LedgerLock(ledger: real))
    }
    let known = lock.slot
    var making = Making.nothing
    var second: LedgerWitness?
    do {
      second = try witness.map { path throws(Failure) in
        try LedgerWitness(path, ledger: real, isReadOnly: isKept)
      }
      let isNamed = [known, second?.slot].contains { !($0?.isBlank ?? true) }
      making = try Self.making(real, known, second, isNamed: isNamed, makesAgain: makesAgain)
      if making != .nothing, mustHaveRuns { throw Self.noLedger }
      var expected = known
      if making != .nothing { try second?.makeIfAbsent() }
      if case .new = making {
        expected = LedgerSlot()
        // This must be on the disk before there is a file that a power failure may leave empty.
        try lock.keep(LedgerSlot())
        try LedgerFile.syncFolder(of: real)
      }
      if making == .nothing { try LedgerJournal.expectOwn(real, known: known, witness: second?.shown) }
      try self.init(LedgerPlace(path: real, shown: shown), lock, second, making, isKept: isKept) { [making] database in
        if case .again = making { return }
        if isNamed, try LedgerSchema.hasNothing(database) { throw Self.empty }
        guard try LedgerSchema.state(database).isLedger else { return }
        if let doubt = try LedgerSlot.doubt(of: database, known: expected) {
          throw Failure.lockFileDoubts(doubt, known, witness: second?.shown)
        }
        if let refusal = try second?.refusal(of: database) { throw refusal }
        try second?.makeIfAbsent()
      }
      if making != .nothing { try begin(makesAgain: makesAgain) }
      slot = try read { try LedgerSlot($0) }
      // Earlier versions do not read what this one writes in the lock file.
      if !isMadeFromLock, !isKept, !isEarlier { try lock.keep(slot) }
    } catch {
      Self.remove(making, real, lock)
      second?.removeIfNew()
      throw Self.hinted(Failure(ofLedger: error), known, second, real).ofLedger(shown)
    }
    if mustHaveRuns, isEmpty {
      throw Failure.inputOutput("the ledger has no run yet, and --existing-ledger requires one").ofLedger(shown)
    }
  }

  private static let noLedger = Failure.inputOutput(
    "there is no such ledger, and --existing-ledger makes none; name the ledger with the earlier runs")

  private static let empty = Failure.damaged("the ledger is empty, and a new one is made only if there is no file")

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

  /// What to make; throws if the ledger that a lock file or a witness names is gone or empty, and it is not made again.
  ///
  /// - Parameters:
  ///   - lock: what the lock file says.
  ///   - isNamed: whether the lock file or the witness names a run or payout.
  private static func making(
    _ path: String, _ lock: LedgerSlot?, _ witness: LedgerWitness?, isNamed: Bool, makesAgain: Bool
  ) throws -> Making {
    let size = try LedgerFile.size(path)
    let isBeingMade = lock.map { $0.lastRun == nil } ?? false
    if size ?? 0 == 0 || isBeingMade, let damage = witness?.damage { throw damage }
    if isNamed {
      if makesAgain, try size ?? 0 == 0 || hasNothing(path) { return .again(try LedgerWitness.left(lock, witness)) }
      if size == nil { throw Failure.damaged("the ledger is gone") }
      // SQLite would apply a journal before anything can be read.
      if try !LedgerJournal.paths(path).isEmpty, (try? hasNothing(path)) ?? false { throw empty }
    } else if size == nil || isBeingMade {
      return .new(isAbsent: size == nil)
    }
    if size == 0 { throw empty }
    return .nothing
  }

  /// Whether a file is a ledger without runs and payouts, such as one whose making was interrupted.
  private static func hasNothing(_ path: String) throws -> Bool {
    func hasNothing(_ path: String) throws -> Bool {
      let database = try LedgerConnection.open(path, isReadOnly: false)
      defer { database.close() }
      return try database.read(LedgerSchema.hasNothing)
    }
    if try LedgerJournal.paths(path).isEmpty { return try hasNothing(path) }
    return try LedgerJournal.withCopy(path, hasNothing)
  }

  /// Sets up a ledger that was just made.
  private func begin(makesAgain: Bool) throws(Failure) {
    try write { database in
      var identity = try LedgerIdentity(database)
      if case .again(let known) = making {
        identity.adopt(known)
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
    guard hasNothingEntered else { return }
    Self.remove(isMadeFromLock ? making : .new(isAbsent: true), path, lock)
    witness?.removeIfNew()
  }

  private var hasNothingEntered: Bool { slot.lastRun ?? 0 == 0 && (isMadeFromLock || isEmpty) }

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

  /// Records the state of the ledger in its witness, if one is given; after publication, so that a ledger ahead of it is
  /// right. A ledger that has a witness keeps that it has one.
  public func keepWitness() throws(Failure) {
    guard let witness, !hasNothingEntered else { return }
    try witness.keep(slot)
    try keepHasWitness()
  }

  private func keepHasWitness() throws(Failure) {
    let isKept = try read { try LedgerSchema.state($0) != .current || LedgerIdentity($0).hasWitness }
    if isKept { return }
    try write { database in
      var identity = try LedgerIdentity(database)
      identity.hasWitness = true
      try identity.write(database)
    }
  }

  /// Whether it has had a witness.
  public func hasWitness() throws(Failure) -> Bool {
    try read { try LedgerSchema.version($0) >= 8 && LedgerIdentity($0).hasWitness }
  }

  /// A failure to open a ledger, with what its lock file and its witness say and what to do.
  private static func hinted(
    _ failure: Failure, _ known: LedgerSlot?, _ witness: LedgerWitness?, _ path: String
  ) -> Failure {
    let (advised, second) = (witness?.shown, witness?.slot)
    let said =
      (known.map { "; \($0.described(by: .lockFile))" } ?? "")
      + (second.map { "; \($0.described(by: witness!.role))" } ?? "")
    switch failure.kind {
    case .foreign where !(known?.isBlank ?? true && second?.isBlank ?? true):
      return .unsound(failure.text + said, .restore(witness: advised))
    case .damaged:
      if let unread = LedgerFile.readFailure(path) { return unread }
      let isLost = failure.text == empty.text || (try? LedgerFile.size(path) ?? 0) == 0
      let isKnown = known != nil || second != nil
      return .unsound(
        failure.text + said, isLost && isKnown ? .makeAgain(witness: advised) : .restore(witness: advised))
    default: return failure
    }
  }

  /// Opens an existing ledger, whatever its lock file says about it.
  convenience init(unproven place: LedgerPlace, _ lock: LedgerLock, _ witness: LedgerWitness?) throws(Failure) {
    try self.init(place, lock, witness, .nothing, isKept: false) { _ in }
    slot = try read { try LedgerSlot($0) }
  }

  /// Opens or makes a database.
  ///
  /// - Parameters:
  ///   - isKept: whether it is not upgraded.
  ///   - check: called with what was found, before it is made a ledger or upgraded; throws if it must not be used.
  private init(
    _ place: LedgerPlace, _ lock: LedgerLock, _ witness: LedgerWitness?, _ making: Making, isKept: Bool,
    check: (Database) throws -> Void
  ) throws(Failure) {
    let path = place.path
    let size = try LedgerFile.size(path) ?? -1
    let isBeingMade = making != .nothing
    guard size > 0 || isBeingMade else { throw .damaged(size < 0 ? "the ledger is gone" : "the ledger is empty") }
    try LedgerFile.make(path)
    try LedgerFile.expectWhole(path, size: size)
    (database, hash, isEarlier) = try Failure.telling(place.shown) {
      let database = try LedgerConnection.open(place, isReadOnly: false)
      let state = try database.read(LedgerSchema.state)
      try database.read(check)
      switch state {
      case .current: break
      case .earlier where isKept || !isBeingMade: return (database, try database.read(KeyedHash.fetch), true)
      case .empty where !isBeingMade: throw Failure.foreign("is not a ledger: it is an empty database")
      default: try LedgerSchema.make(database)
      }
      // This is the mode the ledger was made with; someone may have changed it.
      try database.execute(sql: "PRAGMA journal_mode = DELETE")
      return (database, try database.read(KeyedHash.fetch), false)
    }
    self.place = place
    (self.lock, self.witness) = (lock, witness)
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

  /// Writes what this version's tables are needed for: upgrades them first, in the same transaction.
  func writeUpgraded<Result>(_ body: (Database) throws -> Result) throws(Failure) -> Result {
    guard isEarlier else { return try write(body) }
    let result = try write { database in
      try LedgerSchema.upgrade(database)
      return try body(database)
    }
    (isUpgraded, isEarlier) = (true, false)
    return result
  }

  /// KiB of pages in memory while segments are merged. Each time they are full, all unwritten pages must go to the
  /// disk.
  static let mergingCache = 16_384
}
