import FileSystem
import Ledger

/// The runs of a ledger, as they may be told: a run counts once its reports are published.
public struct RunHistory: Sendable {
  /// The runs, in order.
  public let runs: [NumberedRun]
  /// What a run left that is at work now, or was interrupted; nil where there is nothing.
  public let unfinished: String?

  /// Reads a ledger without writing to it; a run that is at work with it meanwhile is not disturbed.
  public init(ledger path: String) throws(RunFailure) {
    self.init(try asRunFailure(ledger: OutputPlace.shown(path), LedgerHistory(ledger: path)))
  }

  /// What a ledger's history comes to.
  init(_ history: LedgerHistory) {
    guard let attempt = history.attempt else {
      runs = history.runs
      unfinished = nil
      return
    }
    let directory = FileName.string(attempt.directory)
    let isAtWork = "a run is at work on \(OutputPlace.shown(directory)), or was interrupted there"
    guard let number = attempt.run, let run = history.runs.first(where: { $0.number == number }) else {
      runs = history.runs
      unfinished = "\(isAtWork); nothing of it is settled"
      return
    }
    if RunLedger.isPublished(run) {
      runs = history.runs
      unfinished = nil
      return
    }
    runs = history.runs.filter { $0.number != number }
    unfinished =
      "\(isAtWork), as run \(number), before its reports were published; the next run with this ledger completes or "
      + "withdraws it"
  }
}
