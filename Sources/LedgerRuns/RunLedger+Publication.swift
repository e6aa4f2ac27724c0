import BatchRun
import Digests
import Failures
import FileSystem
import FoundationEssentials
import Ledger
import Money
import Publication
import Records

/// A settled batch, and what a ledger keeps of its run.
package struct SettledRun {
  package let result: RunResult
  package let identity: RunIdentity
  /// The digest of the beginning of the batch's text.
  package let opening: [UInt8]
  package let night: NightEntries
  /// What the run gives each account.
  package let balances: AccountEntries

  package init(
    result: RunResult, identity: RunIdentity, opening: [UInt8], night: NightEntries, balances: AccountEntries
  ) {
    self.result = result
    self.identity = identity
    self.opening = opening
    self.night = night
    self.balances = balances
  }
}

/// Publishes reports and enters their run, as one.
extension RunLedger {
  /// Begins a run that makes a directory; the next run finds what this one leaves.
  package func begin(_ place: OutputPlace, replaces: Bool) throws(Failure) {
    let path = FileName.bytes(try place.absolutePath())
    try ledger.begin(directory: path, replaces: replaces)
  }

  /// Runs `body`, which makes a directory at an output, unless the output exists and must not be replaced.
  ///
  /// If it fails, its files are removed before the attempt is forgotten. If that fails, too, the next run finds that
  /// nothing is left.
  /// - Parameters:
  ///   - adopts: whether an existing directory stays, and becomes the run's.
  ///   - id: the entry whose files may be replaced.
  package func making<Result>(
    _ place: OutputPlace, replaces: Bool, adopts: Bool = false, otherThan id: EntryID? = nil,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try checkHolder(place, replaces: replaces, otherThan: id)
    if !adopts { try SettlementDirectory.checkTarget(place, replaces: replaces) }
    try begin(place, replaces: replaces)
    do throws(Failure) { return try body() } catch {
      if !leavesAttempt { try? end(newKeys: 0) }
      throw error
    }
  }

  /// Completes the reports of a run, enters it, publishes the reports, and ends the run.
  ///
  /// - Returns: the run's number.
  package func publish(
    _ directory: SettlementDirectory, _ run: SettledRun, progress: RunProgress?, note: (String) -> Void
  ) throws(Failure) -> Int {
    try directory.complete()
    progress?.done(.reported)
    let entry = try entry(run, directory: directory.place, sums: directory.sums)
    return try publish(entry, of: run, directory, progress: progress, note: note)
  }

  /// Enters a run with an existing output directory, and ends the run.
  ///
  /// - Parameter sums: the text of the directory's `SHA256SUMS`.
  /// - Returns: the run's number.
  package func adopt(
    _ place: OutputPlace, sums: String, _ run: SettledRun, progress: RunProgress?, note: (String) -> Void
  ) throws(Failure) -> Int {
    var entry = try entry(run, directory: place, sums: sums)
    entry.isAdopted = true
    return try publish(entry, of: run, nil, progress: progress, note: note)
  }

  private func publish(
    _ entry: RunEntry, of run: SettledRun, _ directory: SettlementDirectory?, progress: RunProgress?,
    note: (String) -> Void
  ) throws(Failure) -> Int {
    let settled = run.result.totals[.settled]
    precondition(run.night.keyCount == settled, "the number of settled keys is not that of settled payments")
    return try publish(
      .run, directory, exitCode: run.result.exitCode, newKeys: settled, progress: progress, note: note
    ) { () throws(Failure) in
      try run.night.enter(entry, balances: run.balances, in: ledger)
    }
  }

