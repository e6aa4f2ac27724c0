import Claims
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

  /// The run that settled a pay key alone, or none, by a ledger that is read and not written.
  public init(ledger path: String, settling payKey: [UInt8]) throws(RunFailure) {
    let shown = OutputPlace.shown(path)
    let reading = try asRunFailure(ledger: shown, LedgerReading(path: path))
    let hash = KeyedHash(key0: reading.hashKey.key0, key1: reading.hashKey.key1)
    let key = hash.fingerprint(payKey, count: payKey.count).ofPayKey
    let keys = try asRunFailure(ledger: shown, reading.earlierKeys(readers: 1))
    defer { keys.close() }
    let number = try asRunFailure(ledger: shown, keys.run(of: key, reader: 0))
    guard try !asRunFailure(ledger: shown, reading.hasChanged()) else { throw .changed(ledger: shown) }
    let all = RunHistory(reading.history)
    (runs, unfinished) = (all.runs.filter { $0.number == number }, all.unfinished)
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
