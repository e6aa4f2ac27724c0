import BatchRun
import Bookkeeping
import Documents
import Failures
import FileSystem
import Ledger
import LedgerRuns
import Publication
import Threads

/// The outcome of a merge.
public enum MergeResult: Sendable {
  /// The batch was settled without a ledger.
  case published(RunResult)
  /// It was settled with one.
  case entered(LedgerRunResult)

  /// The process's exit code.
  public var exitCode: Int32 {
    switch self {
    case .published(let result): result.exitCode
    case .entered(let result): result.exitCode
    }
  }
}

extension ShardWork {
  /// Does the missing steps from `gather` on, and publishes the reports of the whole batch, all or nothing. They equal
  /// those of a run, byte for byte.
  ///
  /// - Parameters:
  ///   - output: the directory to make.
  ///   - threads: the number of worker threads.
  ///   - remote: publishes the reports elsewhere, from that directory.
  ///   - note: called with warnings, for example about what an earlier run left.
  public func merge(
    output: String, replace: Bool, threads: Int, layout: ReportLayout = .file, at remote: RemotePublication? = nil,
    note: @escaping (String) -> Void = { _ in }
  ) throws(Failure) -> MergeResult {
    let publication = ShardPublication(
      work: self, output: output, replaces: replace, threads: threads, layout: remote == nil ? layout : .parts,
      remote: remote, note: note)
    guard let ledger = plan.ledger else { return .published(try publication.publish()) }
    return .entered(try publication.enter(in: ledger))
  }

  /// Does the missing steps after those of the files and shards.
  func finishAll(threads: Int) throws(Failure) {
    try gather()
    let gathered = try gathered()
    for level in gathered.levels {
      if gathered.judges(level) { try claims(level: level) }
      try WorkerThreads.perform(plan.shards.count, threads: threads) { number throws(Failure) in
        try finish(number, level: level, from: .file)
      }
    }
  }
}

/// Publishes the reports of a batch in shards and, if it has a ledger, enters its run in it, as one action.
///
/// The reports are made at the output. Another program may upload them to a URI from there: the parts before the run is
/// entered, and the manifest after it; without the manifest, reports do not exist.
struct ShardPublication {
  let work: ShardWork
  let output: String
  let replaces: Bool
  let threads: Int
  let layout: ReportLayout
  /// Uploads the reports; nil if they are published at the output.
  let remote: RemotePublication?
  let note: (String) -> Void

  /// Publishes the reports of a batch without a ledger.
  func publish() throws(Failure) -> RunResult {
    try LedgerNote.resolve(OutputPlace(path: output), except: nil, note: note)
    let merge = try merge()
    if !replaces, let result = try merge.published(at: output, layout) { return result }
    let directory = try SettlementDirectory(path: output, replaces: replaces)
    let result = try merge.write(to: directory, layout)
    try directory.complete()
    try Interruption.uninterrupted { () throws(Failure) in
      try directory.publish()
      if remote == nil { Interruption.conclude(exitCode: result.exitCode) }
    }
    if let left = directory.leftBehind { note("\(left); the next run on this output removes them") }
    try remote?.uploadParts()
    try remote?.uploadManifest()
    return result
  }

  /// Publishes the reports and enters the run in a ledger, unless it has the batch.
  func enter(in path: String) throws(Failure) -> LedgerRunResult {
    try work.gather()
    let identities = BatchContent.identities(try GatheredShards(work).textDigests, work.plan.options)
    if case .earlier(let found) = try standing(of: identities, in: RunLedger(path)) { return .earlier(found) }
    let merge = try merge()
    let ledger = try RunLedger(path)
    var entered: RunEntry?
    switch try standing(of: identities, in: ledger) {
    case .earlier(let found): return .earlier(found)
    case .interrupted(let run): entered = run
    case .new: try merge.expectSameLedger(ledger)
    }
    func make() throws(Failure) -> (SettlementDirectory, SettledRun) {
      let directory = try SettlementDirectory(path: output, replaces: replaces)
      let balances = try AccountEntries(beside: directory.place)
      let result = try merge.write(to: directory, layout, balances: balances)
      let run = SettledRun(
        result: result, identity: identities[0], opening: merge.shards.opening,
        night: try merge.entries(beside: directory.place), balances: balances)
      return (directory, run)
    }
    if let remote {
      let (directory, run) = try make()
      return ledger.settled(run.result, run: try upload(directory, run, entered, to: remote, ledger))
    }
    return try ledger.making(OutputPlace(path: output), replaces: replaces) { () throws(Failure) in
      let (directory, run) = try make()
      return ledger.settled(run.result, run: try ledger.publish(directory, run, progress: nil, note: note))
    }
  }

