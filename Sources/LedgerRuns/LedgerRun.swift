import BatchRun
import Bookkeeping
import Failures
import FileSystem
import Glibc
import Ledger
import Publication
import Documents
import Rules
import SystemPackage

/// One run with a ledger, from creating its directory to the end.
struct LedgerRun {
  let ledger: RunLedger
  let sources: [InputSource]
  /// The digest of the beginning of the batch's text, by which earlier runs of the batch were looked for; nil if there is
  /// no earlier run.
  let opening: [UInt8]?
  let output: String
  let replaces: Bool
  var options: RunOptions
  let progress: RunProgress?
  let note: (String) -> Void

  /// Settles the batch, publishes its reports and enters the run.
  func settle() throws(Failure) -> LedgerRunResult {
    let directory = try SettlementDirectory(path: output, replaces: replaces, threads: options.threads)
    let run = try settle(to: directory, beside: directory.place)
    return ledger.settled(run.result, run: try ledger.publish(directory, run, progress: progress, note: note))
  }

  /// Settles the batch, and enters the run with the existing output directory; throws if the directory does not contain
  /// exactly the same reports.
  func adopt(_ place: OutputPlace) throws(Failure) -> LedgerRunResult {
    let standing: Directory
    do throws(Errno) {
      standing = try place.parent.directory(place.name)
      // A run that replaces the directory must wait until this one is entered.
      try systemCall { flock(standing.descriptor.rawValue, LOCK_EX | LOCK_NB) }
    } catch {
      throw error == .wouldBlock
        ? .busy("\(place.shown): another run holds it; wait for it to end")
        : .unavailable("\(place.shown): cannot be opened: \(error)")
    }
    let reports = AdoptedReports(standing, shown: place.shown, version: BatchRun.version)
    var night = self
    if reports.areOfEarlierVersion, options.rules.strictTexts == false { night.options.rules.strictTexts = nil }
    let run = try night.settle(to: reports, beside: place)
    progress?.done(.reported)
    let sums = try reports.sums()
    return ledger.settled(run.result, run: try ledger.adopt(place, sums: sums, run, progress: progress, note: note))
  }

  private func settle(to destination: some ReportDestination, beside place: OutputPlace) throws(Failure)
    -> SettledRun
  {
    let earlier = try ledger.earlier(threads: options.threads, entering: options)
    var options = options
    options.earlierShowsNames = try earlier.showsNames()
    let balances = try AccountEntries(beside: place)
    let (result, entries) = try BatchRun.settle(
      sources, to: destination, options: options, earlier: earlier, balances: balances, progress: progress)
    earlier.close()
    // The files were opened again; the run is found by the beginning of its batch.
    guard opening == nil || opening == result.opening else { throw sources.changed }
    let identities = BatchContent.identities(result.textDigests, options)
    // `earlierRun` already looked for it before the batch was settled, by the beginning of the batch.
    guard try ledger.ledger.run(identities) == nil else { throw sources.changed }
    return try SettledRun(
      result: result, identity: identities[0], opening: result.opening, night: entries(), balances: balances)
  }

  /// Publishes the reports of an earlier run again. Copies them if they are unchanged; else settles the batch again
  /// with what was known then.
  func publishAgain(_ run: RunEntry) throws(Failure) -> LedgerRunResult {
    let copied = try copyReports(of: run)
    let directory = if let copied { copied } else { try settleAgain(run) }
    try directory.complete()
    try ledger.publishAgain(
      run, directory, isCopied: copied != nil, published: { progress?.done(.published) }, note: note)
    return .earlier(FoundEntry(run, .publishedAgain))
  }

  /// A new directory with a copy of the run's reports; nil if the published ones have changed.
  private func copyReports(of run: RunEntry) throws(Failure) -> SettlementDirectory? {
    guard let reports = run.knownFiles, reports.isWholeSettlement else { return nil }
    let directory = try SettlementDirectory(path: output, replaces: replaces)
    return try reports.copy(to: directory) ? directory : nil
  }

  private func settleAgain(_ run: RunEntry) throws(Failure) -> SettlementDirectory {
    let directory = try SettlementDirectory(path: output, replaces: replaces, threads: options.threads)
    var options = options
    // The batch was accepted then, whatever its trailer said and however many records were rejected.
    options.enforcesControlTotals = false
    options.requiresTrailer = false
    options.mostRejected = nil
    options.reportedFiles = run.files
    options.namesRules = !run.rules.isEmpty
    options.rules.schedule.isBuiltIn = run.hasBuiltInFees
    RuleOption.strictTexts.set(RuleValues(run.identity)[.strictTexts], in: &options.rules)
    let earlier = try ledger.earlier(before: run.number, threads: options.threads)
    options.earlierShowsNames = try earlier.showsNames()
    let (result, _) = try BatchRun.settle(
      sources, to: directory, options: options, earlier: earlier, progress: progress)
    earlier.close()
    guard BatchContent.identities(result.textDigests, options).contains(run.identity) else {
      throw sources.changed
    }
    let money = [
      ReportKind.settlement.fileName, ReportKind.receivers.fileName, ReportKind.totals.fileName,
      ReportKind.control.fileName,
    ]
    for name in money where !run.sums.contains("\(directory.digests[name] ?? "")  \(name)\n") {
      throw .configuration(
        "run \(run.number) settled this batch with version \(run.engine) of settle; version "
          + "\(BatchRun.version) makes a different \(name). Nothing was published")
    }
    return directory
  }
}
