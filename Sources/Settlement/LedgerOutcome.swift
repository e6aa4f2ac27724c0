import FileSystem
import Ledger

/// What settling a batch with a ledger came to.
public enum LedgerOutcome: Sendable {
  /// The batch was settled and entered as a run of that number.
  case settled(BatchResult, run: Int)
  /// An earlier run settled the same batch; where its reports were not in the directory, they are there now.
  case alreadySettled(EarlierRun, isPublishedAgain: Bool)
  /// An earlier run settled the same batch into another directory, or its reports are not there as they were: nothing
  /// was written, as somebody may be about to pay the batch a second time.
  case settledBefore(EarlierRun, reportsStand: Bool)

  /// The exit code of `settle run`: 1 if a record was rejected, now or then, 3 if nothing was written, else 0.
  public var exitCode: Int32 {
    switch self {
    case .settled(let result, _): result.exitCode
    case .alreadySettled(let earlier, _): earlier.run.exitCode
    case .settledBefore: 3
    }
  }
}

/// The run of an earlier night, as the ledger has it.
public struct EarlierRun: Sendable {
  package let run: NumberedRun

  package init(_ run: NumberedRun) { self.run = run }

  /// Its number, from 1.
  public var number: Int { run.number }
  /// When it was entered: `2026-11-21T22:00:00Z`.
  public var time: String { run.entry.time }
  /// The directory that its reports were published as.
  public var directory: String { FileName.string(run.entry.directory) }
}
