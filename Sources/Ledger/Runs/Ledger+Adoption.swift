import FoundationEssentials
import SQLite

extension Ledger {
  /// Has a copy of a ledger count from now on, under a new id, whatever its lock file says; the copies that had its id
  /// count no longer beside that lock file.
  ///
  /// Throws if another run has the ledger open, if there is none, or if the file is no ledger.
  /// - Returns: which runs it lacks, in words.
  public static func adopt(_ path: String) throws(LedgerFailure) -> String {
    let real = try LedgerFile.resolve(path)
    guard try LedgerFile.size(real) != nil else { throw .unreadable("there is no such ledger") }
    let lock = try LedgerLock(ledger: real)
    let known = lock.slot
    let ledger = try Ledger(real, lock)
    let before = try ledger.read { try RunDigest.slot($0) }
    let then = try ledger.read { try RunDigest.slot($0, before: (known?.lastRun ?? 0) + 1) }
    let after = try ledger.write { database in
      try database.execute(sql: "UPDATE ledgerID SET id = ?", arguments: [UUID()])
      return try RunDigest.slot(database)
    }
    // In both slots: neither may be of the old id.
    for _ in 0..<2 { try lock.keep(after, again: true) }
    return lacking(before.lastRun ?? 0, then, known)
  }

  private static func lacking(_ lastRun: Int, _ then: LedgerSlot, _ known: LedgerSlot?) -> String {
    guard let known, let knownRun = known.lastRun else {
      return "its lock file says nothing, so nobody knows whether it lacks runs"
    }
    if then.id != known.id {
      return
        "its lock file is another ledger's, in which run \(knownRun) was entered last; which runs it lacks is not known"
    }
    if lastRun < knownRun {
      return lastRun + 1 == knownRun ? "it lacks run \(knownRun)" : "it lacks runs \(lastRun + 1) to \(knownRun)"
    }
    return then == known
      ? "it lacks no run" : "it lacks run \(knownRun) as it was entered, and has another of that number"
  }
}