  /// Enters a run or a payout whose files are complete, publishes them, and ends it.
  ///
  /// A failure after the publication is only a note: the next run finds that this one is done.
  /// - Parameters:
  ///   - directory: the directory to publish; nil if it is published already.
  ///   - exitCode: that of the command, if a signal ends it afterwards.
  ///   - enter: enters it and returns its number.
  /// - Returns: its number.
  package func publish(
    _ kind: EntryKind, _ directory: SettlementDirectory?, exitCode: Int32, newKeys: Int = 0,
    progress: RunProgress? = nil, note: (String) -> Void, enter: () throws(Failure) -> Int
  ) throws(Failure) -> Int {
    let number = try Interruption.uninterrupted { () throws(Failure) in
      let number = if let directory { try publish(directory, enter) } else { try self.enter(nil, enter) }
      progress?.done(.published)
      Interruption.conclude(exitCode: exitCode)
      return number
    }
    if let left = directory?.leftBehind {
      leavesAttempt = true
      note("\(left); the next run with this ledger tries again")
    }
    do throws(Failure) {
      if !leavesAttempt { try end(newKeys: newKeys) }
    } catch {
      let id = EntryID(kind, number)
      note("\(error.message); \(id) is entered and published; the next run will notice")
    }
    // What is adopted puts back what was there before.
    if directory != nil { warnOfChange(by: EntryID(kind, number), note: note) }
    return number
  }

  /// Enters a run or a payout whose files are complete, and publishes them.
  ///
  /// The order makes it all or nothing: first the files are on the disk under their other name; then the run and its
  /// keys are committed; then the directory gets its name. After an interruption, the commit alone decides.
  /// - Returns: its number.
  private func publish(
    _ directory: SettlementDirectory, _ enter: () throws(Failure) -> Int
  ) throws(Failure) -> Int {
    let note = LedgerNote(directory.place)
    try note.make(of: path)
    let number = try self.enter(directory, enter)
    do throws(Failure) {
      try directory.publish()
    } catch {
      // The directory has its name, but may lose it in a power failure: the next run checks it.
      if directory.isPublished {
        leavesAttempt = true
        throw error
      }
      do throws(Failure) {
        try ledger.withdrawEntered()
      } catch let second {
        leave(directory)
        throw .inputOutput("\(error.message); \(Self.undecided(second))")
      }
      note.remove()
      throw error
    }
    if directory.leftBehind == nil { note.remove() }
    return number
  }

  /// Commits a run or a payout. If that fails and it is unknown whether it was committed, everything stays as it is for
  /// the next run.
  ///
  /// - Parameter directory: the directory to publish; nil if it is published already.
  private func enter(
    _ directory: SettlementDirectory?, _ enter: () throws(Failure) -> Int
  ) throws(Failure) -> Int {
    do throws(Failure) {
      return try enter()
    } catch {
      guard (try? ledger.withdrawEntered()) != nil else {
        leave(directory)
        throw .inputOutput(Self.undecided(error))
      }
      if let directory { LedgerNote(directory.place).remove() }
      throw error
    }
  }

  private func leave(_ directory: SettlementDirectory?) {
    directory?.leave()
    leavesAttempt = true
  }

  private static func undecided(_ failure: Failure) -> String {
    "\(failure.message); the next run with this ledger completes this one or clears it away"
  }

  /// What the ledger keeps of a run.
  ///
  /// Throws if the sum over the accounts differs from the totals.
  package func entry(_ run: SettledRun, directory: OutputPlace, sums: String) throws(Failure) -> RunEntry {
    let result = run.result
    let totals = result.totals
    try run.balances.finish()
    for (place, sums) in totals.currencies.enumerated()
    where run.balances.sums[place] != sums.moved.receiverBalance {
      throw .inputOutput(
        "\(shown): the payouts of receivers.csv in \(Currency.all[place].code) do not add up to those of totals.csv")
    }
    return RunEntry(
      time: Date.now.formatted(.iso8601), engine: BatchRun.version, identity: run.identity, opening: run.opening,
      batchKey: result.batchID.map(fingerprint), batchID: result.batchID,
      day: result.createdAt.map { CalendarDay($0).number },
      files: result.files,
      records: RecordCounts(
        read: totals.recordsRead, settled: totals[.settled], rejected: totals[.rejected], pending: totals[.pending],
        held: totals[.held], refunded: totals[.refunded], preapprovals: totals[.agreed]),
      controlTotals: result.controlTotals.rawValue,
      totals: zip(Currency.all, totals.currencies).filter { $0.1.moved.isUsed }.map {
        RunTotal(currency: $0.code, moved: $1.moved)
      },
      directory: FileName.bytes(try directory.absolutePath()), sums: sums,
      rules: Dictionary(uniqueKeysWithValues: run.night.rules.map { ($0.name, SHA256.digest(of: $0.text).bytes) }))
  }
}
