import Bookkeeping
import FileSystem
import Ledger
import LedgerRuns

/// The result of settling a batch with a ledger.
public enum LedgerOutcome: Sendable {
  /// The batch was settled and entered as the run with this number.
  case settled(BatchResult, run: Int)
  /// An earlier run settled the same batch. If its reports were missing in the directory, they have been published
  /// again.
  case alreadySettled(EarlierRun, isPublishedAgain: Bool)
  /// An earlier run settled the same batch into another directory, or its reports have changed since. Nothing was
  /// written, because the batch might be about to be paid a second time.
  case settledBefore(EarlierRun, reportsStand: Bool)

  init(_ result: LedgerRunResult) {
    switch result {
    case .settled(let result, let run): self = .settled(BatchResult(result), run: run)
    case .earlier(let earlier):
      let run = EarlierRun(found: earlier)
      switch earlier.files {
      case .inPlace: self = .alreadySettled(run, isPublishedAgain: false)
      case .publishedAgain: self = .alreadySettled(run, isPublishedAgain: true)
      case .elsewhere(let stand): self = .settledBefore(run, reportsStand: stand)
      }
    }
  }

  /// The exit code of `settle run`: 1 if a record was rejected, now or then, 3 if nothing was written, otherwise 0.
  public var exitCode: Int32 {
    switch self {
    case .settled(let result, _): result.exitCode
    case .alreadySettled(let earlier, _), .settledBefore(let earlier, _): earlier.found.exitCode
    }
  }
}

/// An earlier run, as recorded in the ledger.
public struct EarlierRun: Sendable {
  package let found: FoundEntry<RunContent>
  private var run: RunEntry { found.entry }

  /// Its number, from 1.
  public var number: Int { run.number }
  /// When it was entered: `2026-11-21T22:00:00Z`.
  public var time: String { run.time }
  /// The directory in which its reports were published.
  public var directory: String { FileName.string(run.directory) }
}
