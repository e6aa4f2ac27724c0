import FoundationEssentials
import SQLite

extension Ledger {
  /// Makes a copy of a ledger count from now on, under a new id, whatever its lock file says. Other copies with the old
  /// id no longer match that lock file.
  ///
  /// Throws if another run has the ledger open, if there is none, or if the file is not a ledger; also if it lacks
  /// payouts, or may lack some, and the parameters do not say what to do about them.
  /// - Parameters:
  ///   - lacksPayouts: whether to accept a copy that lacks payouts: their money is not paid again.
  ///   - nextPayout: the number of the next payout; needed if the lock file does not say which payouts existed.
  /// - Returns: which runs and payouts it lacks, in words.
  public static func adopt(
    _ path: String, lacksPayouts: Bool = false, nextPayout: Int? = nil
  ) throws(LedgerFailure) -> String {
    let real = try LedgerFile.resolve(path)
    guard try LedgerFile.size(real) != nil else { throw .unreadable("there is no such ledger") }
    let lock = try LedgerLock(ledger: real)
    let known = lock.slot
    let ledger = try Ledger(real, lock)
    let before = try ledger.read { try RunDigest.slot($0) }
    let then = try ledger.read { try RunDigest.slot($0, before: (known?.lastRun ?? 0) + 1) }
    let lacked = try ledger.lackedPayouts(known)
    guard known != nil || nextPayout != nil else {
      throw .usage(
        "the lock file says nothing, so the number of payouts is unknown; give the next number with --next-payout")
    }
    if let lacked, !lacksPayouts {
      throw .damaged(
        "the ledger \(lacked) and would make the payout again; --lacks-payouts accepts it, if that money must not "
          + "be paid again")
    }
    let last = max(before.lastPayout, known?.lastPayout ?? 0)
    if let nextPayout, nextPayout <= last {
      throw .usage("--next-payout takes a number above \(last), the number of a payout")
    }
    let after = try ledger.write { database in
      try database.execute(
        sql: "UPDATE ledgerID SET id = ?, lastPayout = ?", arguments: [UUID(), nextPayout.map { $0 - 1 } ?? last])
      return try RunDigest.slot(database)
    }
    // In both slots: neither may keep the old id.
    for _ in 0..<2 { try lock.keep(after, again: true) }
    return lacking(before.lastRun ?? 0, then, known) + (lacked.map { "; it \($0)" } ?? "")
  }

  /// Which payouts it lacks according to its lock file, in words; nil if it lacks none.
  private func lackedPayouts(_ known: LedgerSlot?) throws(LedgerFailure) -> String? {
    guard let known, known.lastPayout > 0 else { return nil }
    let then = try read { try RunDigest.slot($0, beforePayout: known.lastPayout + 1) }
    if then.lastPayout < known.lastPayout {
      let first = then.lastPayout + 1
      return first == known.lastPayout ? "lacks payout \(first)" : "lacks payouts \(first) to \(known.lastPayout)"
    }
    return known.payoutDigest == 0 || then.payoutDigest == known.payoutDigest
      ? nil : "lacks payout \(known.lastPayout) as it was entered"
  }

  private static func lacking(_ lastRun: Int, _ then: LedgerSlot, _ known: LedgerSlot?) -> String {
    guard let known, let knownRun = known.lastRun else {
      return "its lock file says nothing, so it is unknown whether it lacks runs"
    }
    if then.id != known.id {
      return
        "its lock file is another ledger's, whose last run is \(knownRun); which runs it lacks is unknown"
    }
    if lastRun < knownRun {
      return lastRun + 1 == knownRun ? "it lacks run \(knownRun)" : "it lacks runs \(lastRun + 1) to \(knownRun)"
    }
    return then.digest == known.digest
      ? "it lacks no run" : "it lacks run \(knownRun) as it was entered, and has another of that number"
  }
}
