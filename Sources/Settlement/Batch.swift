import BatchRun
import Failures
import LedgerRuns
import Documents

/// Why a batch is not settled, or a file not read. `message` says what, where, and what was expected; `exitCode` is the
/// command's exit code.
///
/// `.batch` is a batch that cannot be settled as a whole, with its `BatchError`; `.unreadable` a file that cannot be
/// opened or read; `.configuration` a fee schedule or ledger that cannot be used; `.unavailable` a directory that
/// exists or cannot be made; `.busy` one that another run holds; `.inputOutput` an error while reading or writing.
public typealias SettlementFailure = Failure

/// A batch: its files in order, and the options to settle it with.
public struct Batch {
  /// The batch's files, plain or LZ4. Several files are one batch; `-` is standard input.
  public var files: [String]
  /// The options that decide what its records become.
  public var options: SettlementOptions
  /// Receives the run's progress.
  package var progress: RunProgress?

  /// Makes a batch of files; none is opened yet.
  public init(_ files: [String], options: SettlementOptions = SettlementOptions()) {
    self.files = files
    self.options = options
  }

  /// Settles the batch and publishes its reports as a directory, all or nothing, as `settle run` does.
  ///
  /// If the process ends before it is done, the directory is as it was before, and `.NAME.partial` is left next to it.
  /// The next run on the directory removes that.
  /// - Parameters:
  ///   - directory: the directory to make; its parent must exist.
  ///   - replacing: whether the reports of an earlier run in the directory are replaced; if not, it must not exist.
  ///   - note: called with each thing that was repaired after an earlier run.
  /// - Returns: the batch's result. Rejected records are counted in it and are no failure.
  public func settle(
    into directory: String, replacing: Bool = false, note: (String) -> Void = { _ in }
  ) throws(SettlementFailure) -> BatchResult {
    BatchResult(
      try BatchRun.settle(
        files, output: directory, replace: replacing, options: options.runOptions(for: files), progress: progress,
        note: note))
  }

  /// Settles the batch as `settle(into:replacing:note:)` does, and enters the run in a ledger: nothing is settled
  /// twice, in whichever run it comes.
  ///
  /// - Parameters:
  ///   - directory: the directory to make; its parent must exist.
  ///   - ledger: the ledger's file. A missing one is created, and removed again if the run is not entered.
  ///   - expectingRuns: whether to refuse a ledger without runs, and not to create one.
  ///   - replacing: whether the reports of an earlier run in the directory are replaced; if not, it must not exist.
  ///   - republishing: if an earlier run settled the batch, whether to publish that run's reports here.
  ///   - adopting: whether to enter the run with an existing directory, if that contains exactly its reports.
  ///   - witness: the ledger's second lock file, on another disk, which finds a ledger that was put back together with
  ///     its folder; nil if none is given. One that a run cannot write in the end is only noted.
  ///   - note: called with each thing that was repaired after an earlier run.
  public func settle(
    into directory: String, ledger: String, expectingRuns: Bool = false, replacing: Bool = false,
    republishing: Bool = false, adopting: Bool = false, witness: String? = nil,
    note: @escaping (String) -> Void = { _ in }
  ) throws(SettlementFailure) -> LedgerOutcome {
    LedgerOutcome(
      try BatchRun.settle(
        files, output: directory, replace: replacing, republish: republishing, adopt: adopting,
        options: options.runOptions(for: files), ledger: ledger, mustHaveRuns: expectingRuns, witness: witness,
        progress: progress, note: note))
  }

  /// Checks the batch without settling it, as `settle validate` does.
  ///
  /// - Parameter take: called with each error and notice, in batch order.
  /// - Returns: the result that the batch would have.
  public func validate(_ take: @escaping (RecordFinding) -> Void) throws(SettlementFailure) -> BatchResult {
    var unfinished: [UInt8] = []
    return try validate(FindingsList(.jsonl)) { text in
      unfinished.append(text)
      var lines = unfinished.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      unfinished = lines.popLast().map(Array.init) ?? []
      // A batch error is a line too, but it is thrown.
      for line in lines { if let finding = RecordFinding(line: Array(line)) { take(finding) } }
    }
  }

  /// The trailer that the batch should have, as a line of JSON without a line feed: the number of its records and the sums
  /// of their control amounts (`docs/spec/batch.md`). Trailers that are there are not looked at, and several files are
  /// parts in their order.
  ///
  /// Throws `.batch` if the batch cannot be read as a whole, such as for a header that is not the first record.
  public func trailer() throws(SettlementFailure) -> String {
    var options = try self.options.runOptions(for: files)
    options.passesOverTrailers = true
    let result = try BatchRun.validate(files, findings: FindingsList(.jsonl, limit: 0), options: options) { _ in }
    return "\(result.totals.trailer(recordCount: result.totals.recordsRead))"
  }

  /// Checks the batch as `validate(_:)` does, and returns the findings as text.
  ///
  /// - Parameter ledger: opens the ledger with the earlier runs. It changes the options of the check: rules that were
  ///   not given become those of the batch's run.
  package func validate(
    _ findings: FindingsList, ledger: (inout RunOptions) throws(Failure) -> BatchLedger? = { _ in nil },
    output: @escaping (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) -> BatchResult {
    let (options, earlier): (RunOptions, BatchLedger?)
    do throws(Failure) {
      var all = try self.options.runOptions(for: files)
      earlier = try ledger(&all)
      options = all
    } catch {
      try BatchRun.validate(findings, failed: error, output: output)
      throw error
    }
    return BatchResult(
      try BatchRun.validate(
        files, findings: findings, options: options, ledger: earlier, progress: progress, output: output))
  }
}
