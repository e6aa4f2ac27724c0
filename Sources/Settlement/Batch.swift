import BatchRun
import Reports

/// Why a batch is not settled, or a file not read: `message` says what, where and what was expected, `exitCode` is what
/// the command ends with.
///
/// `.batch` is a batch that as a whole cannot be settled, with its `BatchError`; `.unreadable` a file that cannot be
/// opened or read; `.configuration` a fee schedule, or a ledger, that cannot be used; `.outputUnavailable` a directory
/// that exists or cannot be made; `.busy` one that another run holds; `.inputOutput` what failed on the way.
public typealias SettlementFailure = RunFailure

/// A batch: its files in order, and how they are settled.
public struct Batch {
  /// The batch's files, plain or LZ4; several are one batch, and `-` is standard input.
  public var files: [String]
  /// What decides what its records become.
  public var options: SettlementOptions
  /// Told how far the run has come.
  package var progress: RunProgress?

  /// A batch of files; none is opened yet.
  public init(_ files: [String], options: SettlementOptions = SettlementOptions()) {
    self.files = files
    self.options = options
  }

  /// Settles the batch and publishes its reports as a directory, all or nothing, as `settle run` does.
  ///
  /// A process that ends on the way leaves the directory as it was, and `.NAME.partial` beside it, which the next run
  /// on the directory clears away.
  /// - Parameters:
  ///   - directory: the directory to make; its parent must exist.
  ///   - replacing: whether the reports of an earlier run in the directory are replaced; else it must not exist.
  ///   - note: told what was put right of what an earlier run left.
  /// - Returns: what became of the batch. Rejected records are counted in it, and are no failure.
  public func settle(
    into directory: String, replacing: Bool = false, note: (String) -> Void = { _ in }
  ) throws(SettlementFailure) -> BatchResult {
    BatchResult(
      try BatchRun.settle(
        files, output: directory, replace: replacing, options: options.runOptions(for: files), progress: progress,
        note: note))
  }

  /// Settles the batch as `settle(into:replacing:note:)` does, and enters the run in a ledger: nothing is settled
  /// twice, whatever night it comes.
  ///
  /// - Parameters:
  ///   - directory: the directory to make; its parent must exist.
  ///   - ledger: the ledger's file. A missing one is made, and removed again if the run is not entered.
  ///   - expectingRuns: whether a ledger without a run is refused, and none is made.
  ///   - replacing: whether the reports of an earlier run in the directory are replaced; else it must not exist.
  ///   - republishing: whether a batch that an earlier run settled has that run's reports published here.
  ///   - adopting: whether the run is entered with the directory that exists, if that holds its very reports.
  ///   - note: told what was put right of what an earlier run left.
  public func settle(
    into directory: String, ledger: String, expectingRuns: Bool = false, replacing: Bool = false,
    republishing: Bool = false, adopting: Bool = false, note: @escaping (String) -> Void = { _ in }
  ) throws(SettlementFailure) -> LedgerOutcome {
    let outcome = try BatchRun.settle(
      files, output: directory, replace: replacing, republish: republishing, adopt: adopting,
      options: options.runOptions(for: files), ledger: ledger, mustHaveRuns: expectingRuns, progress: progress,
      note: note)
    return switch outcome {
    case .settled(let result, let run?): .settled(BatchResult(result), run: run)
    case .settled(_, nil): preconditionFailure("a run with a ledger has a number")
    case .alreadySettled(let run, let isPublishedAgain):
      .alreadySettled(EarlierRun(run), isPublishedAgain: isPublishedAgain)
    case .settledBefore(let run, let reportsStand): .settledBefore(EarlierRun(run), reportsStand: reportsStand)
    }
  }

  /// Checks the batch without settling it, as `settle validate` does.
  ///
  /// - Parameter take: given each error and notice, in batch order.
  /// - Returns: what would become of the batch.
  public func validate(_ take: @escaping (RecordFinding) -> Void) throws(SettlementFailure) -> BatchResult {
    var unfinished: [UInt8] = []
    return try validate(FindingsList(.jsonl)) { bytes, count in
      unfinished += UnsafeBufferPointer(start: bytes, count: count)
      var lines = unfinished.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      unfinished = lines.popLast().map(Array.init) ?? []
      // A batch error is a line, too; it is thrown.
      for line in lines { if let finding = RecordFinding(line: Array(line)) { take(finding) } }
    }
  }

  /// Checks the batch as `validate(_:)` does, and gives the findings as text.
  ///
  /// - Parameter ledger: opens the ledger with the earlier runs, by the options of the check, which get the rules of the
  ///   batch's run that were not given.
  package func validate(
    _ findings: FindingsList, ledger: (inout RunOptions) throws(RunFailure) -> ReadLedger? = { _ in nil },
    output: @escaping (UnsafePointer<UInt8>, Int) throws(RunFailure) -> Void
  ) throws(RunFailure) -> BatchResult {
    var options = try options.runOptions(for: files)
    let ledger = try ledger(&options)
    return BatchResult(
      try BatchRun.validate(
        files, findings: findings, options: options, ledger: ledger, progress: progress, output: output))
  }
}
