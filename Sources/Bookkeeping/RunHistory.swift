import Failures
import FileSystem
import Ledger
import Text

/// The runs of a ledger that count: a run counts once its reports are published.
public struct RunHistory: Sendable {
  /// The runs, in order.
  public let runs: [RunEntry]
  /// The payouts, in book order.
  public let payouts: [PayoutEntry]
  /// The payouts that were given up, in order.
  public let givenUp: [GivenUpPayout]
  /// The ledger's name.
  public let name: LedgerName
  /// The highest number of a payout that the ledger or its lock file knows, entered or missing.
  public let lastKnownPayout: Int
  /// The digest of the directory of that payout; nil if it is not known.
  public let lastKnownDirectory: DirectoryDigest?
  /// The names of other shops' ledgers, according to the operator.
  public let others: Set<LedgerName>
  /// A message about a ledger that may not be the newest copy; nil if it is sound.
  public let doubt: String?
  /// A message about a run that is active or was interrupted; nil if there is no such run.
  public let unfinished: String?

  /// Reads a ledger without writing to it; an active run is not disturbed.
  public init(ledger path: String) throws(Failure) {
    let shown = OutputPlace.shown(path)
    self.init(try LedgerHistory(ledger: path), shown: shown)
  }

  /// Picks the runs and payouts that count.
  ///
  /// - Parameter shown: the ledger's path, for messages.
  package init(_ history: LedgerHistory, shown: String) {
    (givenUp, name, lastKnownPayout) = (history.givenUp, history.name, history.lastKnownPayout)
    (lastKnownDirectory, others) = (history.lastKnownDirectory, history.others)
    doubt = history.doubt.map {
      "\(shown): \($0). What it says may be out of date; settle ledger verify \(ShellWord.quoted(shown)) says more"
    }
    let entered = history.attempt?.entered
    let isPublished =
      history.runs.first { $0.id == entered }?.isPublished ?? history.payouts.first { $0.id == entered }?.isPublished
    guard let attempt = history.attempt, isPublished != true else {
      (runs, payouts) = (history.runs, history.payouts)
      unfinished = nil
      return
    }
    runs = history.runs.filter { $0.id != entered }
    payouts = history.payouts.filter { $0.id != entered }
    let directory = FileName.string(attempt.directory)
    let isAtWork = "a run is active at \(OutputPlace.shown(directory)), or was interrupted there"
    unfinished =
      entered.map {
        "\(isAtWork), as \($0), before its reports were published; the next run with this ledger completes or "
          + "withdraws it"
      } ?? "\(isAtWork); nothing of it was settled"
  }
}
