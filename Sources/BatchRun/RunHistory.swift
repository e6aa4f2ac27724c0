import FileSystem
import Ledger

/// The runs of a ledger, as they may be told: a run counts once its reports are published.
public struct RunHistory: Sendable {
  /// The runs, in order.
  public let runs: [NumberedRun]
  /// What a run left that is at work now, or was interrupted; nil if there is nothing.
  public let unfinished: String?

  /// Reads a ledger without writing to it; a run that is at work with it meanwhile is not disturbed.
  public init(ledger path: String) throws(RunFailure) {
    self.init(try asRunFailure(ledger: OutputPlace.shown(path), LedgerHistory(ledger: path)))
  }

  /// What a ledger's history comes to.
  init(_ history: LedgerHistory) {
    let run = history.runs.first { $0.number == history.attempt?.run }
    guard let attempt = history.attempt, !(run.map { RunLedger.isPublished($0) } ?? false) else {
      runs = history.runs
      unfinished = nil
      return
    }
    runs = history.runs.filter { $0.number != run?.number }
    let directory = FileName.string(attempt.directory)
    let isAtWork = "a run is at work on \(OutputPlace.shown(directory)), or was interrupted there"
    unfinished =
      run.map {
        "\(isAtWork), as run \($0.number), before its reports were published; the next run with this ledger completes or "
          + "withdraws it"
      } ?? "\(isAtWork); nothing of it is settled"
  }
}
