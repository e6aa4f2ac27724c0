import BatchRun
import Bookkeeping
import Failures
import Ledger
import LedgerRuns
import Publication

/// Publishes the reports of a batch in shards at a URI and enters its run in a ledger, as one action.
extension RunLedger {
  /// Resumes what the same publication left. Returns the run that it entered; nil if it entered none.
  fileprivate func takeUp(_ attempt: [UInt8], note: (String) -> Void) throws(Failure) -> Int? {
    guard let left = try ledger.attempt(), left.directory == attempt else {
      try recover(note: note)
      // The plan made the ledger.
      keep()
      return nil
    }
    if left.entered == nil { try end(newKeys: 0) }
    return left.entered?.number
  }
}

extension ShardWork {
  /// Enters the batch in the ledger and has its reports published at a URI, as one action.
  ///
  /// The parts are uploaded before the run is entered, and the manifest after it; without the manifest, reports do not
  /// exist. The ledger keeps the attempt from before the run until after the manifest, so that only this work directory
  /// can continue.
  /// - Parameter output: the directory of this machine from which the reports are uploaded.
  func merge(
    ledger path: String, output: String, threads: Int, at remote: RemotePublication, note: (String) -> Void
  ) throws(Failure) -> LedgerRunResult {
    try gather()
    let identities = BatchContent.identities(try GatheredShards(self).textDigests, plan.options)
    if let found = try RunLedger(path).found(identities, at: remote, plan, note: note).result { return found }
    try finishAll(threads: threads)
    let merge = try ShardMerge(self, threads: threads, at: remote)
    let ledger = try RunLedger(path)
    let (found, entered) = try ledger.found(identities, at: remote, plan, note: note)
    if let found { return found }
    if entered == nil { try merge.expectSameLedger(ledger) }
    let directory = try SettlementDirectory(path: output, replaces: false)
    let balances = try AccountEntries(beside: directory.place)
    let result = try merge.write(to: directory, .parts, balances: balances)
    try directory.complete()
    try directory.publish()
    if let entered, entered.sums != directory.sums {
      throw .configuration(
        "run \(entered.number) was entered by version \(entered.engine) of settle; version "
          + "\(BatchRun.version) makes other reports. Nothing was published")
    }
    _ = try remote.ask("upload parts")
    let number: Int
    if let entered {
      number = entered.number
    } else {
      let run = SettledRun(
        result: result, identity: identities[0], opening: merge.shards.opening,
        night: try merge.entries(beside: directory.place), balances: balances)
      number = try ledger.enter(run, directory, at: remote, plan)
    }
    _ = try remote.ask("upload manifest")
    do throws(Failure) { try ledger.end(newKeys: result.totals[.settled]) } catch {
      note("\(error.message); run \(number) is settled and published")
    }
    if entered == nil { ledger.warnOfChange(by: .run(number), note: note) }
    return ledger.settled(result, run: number)
  }
}

extension RunLedger {
  /// The result of a merge if the batch is entered already, or the run whose publication must be completed.
  fileprivate func found(
    _ identities: [RunIdentity], at remote: RemotePublication, _ plan: ShardPlan, note: (String) -> Void
  ) throws(Failure) -> (result: LedgerRunResult?, entered: RunEntry?) {
    let left = try takeUp(remote.attempt(plan), note: note)
    guard let earlier = try ledger.run(identities) else { return (nil, nil) }
    if earlier.number == left { return (nil, earlier) }
    guard earlier.directory == Array(remote.uri.utf8) else {
      return (.earlier(EarlierEntry(earlier, .elsewhere(stand: earlier.mayStand))), nil)
    }
    let stand = try remote.ask("reports stand?") == "yes"
    return (.earlier(EarlierEntry(earlier, stand ? .inPlace : .elsewhere(stand: false))), nil)
  }

  /// Enters the run and returns its number.
  fileprivate func enter(
    _ run: SettledRun, _ directory: SettlementDirectory, at remote: RemotePublication, _ plan: ShardPlan
  ) throws(Failure) -> Int {
    var entry = try entry(run, directory: directory.place, sums: directory.sums)
    entry.directory = Array(remote.uri.utf8)
    try ledger.begin(directory: remote.attempt(plan), replaces: false)
    do throws(Failure) {
      return try run.night.enter(entry, balances: run.balances, in: ledger)
    } catch {
      // If it is unknown whether the run is entered, only the same work directory may continue.
      if let left = try? ledger.attempt(), left.entered == nil { try? end(newKeys: 0) }
      throw error
    }
  }
}
