import FileSystem
import Ledger

/// What those who keep a ledger do with it: have it checked, copied, pruned, and have a copy of it count.
public enum LedgerUpkeep {
  /// What a check of a ledger came to.
  public struct Verdict: Sendable {
    /// What is damaged, in words; nothing if all is as it was written.
    public var findings: [String] = []
    /// The runs that it holds.
    public var runs = 0
    /// The payouts that it holds.
    public var payouts = 0
    /// The pay keys that it holds.
    public var keys = 0
    /// Runs whose directory is gone, which is no damage.
    public var gone = 0
    /// Runs whose directory is at a URI, where it is not checked.
    public var elsewhere = 0
    /// Payouts whose directory is gone, which is no damage.
    public var gonePayouts = 0
    /// What a run left that was interrupted; nil if there is nothing.
    public var unfinished: String?
  }

  /// Reads all of a ledger, and the directory of each run where it still stands; nothing is written.
  ///
  /// Throws if a run is at work with it, or if the file is no ledger.
  public static func verify(_ path: String) throws(RunFailure) -> Verdict {
    let shown = OutputPlace.shown(path)
    let check = try asRunFailure(ledger: shown, LedgerCheck(ledger: path))
    var verdict = Verdict(
      findings: check.findings.map { RunFailure(.damaged($0), ledger: shown).message }, keys: check.keyCount)
    guard let history = check.history.map(RunHistory.init) else { return verdict }
    verdict.runs = history.runs.count
    verdict.payouts = history.payouts.count
    verdict.elsewhere = history.runs.count { $0.isAtURI }
    verdict.unfinished = history.unfinished
    for payout in history.payouts
    where !(KnownReports(at: payout.entry.directory, sums: payout.entry.sums)?.verify() ?? false) {
      let directory = FileName.string(payout.entry.directory)
      if OutputPlace.isGone(directory) {
        verdict.gonePayouts += 1
      } else {
        verdict.findings.append("\(OutputPlace.shown(directory)): is not as payout \(payout.number) published it")
      }
    }
    for run in history.runs where !RunLedger.mayStand(run) {
      let directory = FileName.string(run.entry.directory)
      if OutputPlace.isGone(directory) {
        verdict.gone += 1
      } else {
        verdict.findings.append("\(OutputPlace.shown(directory)): is not as run \(run.number) published it")
      }
    }
    return verdict
  }

  /// Makes a copy of a ledger that can be used at once, with a lock file of its own; a run may be at work meanwhile.
  ///
  /// Throws if anything stands at the copy's name, or at its lock file's.
  public static func backUp(_ path: String, to copy: String) throws(RunFailure) {
    for name in [copy, copy + "-lock"] { try asRunFailure(try OutputPlace(path: name).expectNothing()) }
    let file = try asRunFailure(PartialFile(path: copy, mode: 0o600))
    let madePath = try asRunFailure(file.path())
    try asRunFailure(ledger: OutputPlace.shown(path), Ledger.copy(path, into: madePath))
    try asRunFailure(file.publish(replaces: false))
    _ = try RunLedger(copy)
  }

  /// Drops what refunds need of the payments that runs of an earlier day settled; tells how many runs that were, and
  /// payments.
  ///
  /// - Parameter day: in days since 1970-01-01.
  public static func prune(_ path: String, before day: Int) throws(RunFailure) -> (runs: Int, payments: Int) {
    guard !OutputPlace.isGone(path) else { throw .unreadable("\(OutputPlace.shown(path)): there is no such ledger") }
    let ledger = try RunLedger(path)
    return try ledger.calling(ledger.ledger.prune(before: day))
  }

  /// Has a copy of a ledger count from now on, whatever its lock file says; returns which runs and payouts it lacks.
  ///
  /// - Parameters:
  ///   - lacksPayouts: whether one is taken that lacks payouts: their money is not paid again.
  ///   - nextPayout: the number of the next payout; needed if the lock file does not tell it.
  public static func adopt(
    _ path: String, lacksPayouts: Bool = false, nextPayout: Int? = nil
  ) throws(RunFailure) -> String {
    try asRunFailure(
      ledger: OutputPlace.shown(path),
      Interruption.uninterrupted { () throws(LedgerFailure) in
        try Ledger.adopt(path, lacksPayouts: lacksPayouts, nextPayout: nextPayout)
      })
  }
}
