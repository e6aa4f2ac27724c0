import FileSystem
import Ledger
import Text

/// Publishing the reports of a batch in shards at a URI and entering its run in a ledger, as one.
extension RunLedger {
  /// Throws if the reports of a run are being published at a URI, or were when it was interrupted.
  func expectNoRemote(_ attempt: Attempt) throws(RunFailure) {
    guard FileName.isURI(attempt.directory) else { return }
    let uri = Array(attempt.directory.prefix { $0 != UInt8(ascii: "#") })
    throw .busy(
      "\(shown): settle-spark publishes reports at \(MessageText.escapedName(uri)), or was interrupted there; the same "
        + "command with the same --work completes it")
  }

  /// Takes up what the same publication left: the run that it entered, or nil if nothing is entered.
  fileprivate func takeUp(_ attempt: [UInt8], note: (String) -> Void) throws(RunFailure) -> Int? {
    guard let left = try calling(ledger.attempt()), left.directory == attempt else {
      try recover(note: note)
      // The plan made it.
      keep()
      return nil
    }
    if left.run == nil { try end(newKeys: 0) }
    return left.run
  }
}

extension ShardWork {
  /// Enters the batch in the ledger and has its reports published at a URI, as one.
  ///
  /// The parts are there before the run is entered; the manifest, without which reports do not exist, comes after. The
  /// attempt stands in the ledger from before the run to after the manifest, so that only this work directory goes on.
  /// - Parameter output: the directory for the reports on this machine, from where they are uploaded.
  func merge(
    ledger path: String, output: String, threads: Int, at remote: RemotePublication, note: (String) -> Void
  ) throws(RunFailure) -> LedgerRunResult {
    try gather()
    let identities = BatchContent.identities(try GatheredShards(self).textDigests, plan.options)
    if let found = try RunLedger(path).found(identities, at: remote, plan, note: note).result { return found }
    try finishAll(threads: threads)
    let merge = try ShardMerge(self, threads: threads, isElsewhere: true)
    let ledger = try RunLedger(path)
    let (found, entered) = try ledger.found(identities, at: remote, plan, note: note)
    if let found { return found }
    if entered == nil { try merge.expectSameLedger(ledger) }
    let directory = try asRunFailure(SettlementDirectory(path: output, replaces: false))
    let balances = try asRunFailure(AccountEntries(beside: directory.place))
    let result = try merge.write(to: directory, .parts, balances: balances)
    try directory.complete()
    try asRunFailure(directory.publish())
    if let entered, entered.entry.sums != directory.sums {
      throw .configuration(
        "run \(entered.number) was entered by version \(entered.entry.engine) of settle; version "
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
    do throws(RunFailure) { try ledger.end(newKeys: result.totals[.settled]) } catch {
      note("\(error.message); run \(number) is settled and published")
    }
    return .settled(result, run: number)
  }
}

extension RunLedger {
  /// What a merge comes to where the batch is entered already, or the run whose publication is to be completed.
  fileprivate func found(
    _ identities: [RunIdentity], at remote: RemotePublication, _ plan: ShardPlan, note: (String) -> Void
  ) throws(RunFailure) -> (result: LedgerRunResult?, entered: NumberedRun?) {
    let left = try takeUp(remote.attempt(plan), note: note)
    guard let earlier = try calling(ledger.run(identities)) else { return (nil, nil) }
    if earlier.number == left { return (nil, earlier) }
    guard earlier.entry.directory == Array(remote.uri.utf8) else {
      return (.settledBefore(earlier, reportsStand: Self.mayStand(earlier)), nil)
    }
    let stand = try remote.ask("reports stand?") == "yes"
    if stand { return (.alreadySettled(earlier, isPublishedAgain: false), nil) }
    return (.settledBefore(earlier, reportsStand: false), nil)
  }

  /// Enters the run, and tells its number.
  fileprivate func enter(
    _ run: SettledRun, _ directory: SettlementDirectory, at remote: RemotePublication, _ plan: ShardPlan
  ) throws(RunFailure) -> Int {
    var entry = try entry(run, directory: directory.place, sums: directory.sums)
    entry.directory = Array(remote.uri.utf8)
    try calling(ledger.begin(directory: remote.attempt(plan), replaces: false))
    do throws(RunFailure) {
      return try calling(run.night.enter(entry, balances: run.balances, in: ledger))
    } catch {
      // If nobody can say whether it is entered, the same work directory goes on, and nobody else.
      if let left = try? ledger.attempt(), left.run == nil { try? end(newKeys: 0) }
      throw error
    }
  }
}
