import BatchRun
import Bookkeeping
import Failures
import FileSystem
import Ledger
import Publication

/// The outcome of a run with a ledger, or of a merge of shards with one.
public enum LedgerRunResult: Sendable {
  /// The batch was settled, and entered as the run of that number.
  case settled(RunResult, run: Int)
  /// An earlier run settled the same batch.
  case earlier(FoundEntry<RunContent>)

  /// The process's exit code: 1 if a record was rejected, now or then, 3 if nothing was written, else 0.
  public var exitCode: Int32 {
    switch self {
    case .settled(let result, _): result.exitCode
    case .earlier(let earlier): earlier.exitCode
    }
  }
}

extension BatchRun {
  /// Settles a batch as without a ledger, and enters the run in one. Payments that an earlier run settled are rejected,
  /// and a batch that an earlier run settled is not settled again (`ledger.md`).
  ///
  /// - Parameters:
  ///   - paths: the batch's files in order; `-` is standard input. Inputs that can be read only once are copied first.
  ///   - output: the directory to make.
  ///   - republish: whether to publish the reports of a batch that an earlier run settled here again.
  ///   - adopt: whether to enter the run with the existing output directory, if that contains exactly the same reports.
  ///   - ledger: the ledger's file. If it is missing, it is created, and removed again if the run is not entered.
  ///   - mustHaveRuns: whether to refuse a ledger without a run, and create none.
  ///   - witness: the ledger's witness; nil if none is given.
  ///   - note: called for a new ledger, and for each repair after an earlier run.
  public static func settle(
    _ paths: [String], output: String, replace: Bool, republish: Bool = false, adopt: Bool = false,
    options: RunOptions, ledger path: String, mustHaveRuns: Bool = false, witness: String? = nil,
    progress: RunProgress? = nil,
    note: @escaping (String) -> Void = { _ in }
  ) throws(Failure) -> LedgerRunResult {
    let place = try OutputPlace(path: output)
    let ledger = try RunLedger(path, mustHaveRuns: mustHaveRuns, makesAgain: adopt, witness: witness)
    let result = try settle(
      paths, output: output, place, replace: replace, republish: republish, adopt: adopt, options: options, in: ledger,
      progress: progress, note: note)
    ledger.keepWitness(note: note)
    if let isBehind = ledger.isWitnessBehind { progress?.done(.witness(isBehind: isBehind)) }
    return result
  }

  private static func settle(
    _ paths: [String], output: String, _ place: OutputPlace, replace: Bool, republish: Bool, adopt: Bool,
    options: RunOptions, in ledger: RunLedger, progress: RunProgress?, note: @escaping (String) -> Void
  ) throws(Failure) -> LedgerRunResult {
    defer {
      if ledger.ledger.isUpgraded { note("\(ledger.shown): made by an earlier version of settle, and converted") }
    }
    try ledger.recover(note: note)
    try LedgerNote.resolve(place, except: ledger, note: note)
    if ledger.ledger.isMadeFromLock {
      note("\(ledger.shown): made again, with the name and the payouts that its lock file or its witness says")
    } else if ledger.ledger.isEmpty {
      note("new ledger \(ledger.shown): no earlier run is known")
      progress?.done(.newLedger)
    }
    let sources = try InputCopy.sources(paths, beside: place)
    let opening = ledger.ledger.isEmpty ? nil : try BatchContent.opening(sources)
    let earlier: RunEntry? = if let opening { try ledger.earlierRun(sources, opening: opening, options) } else { nil }
    if republish, earlier == nil { throw try ledger.notSettled(sources, options) }
    if let earlier {
      if let found = try ledger.earlier(earlier, at: output, republishes: republish) {
        // Clears leftovers, such as old reports. The directory of an active run, or with foreign files, stays.
        if found.files == .inPlace { try? SettlementDirectory.clearAway(place) }
        return .earlier(found)
      }
    }
    var options = options
    options.scratch = output
    let night = LedgerRun(
      ledger: ledger, sources: sources, opening: opening, output: output, replaces: replace, options: options,
      progress: progress, note: note)
    if adopt, earlier == nil, let standing = try RunLedger.standing(at: output) {
      return try ledger.making(standing, replaces: false, adopts: true, otherThan: nil) { () throws(Failure) in
        try night.adopt(standing)
      }
    }
    return try ledger.making(place, replaces: replace, otherThan: earlier?.id) { () throws(Failure) in
      if let earlier { return try night.publishAgain(earlier) }
      return try night.settle()
    }
  }
}