  /// Does the missing steps; then the reports can be written.
  private func merge() throws(Failure) -> ShardMerge {
    try work.finishAll(threads: threads)
    return try ShardMerge(work, threads: threads, at: remote)
  }

  /// What a ledger has of the batch.
  private enum Standing {
    /// Nothing.
    case new
    /// A run that this publication entered, and did not complete.
    case interrupted(RunEntry)
    /// The run of another publication, or of this one if it is complete.
    case earlier(FoundEntry<RunContent>)
  }

  private func standing(of identities: [RunIdentity], in ledger: RunLedger) throws(Failure) -> Standing {
    let left = try recover(ledger)
    guard let run = try ledger.ledger.run(identities) else { return .new }
    if run.number == left { return .interrupted(run) }
    guard let remote else { return .earlier(try ledger.earlier(run, at: output, republishes: false)!) }
    guard run.directory == Array(remote.uri.utf8) else {
      return .earlier(FoundEntry(run, .elsewhere(stand: run.mayStand)))
    }
    return .earlier(FoundEntry(run, try remote.hasReports() ? .inPlace : .elsewhere(stand: false)))
  }

  /// Cleans up after an interrupted run. Returns the number of the run that this publication entered before it was
  /// interrupted; nil if it entered none.
  private func recover(_ ledger: RunLedger) throws(Failure) -> Int? {
    if let remote, let left = try ledger.ledger.attempt(), left.directory == remote.attempt(work.plan) {
      if left.entered == nil { try ledger.end(newKeys: 0) }
      return left.entered?.number
    }
    try ledger.recover(note: note)
    // The plan made the ledger, and the batch's fingerprints use its key.
    ledger.keep()
    if remote == nil { try LedgerNote.resolve(OutputPlace(path: output), except: ledger, note: note) }
    return nil
  }

  /// Has reports uploaded, and enters their run unless it is entered. The ledger keeps the attempt from before the run
  /// until after the manifest, so that only this work directory can continue.
  ///
  /// - Returns: the run's number.
  private func upload(
    _ directory: SettlementDirectory, _ run: SettledRun, _ entered: RunEntry?, to remote: RemotePublication,
    _ ledger: RunLedger
  ) throws(Failure) -> Int {
    try directory.complete()
    try directory.publish()
    if let entered, entered.sums != directory.sums {
      throw .configuration(
        "run \(entered.number) was entered by version \(entered.engine) of settle; version "
          + "\(BatchRun.version) makes other reports. Nothing was published")
    }
    try remote.uploadParts()
    let number = if let entered { entered.number } else { try enter(run, directory, at: remote, in: ledger) }
    try remote.uploadManifest()
    do throws(Failure) { try ledger.end(newKeys: run.result.totals[.settled]) } catch {
      note("\(error.message); run \(number) is settled and published")
    }
    if entered == nil { ledger.warnOfChange(by: .run(number), note: note) }
    return number
  }

  /// Enters the run and returns its number.
  private func enter(
    _ run: SettledRun, _ directory: SettlementDirectory, at remote: RemotePublication, in ledger: RunLedger
  ) throws(Failure) -> Int {
    var entry = try ledger.entry(run, directory: directory.place, sums: directory.sums)
    entry.directory = Array(remote.uri.utf8)
    try ledger.ledger.begin(directory: remote.attempt(work.plan), replaces: false)
    do throws(Failure) {
      return try run.night.enter(entry, balances: run.balances, in: ledger.ledger)
    } catch {
      // If it is unknown whether the run is entered, only the same work directory may continue.
      if let left = try? ledger.ledger.attempt(), left.entered == nil { try? ledger.end(newKeys: 0) }
      throw error
    }
  }
}
