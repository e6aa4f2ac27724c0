import Bookkeeping
import Failures
import FileSystem
import Ledger
import Rules

/// What operators do with a ledger: check, copy and prune it, and put a copy in its place.
public enum LedgerUpkeep {
  /// The result of a check.
  public struct Verdict: Sendable {
    /// Messages about damage; empty if the ledger is intact.
    public var findings: [String] = []
    /// The number of its runs.
    public var runs = 0
    /// The number of its payouts.
    public var payouts = 0
    /// The number of its pay keys.
    public var keys = 0
    /// Runs whose directory is gone, which is not damage, with the directories: `run 1 (nights/1)`.
    public var gone: [String] = []
    /// Runs whose directory is at a URI, where it is not checked.
    public var elsewhere = 0
    /// Payouts whose directory is gone, likewise.
    public var gonePayouts: [String] = []
    /// The runs and payouts; nil if they cannot be read.
    public var history: LedgerHistory?
    /// A message about a copy without a lock file; nil if there is a lock file.
    public var doubt: String?

    /// Checks the directory of a run or a payout.
    ///
    /// - Parameter gone: receives a directory that is gone.
    fileprivate mutating func check<Content>(_ entry: Entry<Content>, _ gone: WritableKeyPath<Verdict, [String]>) {
      if entry.mayStand { return }
      let directory = FileName.string(entry.directory)
      if OutputPlace.isGone(directory) {
        self[keyPath: gone].append("\(entry.id) (\(OutputPlace.shown(directory)))")
      } else {
        findings.append("\(OutputPlace.shown(directory)): differs from what \(entry.id) published")
      }
    }
  }

  /// Reads all of a ledger, and the directory of each run if it still exists; writes nothing.
  ///
  /// Throws if a run is using it, or if the file is not a ledger.
  public static func verify(_ path: String) throws(Failure) -> Verdict {
    let shown = OutputPlace.shown(path)
    let check = try LedgerCheck(ledger: path, isValid: RefundablePayment.areChargesWhole)
    var verdict = Verdict(
      findings: check.findings.map { Failure.damaged($0).ofLedger(shown).message }, keys: check.keyCount)
    verdict.doubt = check.doubt.map { "\(shown): \($0); if this is a backup, that is as it should be" }
    guard let history = check.history else { return verdict }
    verdict.runs = history.runs.count
    verdict.payouts = history.payouts.count
    verdict.elsewhere = history.runs.count { $0.isAtURI }
    verdict.history = history
    for payout in history.payouts { verdict.check(payout, \.gonePayouts) }
    for run in history.runs { verdict.check(run, \.gone) }
    return verdict
  }

  /// Makes a copy of a ledger, without a lock file: a copy never vouches for itself. A run may be active meanwhile.
  ///
  /// Throws if the copy's file or a lock file next to it exists, or if the ledger is damaged.
  public static func backUp(_ path: String, to copy: String) throws(Failure) {
    for name in [copy, copy + "-lock"] { try OutputPlace(path: name).expectNothing() }
    let file = try PartialFile(path: copy, mode: 0o600)
    let madePath = try file.path()
    try Ledger.copy(path, into: madePath)
    try file.publish(replaces: false)
  }

  /// Drops the refund data of payments that runs before a day settled; returns the number of those runs and payments.
  ///
  /// - Parameter day: in days since 1970-01-01.
  public static func prune(_ path: String, before day: Int) throws(Failure) -> (runs: Int, payments: Int) {
    guard !OutputPlace.isGone(path) else { throw .unreadable("\(OutputPlace.shown(path)): there is no such ledger") }
    let ledger = try RunLedger(path)
    return try ledger.ledger.prune(before: day)
  }
}
