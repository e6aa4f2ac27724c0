import Failures
import FileSystem
import SQLite

/// Runs and payouts that are entered: where their files are, moving these, withdrawing what was not published.
extension Ledger {
  /// The bytes of the absolute paths of the directories of runs, then of payouts, in the order of their numbers.
  public func directories() throws(Failure) -> [(holder: EntryID, directory: [UInt8])] {
    try read { database in
      try [EntryKind.run, .payout].flatMap { kind in
        try Row.fetchAll(database, sql: "SELECT number, directory FROM \(kind) ORDER BY number").map {
          (EntryID(kind, try $0.value("number")), try $0.bytes("directory"))
        }
      }
    }
  }

  /// Records that an entry's files are in another place now.
  ///
  /// - Parameters:
  ///   - directory: the bytes of the absolute path.
  ///   - sums: the text of the `SHA256SUMS` there.
  public func move(_ id: EntryID, to directory: [UInt8], sums: String) throws(Failure) {
    try write { database in
      try database.execute(
        sql: "UPDATE \(id.kind) SET directory = ?, sums = ? WHERE number = ?", arguments: [directory, sums, id.number])
      try EntryTable.keepDigest(database, id)
    }
  }

  /// Removes what the attempt has entered and not published; does nothing if it has entered nothing.
  public func withdrawEntered() throws(Failure) {
    try Interruption.uninterrupted { () throws(Failure) in
      if let entered = try attempt()?.entered { try withdraw(entered) }
    }
  }

  /// Removes an entry whose files were not published, with everything entered with it; it must be the attempt's.
  public func withdraw(_ id: EntryID) throws(Failure) {
    // This comes first: a ledger may have more than its lock file says, but not less.
    try keep(read { try LedgerSlot($0, before: id) })
    try writeUpgraded { database in
      let entered = try Self.attempt(database)?.entered
      precondition(entered == id, "only what is not published can be withdrawn")
      if id.kind == .run { try Self.removeSettled(database, run: id.number) }
      for list in id.lists { try list.remove(database) }
      try Self.keep(database, attempt: id.kind, nil)
      try EntryTable.remove(database, id)
      if id.kind == .run { try RuleText.removeUnused(database) }
    }
  }

  /// Removes what a run keeps of payments, refunds and agreements.
  private static func removeSettled(_ database: Database, run: Int) throws {
    try SegmentMerge.remove(database, run: run)
    try BlockTable.details.remove(database, of: Int64(run))
    try RefundTable.remove(database, run: run)
    try AgreementTable.remove(database, run: run)
  }
}
