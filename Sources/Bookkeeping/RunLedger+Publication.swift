import Documents
import Failures
import FileSystem
import Ledger
import Publication

/// Publishes reports and enters their run, as one.
extension RunLedger {
  /// Begins a run that makes a directory; the next run finds what this one leaves.
  package func begin(_ place: OutputPlace, replaces: Bool) throws(Failure) {
    let path = FileName.bytes(try place.absolutePath())
    try ledger.begin(directory: path, replaces: replaces)
  }

  /// Runs `body`, which makes a directory at an output, unless the output exists and must not be replaced.
  ///
  /// If it fails, its files are removed before the attempt is forgotten. If that fails, too, the next run finds that
  /// nothing is left.
  /// - Parameters:
  ///   - adopts: whether an existing directory stays, and becomes the run's.
  ///   - id: the entry whose files may be replaced.
  package func making<Result>(
    _ place: OutputPlace, replaces: Bool, adopts: Bool = false, otherThan id: EntryID? = nil,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try checkHolder(place, replaces: replaces, otherThan: id)
    if !adopts { try SettlementDirectory.checkTarget(place, replaces: replaces) }
    try begin(place, replaces: replaces)
    do throws(Failure) { return try body() } catch {
      if !leavesAttempt { try? end(newKeys: 0) }
      throw error
    }
  }

  /// Enters a run or a payout whose files are complete, publishes them, and ends it.
  ///
  /// A failure after the publication is only a note: the next run finds that this one is done.
  /// - Parameters:
  ///   - directory: the directory to publish; nil if it is published already.
  ///   - exitCode: that of the command, if a signal ends it afterwards.
  ///   - published: called before a signal can end the process.
  ///   - enter: enters it and returns its number.
  /// - Returns: its number.
  package func publish(
    _ kind: EntryKind, _ directory: SettlementDirectory?, exitCode: Int32, newKeys: Int = 0,
    published: () -> Void = {}, note: (String) -> Void, enter: () throws(Failure) -> Int
  ) throws(Failure) -> Int {
    let number = try Interruption.uninterrupted { () throws(Failure) in
      let number = if let directory { try publish(directory, enter) } else { try self.enter(nil, enter) }
      published()
      Interruption.conclude(exitCode: exitCode)
      return number
    }
    if let left = directory?.leftBehind {
      leavesAttempt = true
      note("\(left); the next run with this ledger tries again")
    }
    do throws(Failure) {
      if !leavesAttempt { try end(newKeys: newKeys) }
    } catch {
      let id = EntryID(kind, number)
      note("\(error.message); \(id) is entered and published; the next run will notice")
    }
    // What is adopted puts back what was there before.
    if directory != nil { warnOfChange(by: EntryID(kind, number), note: note) }
    return number
  }

  /// Enters a run or a payout whose files are complete, and publishes them.
  ///
  /// The order makes it all or nothing: first the files are on the disk under their other name; then the run and its
  /// keys are committed; then the directory gets its name. After an interruption, the commit alone decides.
  /// - Returns: its number.
  private func publish(
    _ directory: SettlementDirectory, _ enter: () throws(Failure) -> Int
  ) throws(Failure) -> Int {
    let note = LedgerNote(directory.place)
    try note.make(of: path)
    let number = try self.enter(directory, enter)
    do throws(Failure) {
      try directory.publish()
    } catch {
      // The directory has its name, but may lose it in a power failure: the next run checks it.
      if directory.isPublished {
        leavesAttempt = true
        throw error
      }
      do throws(Failure) {
        try ledger.withdrawEntered()
      } catch let second {
        leave(directory)
        throw .inputOutput("\(error.message); \(Self.undecided(second))")
      }
      note.remove()
      throw error
    }
    if directory.leftBehind == nil { note.remove() }
    return number
  }

  /// Commits a run or a payout. If that fails and it is unknown whether it was committed, everything stays as it is for
  /// the next run.
  ///
  /// - Parameter directory: the directory to publish; nil if it is published already.
  private func enter(
    _ directory: SettlementDirectory?, _ enter: () throws(Failure) -> Int
  ) throws(Failure) -> Int {
    do throws(Failure) {
      return try enter()
    } catch {
      guard (try? ledger.withdrawEntered()) != nil else {
        leave(directory)
        throw .inputOutput(Self.undecided(error))
      }
      if let directory { LedgerNote(directory.place).remove() }
      throw error
    }
  }

  private func leave(_ directory: SettlementDirectory?) {
    directory?.leave()
    leavesAttempt = true
  }

  private static func undecided(_ failure: Failure) -> String {
    "\(failure.message); the next run with this ledger completes this one or clears it away"
  }
}
