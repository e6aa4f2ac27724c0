import FileSystem
import Ledger

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

  /// The exit code of `settle run`: 1 if a record was rejected, now or then, 3 if nothing was written, otherwise 0.
  public var exitCode: Int32 {
    switch self {
    case .settled(let result, _): result.exitCode
    case .alreadySettled(let earlier, _): earlier.run.exitCode
    case .settledBefore: 3
    }
  }
}

/// An earlier run, as recorded in the ledger.
public struct EarlierRun: Sendable {
  package let run: RunEntry

  package init(_ run: RunEntry) { self.run = run }

  /// Its number, from 1.
  public var number: Int { run.number }
  /// When it was entered: `2026-11-21T22:00:00Z`.
  public var time: String { run.time }
  /// The directory in which its reports were published.
  public var directory: String { FileName.string(run.directory) }
}
