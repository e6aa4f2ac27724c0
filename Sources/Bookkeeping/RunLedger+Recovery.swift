import Documents
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
    if witness == nil, try ledger.hasWitness() {
      note("\(shown): has a witness, which falls behind; name it with --witness")
    }
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
      note("\(error.message); it is left there, next to the reports of \(entered.id)")
    }
    LedgerNote(place).remove()
    try end(newKeys: keys ?? 0)
  }

  /// A run or a payout that an attempt entered.
  private struct Entered {
    let id: EntryID
    /// The text of its `SHA256SUMS`.
    let sums: String
    /// The number of its pay keys in the ledger.
    let keys: Int
  }

  private func entered(by attempt: Attempt) throws(Failure) -> Entered? {
    guard let id = attempt.entered else { return nil }
    if id.kind == .run, let run = try ledger.run(number: id.number) {
      return Entered(id: id, sums: run.sums, keys: run.records.settled)
    }
    if id.kind == .payout, let payout = try ledger.payouts().first(where: { $0.id == id }) {
      return Entered(id: id, sums: payout.sums, keys: 0)
    }
    throw .damagedLedger("the run or payout that was entered last is missing").ofLedger(shown)
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
      note("\(error.message); \(entered.id), which was interrupted before it could be published, is withdrawn")
      return 0
    }
    note("\(entered.id) was interrupted before its reports were published; now they are: \(place.shown)")
    return entered.keys
  }

  private static func unpublished(_ entered: Entered, _ shown: String) -> String {
    "\(entered.id) was interrupted, and its reports are no longer at \(shown); settle \(entered.id.kind) --republish "
      + "publishes them again"
  }
}
