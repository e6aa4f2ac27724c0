import Failures
import FileSystem
import Ledger
import Publication

/// Repairs after an interrupted run: either its reports are complete and it is in the ledger, or neither.
extension RunLedger {
  /// Completes the last run or clears it away, unless it ended properly.
  ///
  /// | interrupted | found | action |
  /// |---|---|---|
  /// | before it was entered | no number in the attempt | its reports are removed |
  /// | entered, not published | complete reports under the other name | they get their name |
  /// | published, not noted | complete reports at the output | it is noted |
  /// | entered, and the output is taken | something else at the output | it is withdrawn, its reports are removed |
  /// | entered; its reports are missing | nothing, or other reports | it stays: its reports may have been moved |
  ///
  /// - Parameter note: receives messages about what was done.
  package func recover(note: (String) -> Void) throws(Failure) {
    guard let attempt = try ledger.attempt() else { return }
    try expectNoRemote(attempt)
    takeOver()
    let path = FileName.string(attempt.directory)
    let entered = try entered(by: attempt)
    let place: OutputPlace
    do throws(Failure) {
      place = try OutputPlace(path: path)
    } catch {
      guard OutputPlace.lacksParent(path) else { throw error }
      // The parent is gone, and everything in it.
      if let entered { note(Self.unpublished(entered, OutputPlace.shown(path))) }
      return try ledger.end()
    }
    let keys = try entered.map { entered throws(Failure) in
      try recover(entered, place, replaces: attempt.replaces, note: note)
    }
    // Anything left there now is useless.
    do throws(Failure) {
      try SettlementDirectory.clearAway(place)
    } catch {
      // The reports are published; a leftover only blocks later use of the output.
      guard let entered else { throw error }
      note("\(error.message); it is left there, next to the reports of \(entered.name)")
    }
    LedgerNote(place).remove()
    try end(newKeys: keys ?? 0)
  }

  /// A run or a payout that an attempt entered.
  private struct Entered {
    /// Such as `run 3`.
    let name: String
    /// The text of its `SHA256SUMS`.
    let sums: String
    /// The number of its pay keys in the ledger.
    let keys: Int
    /// The command that publishes its files again.
    let advice: String
  }

  private func entered(by attempt: Attempt) throws(Failure) -> Entered? {
    if let number = attempt.run, let run = try ledger.run(number: number) {
      return Entered(
        name: "run \(number)", sums: run.entry.sums, keys: run.entry.records.settled,
        advice: "settle run --republish")
    }
    if let number = attempt.payout, let payout = try ledger.payouts().first(where: { $0.number == number }) {
      return Entered(
        name: "payout \(number)", sums: payout.entry.sums, keys: 0, advice: "settle payout --republish")
    }
    guard attempt.run == nil, attempt.payout == nil else {
      throw .inputOutput("\(shown): the ledger is damaged: the run or payout that was entered last is missing")
    }
    return nil
  }

  /// Completes or withdraws a run or a payout that is entered.
  ///
  /// - Returns: the number of its keys in the ledger.
  private func recover(
    _ entered: Entered, _ place: OutputPlace, replaces: Bool, note: (String) -> Void
  ) throws(Failure) -> Int {
    if Self.isPublished(place, sums: entered.sums) { return entered.keys }
    guard let left = try SettlementDirectory(left: place, replaces: replaces, sums: entered.sums) else {
      note(Self.unpublished(entered, place.shown))
      return entered.keys
    }
    do throws(Failure) {
      try left.publish()
    } catch {
      guard !left.isPublished, error.kind == .unavailable else {
        left.leave()
        throw error
      }
      try ledger.withdrawEntered()
      note("\(error.message); \(entered.name), which was interrupted before it could be published, is withdrawn")
      return 0
    }
    note("\(entered.name) was interrupted before its reports were published; now they are: \(place.shown)")
    return entered.keys
  }

  /// Whether the output is a directory with these reports, unchanged.
  package static func isPublished(_ place: OutputPlace, sums: String) -> Bool {
    guard let directory = try? place.parent.directory(place.name) else { return false }
    return KnownReports(in: directory, sums: sums).verify()
  }

  /// Whether a run has published its reports and they are unchanged.
  package static func isPublished(_ run: NumberedRun) -> Bool {
    (try? OutputPlace(path: FileName.string(run.entry.directory))).map { isPublished($0, sums: run.entry.sums) }
      ?? false
  }

  /// Whether a run's reports may exist, unchanged; always true for reports at a URI, which are not checked.
  package static func mayStand(_ run: NumberedRun) -> Bool { run.isAtURI || isPublished(run) }

  private static func unpublished(_ entered: Entered, _ shown: String) -> String {
    "\(entered.name) was interrupted, and its reports are no longer at \(shown); \(entered.advice) publishes them "
      + "again"
  }
}
