import FileSystem
import Ledger

/// Putting right what an interrupted run left: its reports are complete and it is in the ledger, or neither.
extension RunLedger {
  /// Completes or clears away what the last run left, where it did not say that it had ended.
  ///
  /// | it was interrupted | found | done |
  /// |---|---|---|
  /// | before it was entered | no number in the attempt | its reports are cleared away |
  /// | entered, not published | complete reports under the other name | they get their name |
  /// | published, not noted | complete reports at the output | noted |
  /// | entered, and the output cannot be had | something else stands there | withdrawn, its reports cleared away |
  /// | entered; its reports are nowhere | nothing, or others | it stays: they may have been published and moved |
  ///
  /// - Parameter note: told what was done.
  package func recover(note: (String) -> Void) throws(RunFailure) {
    guard let attempt = try calling(ledger.attempt()) else { return }
    try expectNoRemote(attempt)
    takeOver()
    let path = FileName.string(attempt.directory)
    let entered = try entered(by: attempt)
    let place: OutputPlace
    do throws(FileFailure) {
      place = try OutputPlace(path: path)
    } catch {
      guard OutputPlace.lacksParent(path) else { throw RunFailure(error) }
      // Its parent is gone, and with it what was left there.
      if let entered { note(Self.unpublished(entered, OutputPlace.shown(path))) }
      return try calling(ledger.end())
    }
    let keys = try entered.map { entered throws(RunFailure) in
      try recover(entered, place, replaces: attempt.replaces, note: note)
    }
    // Whatever is left there by now is of no use.
    do throws(FileFailure) {
      try SettlementDirectory.clearAway(place)
    } catch {
      // What stays beside reports that stand is in nobody's way but the output's.
      guard let entered else { throw RunFailure(error) }
      note("\(error.message); it is left there, beside the reports of \(entered.name)")
    }
    LedgerNote(place).remove()
    try end(newKeys: keys ?? 0)
  }

  /// A run or a payout that an attempt has entered.
  private struct Entered {
    /// Such as `run 3`.
    let name: String
    /// The text of its `SHA256SUMS`.
    let sums: String
    /// How many pay keys the ledger has by it.
    let keys: Int
    /// What publishes its files once more.
    let advice: String
  }

  private func entered(by attempt: Attempt) throws(RunFailure) -> Entered? {
    if let number = attempt.run, let run = try calling(ledger.run(number: number)) {
      return Entered(
        name: "run \(number)", sums: run.entry.sums, keys: run.entry.records.settled,
        advice: "settle run --republish")
    }
    if let number = attempt.payout, let payout = try calling(ledger.payouts()).first(where: { $0.number == number }) {
      return Entered(
        name: "payout \(number)", sums: payout.entry.sums, keys: 0, advice: "settle payout --republish")
    }
    guard attempt.run == nil, attempt.payout == nil else {
      throw .inputOutput("\(shown): the ledger is damaged: it has lost the run or payout that was entered last")
    }
    return nil
  }

  /// Completes or withdraws a run or a payout that is entered.
  ///
  /// - Returns: how many keys the ledger has by it.
  private func recover(
    _ entered: Entered, _ place: OutputPlace, replaces: Bool, note: (String) -> Void
  ) throws(RunFailure) -> Int {
    if Self.isPublished(place, sums: entered.sums) { return entered.keys }
    guard let left = try asRunFailure(SettlementDirectory(left: place, replaces: replaces, sums: entered.sums)) else {
      note(Self.unpublished(entered, place.shown))
      return entered.keys
    }
    do throws(FileFailure) {
      try left.publish()
    } catch {
      guard !left.isPublished, case .unavailable = error else {
        left.leave()
        throw RunFailure(error)
      }
      try calling(ledger.withdrawEntered())
      note("\(error.message); \(entered.name), which was interrupted before it could be published, is withdrawn")
      return 0
    }
    note("\(entered.name) was interrupted before its reports were published; now they are: \(place.shown)")
    return entered.keys
  }

  /// Whether a directory of those reports stands at the output.
  package static func isPublished(_ place: OutputPlace, sums: String) -> Bool {
    guard let directory = try? place.parent.directory(place.name) else { return false }
    return KnownReports(in: directory, sums: sums).verify()
  }

  /// Whether a run's reports stand, as they were, if it published them.
  static func isPublished(_ run: NumberedRun) -> Bool {
    (try? OutputPlace(path: FileName.string(run.entry.directory))).map { isPublished($0, sums: run.entry.sums) }
      ?? false
  }

  /// Whether a run's reports stand, for all that this machine can tell: of a URI it knows nothing.
  static func mayStand(_ run: NumberedRun) -> Bool { run.isAtURI || isPublished(run) }

  private static func unpublished(_ entered: Entered, _ shown: String) -> String {
    "\(entered.name) was interrupted, and its reports are no longer at \(shown); \(entered.advice) has them published "
      + "again"
  }
}
