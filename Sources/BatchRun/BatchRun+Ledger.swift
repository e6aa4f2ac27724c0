import FileSystem
import Ledger

/// What a run with a ledger, or a merge of shards, came to.
public enum LedgerRunResult: Sendable {
  /// The batch was settled, and entered as a run of that number; of shards there may be no ledger.
  case settled(RunResult, run: Int?)
  /// The same batch was settled by an earlier run; where its reports were not at the output, they are there now.
  case alreadySettled(NumberedRun, isPublishedAgain: Bool)
  /// The same batch was settled by an earlier run into another directory, or its reports are not there as they were:
  /// somebody may be about to pay it a second time, so nothing was written.
  case settledBefore(NumberedRun, reportsStand: Bool)

  /// The process's exit code: 1 if a record was rejected, tonight or then, 3 if nothing was written, else 0.
  public var exitCode: Int32 {
    switch self {
    case .settled(let result, _): result.exitCode
    case .alreadySettled(let run, _): run.exitCode
    case .settledBefore: 3
    }
  }
}

extension BatchRun {
  /// Settles a batch as without a ledger, and enters the run in one: payments that an earlier run settled are rejected,
  /// and a batch that an earlier run settled is not settled again (`ledger.md`).
  ///
  /// - Parameters:
  ///   - paths: the batch's files in order; `-` is standard input. What can be read only once is copied first.
  ///   - output: the directory to make.
  ///   - republish: whether a batch that an earlier run settled is to have its reports published here.
  ///   - adopt: whether the run is entered with the existing output directory, if that has the very same reports.
  ///   - ledger: the ledger's file. A missing one is made, and removed again if the run is not entered.
  ///   - mustHaveRuns: whether a ledger without a run is refused, and none is made.
  ///   - note: called for a new ledger, and for each thing that was put right after an earlier run.
  public static func settle(
    _ paths: [String], output: String, replace: Bool, republish: Bool = false, adopt: Bool = false,
    options: RunOptions, ledger path: String, mustHaveRuns: Bool = false, progress: RunProgress? = nil,
    note: @escaping (String) -> Void = { _ in }
  ) throws(RunFailure) -> LedgerRunResult {
    let place = try asRunFailure(OutputPlace(path: output))
    let ledger = try RunLedger(path, mustHaveRuns: mustHaveRuns)
    if let version = ledger.ledger.carriedOverFrom {
      note(
        "\(ledger.shown): made by an earlier version of settle, and carried over; it does not have the balances of its "
          + "runs" + (version < 4 ? ", their rules" : "")
          + (version < 3 ? ", nor what refunds need of their payments" : ""))
    }
    try ledger.recover(note: note)
    try LedgerNote.resolve(place, except: ledger, note: note)
    if ledger.ledger.isEmpty {
      note("new ledger \(ledger.shown): no earlier run is known")
      progress?.done(.newLedger)
    }
    let sources = try InputCopy.sources(paths, beside: place)
    let earlier = try ledger.earlierRun(sources, options)
    if let earlier {
      if try ledger.stands(earlier, at: output, isRepublished: republish) {
        // Such as old reports that it could not remove. What another run is at work on, or nobody left, is not touched.
        try? SettlementDirectory.clearAway(place)
        return .alreadySettled(earlier, isPublishedAgain: false)
      }
      guard republish else { return .settledBefore(earlier, reportsStand: RunLedger.mayStand(earlier)) }
    }
    var options = options
    options.scratch = output
    let night = LedgerRun(
      ledger: ledger, sources: sources, output: output, replaces: replace, options: options, progress: progress,
      note: note)
    if adopt, earlier == nil, let standing = try RunLedger.standing(at: output) {
      return try ledger.making(standing, replaces: false, adopts: true, otherThan: nil) { () throws(RunFailure) in
        try night.adopt(standing)
      }
    }
    return try ledger.making(place, replaces: replace, otherThan: earlier) { () throws(RunFailure) in
      if let earlier { return try night.publishAgain(earlier) }
      return try night.settle()
    }
  }
}
