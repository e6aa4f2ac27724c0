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
  func recover(note: (String) -> Void) throws(RunFailure) {
    guard let attempt = try calling(ledger.attempt()) else { return }
    try expectNoRemote(attempt)
    takeOver()
    let path = FileName.string(attempt.directory)
    let place: OutputPlace
    do throws(FileFailure) {
      place = try OutputPlace(path: path)
    } catch {
      guard OutputPlace.lacksParent(path) else { throw RunFailure(error) }
      // Its parent is gone, and with it what was left there.
      if let number = attempt.run { note(Self.unpublished(number, OutputPlace.shown(path))) }
      return try calling(ledger.end())
    }
    let keys = try attempt.run.map { number throws(RunFailure) in
      try recover(number, place, replaces: attempt.replaces, note: note)
    }
    // Whatever is left there by now is of no use.
    do throws(FileFailure) {
      try SettlementDirectory.clearAway(place)
    } catch {
      // What stays beside reports that stand is in nobody's way but the output's.
      guard let run = attempt.run, keys != nil else { throw RunFailure(error) }
      note("\(error.message); it is left there, beside the reports of run \(run)")
    }
    LedgerNote(place).remove()
    try end(newKeys: keys ?? 0)
  }

  /// Completes or withdraws a run that is entered.
  ///
  /// - Returns: how many keys the ledger has by it.
  private func recover(
    _ number: Int, _ place: OutputPlace, replaces: Bool, note: (String) -> Void
  ) throws(RunFailure) -> Int {
    guard let run = try calling(ledger.run(number: number)) else {
      throw .inputOutput("\(shown): the ledger is damaged: it has lost run \(number)")
    }
    let keys = run.entry.records.settled
    if Self.isPublished(place, sums: run.entry.sums) { return keys }
    guard
      let left = try asRunFailure(SettlementDirectory(left: place, replaces: replaces, sums: run.entry.sums))
    else {
      note(Self.unpublished(number, place.shown))
      return keys
    }
    do throws(FileFailure) {
      try left.publish()
    } catch {
      guard !left.isPublished, case .unavailable = error else {
        left.leave()
        throw RunFailure(error)
      }
      try calling(ledger.withdraw(number))
      note("\(error.message); run \(number), which was interrupted before it could be published, is withdrawn")
      return 0
    }
    note("run \(number) was interrupted before its reports were published; now they are: \(place.shown)")
    return keys
  }

  /// Whether a directory of those reports stands at the output.
  static func isPublished(_ place: OutputPlace, sums: String) -> Bool {
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

  private static func unpublished(_ number: Int, _ shown: String) -> String {
    "run \(number) was interrupted, and its reports are no longer at \(shown); settle run --republish has "
      + "them published again"
  }
}
