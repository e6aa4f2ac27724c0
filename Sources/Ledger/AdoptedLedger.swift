import Failures
import FileSystem
import FoundationEssentials

/// A ledger that an operator declares to count from now on, whatever its lock file says.
public final class AdoptedLedger {
  /// The ledger. Nothing of it has been changed yet.
  public let ledger: Ledger
  /// What its lock file and its witness say, each if it is of this ledger.
  private let (lock, witness): (LedgerSlot?, LedgerSlot?)
  /// The name and the last payout that it takes, if it was made again without knowing them.
  private let taken: LedgerSlot?
  private let before: LedgerSlot

  /// Opens it. Throws if another run has it open, if it does not exist or is not a ledger, if a journal next to it
  /// belongs to another state of it, or if the witness is another ledger's.
  ///
  /// - Parameter witness: the path of its witness; nil if none is given.
  public init(_ path: String, witness other: String? = nil) throws(Failure) {
    let shown = OutputPlace.shown(path)
    let (place, lock) = try Failure.telling(shown) {
      let real = try LedgerFile.resolve(path)
      guard try LedgerFile.size(real) != nil else { throw Failure.unreadable("there is no such ledger") }
      return (LedgerPlace(path: real, shown: shown), try LedgerLock(ledger: real))
    }
    var second: LedgerWitness?
    do {
      second = try other.map { path throws(Failure) in try LedgerWitness(path, ledger: place.path) }
      try LedgerJournal.expectHarmless(place.path)
      ledger = try Ledger(unproven: place, lock, second)
      before = ledger.slot
      let (name, mayTake) = try ledger.read { database in
        let identity = try LedgerIdentity(database)
        return (identity.name, try LedgerWitness.mayTakeName(identity, database))
      }
      let said = second?.slot.flatMap { $0.lastRun == nil ? nil : $0 }
      if let said, said.name != name, !mayTake { throw second!.otherName(than: name) }
      let locked = lock.slot.flatMap { $0.lastRun == nil ? nil : $0 }
      let wasLost = before.isBlank && locked.map { !$0.isBlank } ?? false
      taken = said.flatMap { $0.name == name && !mayTake ? nil : $0 } ?? (wasLost ? locked : nil)
      let known = taken?.name ?? name
      (self.lock, witness) = (locked.flatMap { $0.name == known ? $0 : nil }, said)
      try second?.makeIfAbsent()
    } catch {
      lock.removeIfNew()
      second?.removeIfNew()
      throw Failure(ofLedger: error).ofLedger(shown)
    }
  }

  private var known: [LedgerSlot] { [lock, witness].compactMap(\.self) }

  /// The highest number of a payout that its lock file or its witness names; nil if they are damaged, or are those of a
  /// ledger with another name.
  var lastPayoutOfLock: Int? { known.filter { !$0.isBesideDamage && !$0.needsWord }.map(\.lastPayout).max() }

  /// Whether the operator must say which payout was the last.
  public func needsWord() throws(Failure) -> Bool {
    if lastPayoutOfLock == nil { return true }
    return if taken == nil { try ledger.needsWord() } else { false }
  }

  /// The name that it has from now on.
  public func name() throws(Failure) -> LedgerName { if let taken { taken.name } else { try ledger.name() } }

  /// The highest number of a payout that is known.
  public func lastKnownPayout() throws(Failure) -> Int { try lastKnown().lastPayout }

  /// The digest of the directory of that payout; nil if it is not known.
  public func lastKnownDirectory() throws(Failure) -> DirectoryDigest? {
    DirectoryDigest(kept: try lastKnown().payoutDirectory)
  }

  private func lastKnown() throws(Failure) -> LedgerSlot {
    let now = try ledger.read { try LedgerSlot($0) }
    return (known + [now]).max {
      ($0.lastPayout, $0.payoutDirectory == 0 ? 0 : 1) < ($1.lastPayout, $1.payoutDirectory == 0 ? 0 : 1)
    }!
  }

  /// Which runs it lacks, in words.
  public func lackedRuns() throws(Failure) -> String {
    var lacks: [(Int, String?)] = []
    for known in known { if let last = known.lastRun { lacks.append((last, try lacked(known, last))) } }
    guard let first = lacks.max(by: { ($0.1 == nil ? 0 : 1, $0.0) < ($1.1 == nil ? 0 : 1, $1.0) }) else {
      return "no lock file of this ledger says which runs were entered, so it is unknown whether it lacks some"
    }
    return first.1 ?? "it lacks no run"
  }

  private func lacked(_ known: LedgerSlot, _ lastRun: Int) throws(Failure) -> String? {
    let (now, then) = (before.lastRun ?? 0, try ledger.read { try LedgerSlot($0, before: .run(lastRun + 1)) })
    if now < lastRun {
      return now + 1 == lastRun ? "it lacks run \(lastRun)" : "it lacks runs \(now + 1) to \(lastRun)"
    }
    return then.digest == known.digest
      ? nil : "it lacks run \(lastRun) as it was entered, and has another of that number"
  }

  /// Makes the ledger count, under a new id. Other copies no longer match its lock file.
  ///
  /// The ledger is written before the lock file, and that before the witness: if that is interrupted, the ledger is
  /// refused, and adopted again.
  /// - Parameters:
  ///   - lastPayout: the highest number of a payout that is known.
  ///   - word: that number if the operator has said it; nil if not.
  ///   - givenUp: the payouts to give up, with the adjustments of each; nil if it was never sent.
  ///   - others: the names of other shops' ledgers.
  /// - Returns: why the witness is not written; nil if it is, or if there is no witness.
  @discardableResult
  public func count(
    lastPayout: Int, word: Int?, givenUp: [(number: Int, adjustments: AccountEntries?)], others: Set<LedgerName> = []
  ) throws(Failure) -> Failure? {
    let last = try lastKnown()
    return try Interruption.uninterrupted { () throws(Failure) in
      let after = try ledger.writeUpgraded { database in
        var identity = try LedgerIdentity(database)
        identity.id = UUID()
        if let taken { identity.adopt(taken) }
        if lastPayout >= identity.lastPayout {
          identity.lastPayout = lastPayout
          identity.lastDirectory =
            last.lastPayout == lastPayout && last.payoutDirectory != 0 ? last.payoutDirectory : nil
        }
        identity.word = word ?? identity.word
        identity.others.formUnion(others)
        identity.hasWitness = identity.hasWitness || ledger.witness != nil
        try identity.write(database)
        let time = Date.now.formatted(.iso8601)
        var place = try Booking.payouts(database, PayoutEntry.inBookOrder(database)).last?.place ?? 0
        for (number, adjustments) in givenUp {
          place = max(number, place + 1)
          try GivenUpPayout(
            number: number, time: time, run: ledger.lastRun, place: place, adjustments: adjustments?.count ?? 0
          ).insert(database)
          try adjustments?.insert(database, as: AccountList(kind: .adjustments, number: number))
        }
        if let first = givenUp.map(\.number).min() { try Refusals.removeLists(database, from: first) }
        return try LedgerSlot(database)
      }
      // In both slots: neither may keep the old id.
      for _ in 0..<2 { try ledger.keepAgain(after) }
      do throws(Failure) {
        for _ in 0..<2 { try ledger.witness?.keep(after, again: true) }
        return nil
      } catch {
        return error
      }
    }
  }
}
