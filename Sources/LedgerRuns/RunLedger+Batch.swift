import BatchRun
import Bookkeeping
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

/// The run of a batch: looked up, published and entered.
extension RunLedger {
  /// The run that settled the same batch, if it is entered.
  ///
  /// Reads the whole batch, but only if it begins like the batch of an earlier run.
  ///
  /// - Parameter opening: the digest of the beginning of the batch's text.
  package func earlierRun(
    _ sources: [InputSource], opening: [UInt8], _ options: RunOptions
  ) throws(Failure) -> RunEntry? {
    guard try ledger.hasRun(opening: opening),
      let digests = try BatchContent.digests(sources, plain: ledger.hasPlainRuns())
    else { return nil }
    return try ledger.run(BatchContent.identities(digests, options))
  }

  /// What the runs entered so far settled, or only those before `end`: a run that is settled again finds what it found
  /// the first time.
  ///
  /// - Parameters:
  ///   - threads: the number of threads that look up keys.
  ///   - options: the options of a run that will be entered, for `expectNew`.
  package func earlier(
    before end: Int = .max, threads: Int, entering options: RunOptions? = nil
  ) throws(Failure) -> SettlementLookup {
    try SettlementLookup(
      ledger.keyLookup(readers: SettlementLookup.readers(threads)), ledger.entryLookup(before: end),
      hasPlainRuns: ledger.hasPlainRuns(),
      expectNew: { [self] envelope, digests throws(Failure) in
        guard let options else { return }
        let identities = BatchContent.identities(digests, options)
        let runs = try ledger.runs(
          contents: identities.map(\.content), batchKey: envelope.batchID.map(fingerprint))
        try runs.expectNew(identities, envelope, ledger.hash)
      })
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
      .run, directory, exitCode: run.result.exitCode, newKeys: settled, published: { progress?.done(.published) },
      note: note
    ) { () throws(Failure) in
      try run.night.enter(entry, balances: run.balances, in: ledger)
    }
  }

  /// The result of a run that is entered and published. Its days are missing if the ledger cannot be read again.
  package func settled(_ result: RunResult, run number: Int) -> LedgerRunResult {
    var result = result
    if let history = try? ledger.history(), let run = history.runs.last(where: { $0.number == number }),
      let booked = BookingOrder(history).booked[run.id]
    {
      result.days = RunDays(settled: BookingOrder.settlementDay(of: run), booked: booked)
    }
    return .settled(result, run: number)
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
