import FileSystem
import Ledger

/// The runs of a ledger that count: a run counts once its reports are published.
public struct RunHistory: Sendable {
  /// The runs, in order.
  public let runs: [NumberedRun]
  /// The payouts, in order.
  public let payouts: [NumberedPayout]
  /// A message about a run that is active or was interrupted; nil if there is no such run.
  public let unfinished: String?

  /// Reads a ledger without writing to it; an active run is not disturbed.
  public init(ledger path: String) throws(RunFailure) {
    self.init(try asRunFailure(ledger: OutputPlace.shown(path), LedgerHistory(ledger: path)))
  }

  /// Picks the runs and payouts that count.
  init(_ history: LedgerHistory) {
    let run = history.runs.first { $0.number == history.attempt?.run }
    let payout = history.payouts.first { $0.number == history.attempt?.payout }
    let stands =
      run.map { RunLedger.isPublished($0) }
      ?? payout.map { KnownReports(at: $0.entry.directory, sums: $0.entry.sums)?.verify() ?? false }
    guard let attempt = history.attempt, stands != true else {
      (runs, payouts) = (history.runs, history.payouts)
      unfinished = nil
      return
    }
    runs = history.runs.filter { $0.number != run?.number }
    payouts = history.payouts.filter { $0.number != payout?.number }
    let directory = FileName.string(attempt.directory)
    let isAtWork = "a run is active at \(OutputPlace.shown(directory)), or was interrupted there"
    unfinished =
      (run.map { "run \($0.number)" } ?? payout.map { "payout \($0.number)" }).map {
        "\(isAtWork), as \($0), before its reports were published; the next run with this ledger completes or "
          + "withdraws it"
      } ?? "\(isAtWork); nothing of it was settled"
  }
}
