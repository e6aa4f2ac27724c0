import SQLite

/// Payouts that are entered: finding them, entering one, withdrawing it.
extension Ledger {
  /// The payouts, in order.
  public func payouts() throws(LedgerFailure) -> [NumberedPayout] { try read(PayoutTable.all) }

  /// The number that the next payout gets.
  public func nextPayout() throws(LedgerFailure) -> Int { try read { try RunDigest.slot($0).lastPayout + 1 } }

  /// The number of the last run, or 0.
  public var lastRun: Int { lock.slot?.lastRun ?? 0 }

  /// The first run that counts in balances: that of the first payout, else the first run with balances.
  public func firstRun() throws(LedgerFailure) -> Int {
    try read { try BookReading.firstRun($0, PayoutTable.all($0)) }
  }

  /// The first 12 hexadecimal digits of its id, in lower case.
  public func shortID() throws(LedgerFailure) -> String {
    let id = try read { try RunDigest.slot($0).id.uuidString }
    return String(id.filter { $0 != "-" }.prefix(12)).lowercased()
  }

  /// Whether a run was entered with a directory that existed.
  public func hasAdoptedRun() throws(LedgerFailure) -> Bool {
    try read { try Bool.fetchOne($0, sql: "SELECT 1 FROM run WHERE adopted") ?? false }
  }

  /// Enters a payout whose files are complete under their temporary name, as `enter(_:keys:…)` does for a run.
  ///
  /// - Parameters:
  ///   - number: above that of each payout entered.
  ///   - payments: in the order of their numbers.
  ///   - returns: the payments that came back.
  ///   - closings: the balances that are left.
  public func enter(
    _ entry: PayoutEntry, number: Int, payments: AccountEntries, returns: AccountEntries, closings: AccountEntries
  ) throws(LedgerFailure) {
    var entry = entry
    (entry.payments, entry.returns, entry.carried) = (payments.count, returns.count, closings.count)
    let slot = try write { database in
      let earlier = try PayoutTable.all(database)
      precondition(earlier.last.map { $0.number < number } ?? true, "payouts are entered in the order of their numbers")
      try PayoutTable.insert(database, NumberedPayout(number: number, entry: entry))
      for (kind, entries) in [(AccountList.Kind.payments, payments), (.returns, returns), (.closings, closings)] {
        try entries.insert(database, as: AccountList(kind: kind, number: number))
      }
      // The closing balances of the previous payout are needed again if this one is withdrawn.
      for old in earlier.dropLast().suffix(1) {
        try AccountList(kind: .closings, number: old.number).remove(database)
      }
      try database.execute(sql: "UPDATE attempt SET payout = ?", arguments: [number])
      guard database.changesCount == 1 else { throw Self.interrupted }
      return try RunDigest.slot(database)
    }
    try lock.keep(slot)
  }

  static let interrupted = LedgerFailure.busy(
    "another run has ended this one: it uses the ledger under another name")

  /// Removes a payout that was not published; it must be the attempt's.
  public func withdraw(payout number: Int) throws(LedgerFailure) {
    try lock.keep(read { try RunDigest.slot($0, beforePayout: number) })
    try write { database in
      let attempt = try Int.fetchOne(database, sql: "SELECT payout FROM attempt")
      precondition(attempt == number, "only a payout that is not published can be withdrawn")
      for kind in [AccountList.Kind.payments, .returns, .closings] {
        try AccountList(kind: kind, number: number).remove(database)
      }
      try database.execute(sql: "DELETE FROM payoutTotal WHERE payout = ?", arguments: [number])
      try database.execute(sql: "DELETE FROM payout WHERE number = ?", arguments: [number])
    }
  }

  /// Records that a payout's files are in another place now.
  ///
  /// - Parameters:
  ///   - directory: the bytes of the absolute path.
  ///   - sums: the text of the `SHA256SUMS` there.
  public func move(payout number: Int, to directory: [UInt8], sums: String) throws(LedgerFailure) {
    try write { database in
      try database.execute(
        sql: "UPDATE payout SET directory = ?, sums = ? WHERE number = ?", arguments: [directory, sums, number])
      try PayoutTable.keepDigest(database, number)
    }
  }
}

extension Ledger {
  /// Removes what the attempt has entered, a run or a payout; does nothing if it has entered nothing.
  public func withdrawEntered() throws(LedgerFailure) {
    let attempt = try attempt()
    if let run = attempt?.run { try withdraw(run) }
    if let payout = attempt?.payout { try withdraw(payout: payout) }
  }
}
