import Failures
import FileSystem
import SQLite

/// Payouts that are entered: finding them, entering one, withdrawing it.
extension Ledger {
  /// The payouts, in book order.
  public func payouts() throws(Failure) -> [NumberedPayout] { try read(PayoutTable.all) }

  /// The payouts that were given up, in order.
  public func givenUp() throws(Failure) -> [GivenUpPayout] { try read(GivenUpPayout.all) }

  /// The highest number of a payout that the ledger or its lock file knows, entered or missing; otherwise 0.
  public func lastKnownPayout() throws(Failure) -> Int { try read { try LedgerSlot($0).lastPayout } }

  /// The number of the last run, or 0.
  public var lastRun: Int { slot.lastRun ?? 0 }

  /// The run after which the last payout counts, made or given up; the next one must not come before it. 0 if there is
  /// none.
  public func lastBookedRun() throws(Failure) -> Int { try read { try BookedChange.all($0).last?.run ?? 0 } }

  /// The first run that counts in balances: that of the first payout, else the first run with balances.
  public func firstRun() throws(Failure) -> Int {
    try read { try BookReading.firstRun($0, PayoutTable.all($0)) }
  }

  /// The name that it has for life.
  public func name() throws(Failure) -> LedgerName { try read { try LedgerIdentity($0).name } }

  /// The highest number of a payout according to the operator; nil if it was never said.
  public func word() throws(Failure) -> Int? { try read { try LedgerIdentity($0).word } }

  /// Whether `run --adopt` made it without a lock file, and the operator has not said since which payout was the last.
  public func needsWord() throws(Failure) -> Bool { try read { try LedgerIdentity($0).needsWord } }

  /// Enters a payout whose files are complete under their temporary name, as `enter(_:keys:…)` does for a run.
  ///
  /// - Parameters:
  ///   - number: neither entered nor given up.
  ///   - payments: in the order of their numbers.
  ///   - returns: the payments that came back.
  ///   - adjustments: what was decided outside of batches.
  ///   - closings: the balances that are left.
  ///   - bookedRun: the run after which it counts, after all other payouts; nil for the run it was made up to.
  ///   - name: the name that the ledger takes, if it takes another one.
  public func enter(
    _ entry: PayoutEntry, number: Int, payments: AccountEntries, returns: AccountEntries, adjustments: AccountEntries,
    closings: AccountEntries, bookedRun: Int? = nil, name: LedgerName? = nil
  ) throws(Failure) {
    var entry = entry
    (entry.payments, entry.returns, entry.carried) = (payments.count, returns.count, closings.count)
    entry.adjusted = adjustments.count
    let slot = try write { database in
      let book = try BookedChange.all(database)
      precondition(!book.contains { $0.number == number }, "a payout's number is used once")
      let run = bookedRun ?? entry.untilRun
      precondition(book.last.map { $0.run <= run } ?? true, "a payout comes after all others in book order")
      let place = max(number, (book.last?.place ?? 0) + 1)
      try PayoutTable.insert(
        database, NumberedPayout(number: number, entry: entry, place: place, bookedRun: run),
        isMovedBack: bookedRun != nil)
      for entries in [payments, returns, adjustments, closings] {
        try entries.insert(database, as: AccountList(kind: entries.kind, number: number))
      }
      // The closing balances of the previous payout are needed again if this one is withdrawn.
      for old in book.compactMap(\.payout).dropLast().suffix(1) {
        try AccountList(kind: .closings, number: old.number).remove(database)
      }
      if let name {
        var identity = try LedgerIdentity(database)
        identity.name = name
        try identity.write(database)
      }
      try Self.keep(database, attempt: "payout", number)
      return try LedgerSlot(database)
    }
    try keep(slot)
  }

  /// Removes a payout that was not published; it must be the attempt's.
  public func withdraw(payout number: Int) throws(Failure) {
    try keep(read { try LedgerSlot($0, beforePayout: number) })
    try write { database in
      let attempt = try Int.fetchOne(database, sql: "SELECT payout FROM attempt")
      precondition(attempt == number, "only a payout that is not published can be withdrawn")
      for kind in [AccountList.Kind.payments, .returns, .adjustments, .closings] {
        try AccountList(kind: kind, number: number).remove(database)
      }
      try Self.keep(database, attempt: "payout", nil)
      try database.execute(sql: "DELETE FROM payoutTotal WHERE payout = ?", arguments: [number])
      try database.execute(sql: "DELETE FROM payout WHERE number = ?", arguments: [number])
    }
  }

  /// Records that a payout's files are in another place now.
  ///
  /// - Parameters:
  ///   - directory: the bytes of the absolute path.
  ///   - sums: the text of the `SHA256SUMS` there.
  public func move(payout number: Int, to directory: [UInt8], sums: String) throws(Failure) {
    try write { database in
      try database.execute(
        sql: "UPDATE payout SET directory = ?, sums = ? WHERE number = ?", arguments: [directory, sums, number])
      try PayoutTable.keepDigest(database, number)
    }
  }
}

extension Ledger {
  /// Removes what the attempt has entered, a run or a payout; does nothing if it has entered nothing.
  public func withdrawEntered() throws(Failure) {
    try Interruption.uninterrupted { () throws(Failure) in
      let attempt = try attempt()
      if let run = attempt?.run { try withdraw(run) }
      if let payout = attempt?.payout { try withdraw(payout: payout) }
    }
  }
}
