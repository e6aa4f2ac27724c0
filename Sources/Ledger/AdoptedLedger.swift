import Failures
import FileSystem
import FoundationEssentials
import SQLite

/// A ledger that an operator declares to count from now on, whatever its lock file says.
public final class AdoptedLedger {
  /// The ledger. Nothing of it has been changed yet, except that it is upgraded.
  public let ledger: Ledger
  private let known: LedgerSlot?
  private let before: LedgerSlot

  /// Opens it. Throws if another run has it open, if it does not exist or is not a ledger, or if a journal next to it
  /// belongs to another state of it.
  public init(_ path: String) throws(Failure) {
    let shown = OutputPlace.shown(path)
    let (place, lock) = try Failure.telling(shown) {
      let real = try LedgerFile.resolve(path)
      guard try LedgerFile.size(real) != nil else { throw Failure.unreadable("there is no such ledger") }
      return (LedgerPlace(path: real, shown: shown), try LedgerLock(ledger: real))
    }
    do {
      try LedgerJournal.expectHarmless(place.path)
      ledger = try Ledger(unproven: place, lock)
    } catch {
      lock.removeIfNew()
      throw Failure(ofLedger: error).ofLedger(shown)
    }
    before = ledger.slot
    let name = before.name
    known = lock.slot.flatMap { $0.name == name && $0.lastRun != nil ? $0 : nil }
  }

  /// The highest number of a payout that its lock file names; nil if the lock file is damaged, or is that of a ledger
  /// with another name.
  public var lastPayoutOfLock: Int? { known.flatMap { $0.isBesideDamage ? nil : $0.lastPayout } }

  /// The highest number of a payout that is known.
  public func lastKnownPayout() throws(Failure) -> Int {
    max(try ledger.lastKnownPayout(), known?.lastPayout ?? 0)
  }

  /// Which runs it lacks, in words.
  public func lackedRuns() throws(Failure) -> String {
    guard let known, let lastRun = known.lastRun else {
      return "no lock file of this ledger says which runs were entered, so it is unknown whether it lacks some"
    }
    let (now, then) = (before.lastRun ?? 0, try ledger.read { try LedgerSlot($0, before: .run(lastRun + 1)) })
    if now < lastRun {
      return now + 1 == lastRun ? "it lacks run \(lastRun)" : "it lacks runs \(now + 1) to \(lastRun)"
    }
    return then.digest == known.digest
      ? "it lacks no run" : "it lacks run \(lastRun) as it was entered, and has another of that number"
  }

  /// Makes the ledger count, under a new id. Other copies no longer match its lock file.
  ///
  /// The ledger is written before the lock file: if that is interrupted, the ledger is refused, and adopted again.
  /// - Parameters:
  ///   - lastPayout: the highest number of a payout that is known.
  ///   - word: that number if the operator has said it; nil if not.
  ///   - givenUp: the payouts to give up, with the adjustments of each; nil if it was never sent.
  public func count(
    lastPayout: Int, word: Int?, givenUp: [(number: Int, adjustments: AccountEntries?)]
  ) throws(Failure) {
    try Interruption.uninterrupted { () throws(Failure) in
      let after = try ledger.write { database in
        var identity = try LedgerIdentity(database)
        identity.id = UUID()
        identity.lastPayout = max(identity.lastPayout, lastPayout)
        identity.word = word ?? identity.word
        try identity.write(database)
        let time = Date.now.formatted(.iso8601)
        for (number, adjustments) in givenUp {
          let place = max(number, (try BookedChange.all(database).last?.place ?? 0) + 1)
          try GivenUpPayout(
            number: number, time: time, run: ledger.lastRun, place: place, adjustments: adjustments?.count ?? 0
          ).insert(database)
          try adjustments?.insert(database, as: AccountList(kind: .adjustments, number: number))
        }
        return try LedgerSlot(database)
      }
      // In both slots: neither may keep the old id.
      for _ in 0..<2 { try ledger.keepAgain(after) }
    }
  }
}
