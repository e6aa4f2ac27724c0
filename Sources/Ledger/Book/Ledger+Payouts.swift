import Failures

/// Payouts that are entered: finding them, entering one, withdrawing it.
extension Ledger {
  /// The payouts, in book order.
  public func payouts() throws(Failure) -> [PayoutEntry] { try read(PayoutEntry.inBookOrder) }

  /// The payouts that were given up, in order.
  public func givenUp() throws(Failure) -> [GivenUpPayout] { try read(GivenUpPayout.all) }

  /// The highest number of a payout that the ledger or its lock file knows, entered or missing; otherwise 0.
  public func lastKnownPayout() throws(Failure) -> Int { try read { try LedgerSlot($0).lastPayout } }

  /// The digest of the directory of that payout; nil if it is not known.
  public func lastKnownDirectory() throws(Failure) -> DirectoryDigest? {
    try read { DirectoryDigest(kept: try LedgerSlot($0).payoutDirectory) }
  }

  /// The names of other shops' ledgers, according to the operator.
  public func others() throws(Failure) -> Set<LedgerName> { try read { try LedgerIdentity($0).others } }

  /// The number of the last run, or 0.
  public var lastRun: Int { slot.lastRun ?? 0 }

  /// The run after which the last payout counts, made or given up; the next one must not come before it. 0 if there is
  /// none.
  public func lastBookedRun() throws(Failure) -> Int {
    try read { try Booking.payouts($0, PayoutEntry.inBookOrder($0)).last?.run ?? 0 }
  }

  /// The first run that counts in balances: that of the first payout, else the first run with balances.
  public func firstRun() throws(Failure) -> Int {
    try read { try Booking.firstRun($0, PayoutEntry.inBookOrder($0)) }
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
  ///   - entry: with a number that is neither entered nor given up.
  ///   - lists: its lists; without refusals if the bank accounts that are refused after it are not known.
  ///   - bookedRun: the run after which it counts, after all other payouts; nil for the run it was made up to.
  ///   - name: the name that the ledger takes, if it takes another one.
  /// - Returns: the payout's number.
  public func enter(
    _ entry: PayoutEntry, _ lists: [ListKind: AccountEntries], bookedRun: Int? = nil, name: LedgerName? = nil
  ) throws(Failure) -> Int {
    var entry = entry
    entry.content.counts = lists.mapValues(\.count)
    (entry.content.keepsDay, entry.content.movedTo) = (true, bookedRun)
    let slot = try writeUpgraded { database in
      let book = try Booking.payouts(database, PayoutEntry.inBookOrder(database))
      precondition(!book.contains { $0.number == entry.number }, "a payout's number is used once")
      precondition(book.last.map { $0.run <= entry.bookedRun } ?? true, "a payout comes after all others in book order")
      entry.content.place = max(entry.number, (book.last?.place ?? 0) + 1)
      entry.content.enteredAfter =
        try entry.isAdopted ? nil : Int.fetchOne(database, sql: "SELECT max(number) FROM run")
      try Refusals.removeLists(database, from: entry.number)
      try entry.insert(database)
      for list in entry.id.lists { try lists[list.kind]?.insert(database, as: list) }
      // The closing balances of the previous payout are needed again if this one is withdrawn.
      for old in book.filter({ $0.closings != nil }).dropLast().suffix(1) { try old.list(.closings).remove(database) }
      if let name {
        var identity = try LedgerIdentity(database)
        identity.name = name
        try identity.write(database)
      }
      try Self.keep(database, attempt: .payout, entry.number)
      return try LedgerSlot(database)
    }
    try keep(slot)
    return entry.number
  }
}
