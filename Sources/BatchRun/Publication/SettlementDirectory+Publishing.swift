import BatchFile
import CSystemCalls
import Glibc

extension SettlementDirectory {
  /// Gives the complete directory its name and waits until that is on the disk; then old reports are removed.
  ///
  /// Where it throws, what stood at the output before stands there again. A signal that would end the run waits.
  func publish() throws(RunFailure) {
    precondition(isComplete && !isPublished, "only a complete settlement directory is published")
    try Interruption.uninterrupted { () throws(RunFailure) in
      let old = try giveName()
      do throws(RunFailure) {
        try place.sync()
      } catch {
        guard takeNameBack(old) else {
          endMaking()
          throw place.maybeLost(error)
        }
        throw error
      }
      endMaking()
      if let old, !partial.takeAway(exchanged: old.descriptor) {
        leftBehind = "\(partial.shown): the reports that were replaced cannot be removed"
      }
      partial.unlock()
    }
  }

  /// From now on it is no longer taken away.
  private func endMaking() {
    isPublished = true
    cleanup.withdraw()
  }

  /// Throws where anything stands at the output that a run may not put its reports in the place of.
  static func checkTarget(_ place: OutputPlace, replaces: Bool) throws(RunFailure) {
    guard try FileIdentity.of(place.name, in: place) != nil else { return }
    guard replaces else { throw exists(place) }
    _ = try OldReports(place)
  }

  private static func exists(_ place: OutputPlace) -> RunFailure {
    .outputUnavailable("\(place.shown): exists already; name another output or give --replace")
  }

  /// Renames the directory to its place, never over anything; gives the old reports where they changed places with it.
  private func giveName() throws(RunFailure) -> OldReports? {
    // What stands at the output may come and go while it is looked at.
    for _ in 0..<100 {
      if place.renameNew(partial.name, place.name) { return nil }
      guard errno == EEXIST else { throw .unavailable(errno, place.shown, "made") }
      guard replaces else { throw Self.exists(place) }
      guard try FileIdentity.of(place.name, in: place) != nil else { continue }
      let old = try OldReports(place)
      try old.lock()
      // Exchanged in one step, so that there is a whole directory at any time.
      guard exchange() else {
        if errno == ENOENT { continue }
        throw .unavailable(errno, place.shown, "replaced in one step")
      }
      do throws(RunFailure) {
        if try FileIdentity.of(partial.name, in: place) == old.identity { return old }
      } catch {
        _ = exchange()
        throw error
      }
      _ = exchange()
      throw .outputUnavailable("\(place.shown): became something else meanwhile; it is left alone")
    }
    throw .busy("\(place.shown): comes and goes; other runs are at work on this output")
  }

  /// Undoes `giveName()`; false where the directory keeps its name.
  private func takeNameBack(_ old: OldReports?) -> Bool {
    let isHere =
      try? FileIdentity.of(partial.descriptor, shown: partial.shown) == FileIdentity.of(place.name, in: place)
    guard isHere == true else { return false }
    return old == nil ? place.renameNew(place.name, partial.name) : exchange()
  }

  /// Has the directory and what stands at the output change names; false, with `errno`, where they cannot.
  private func exchange() -> Bool {
    FileName.withCString(partial.name) { from in
      FileName.withCString(place.name) { to in
        SystemCall.retrying { settle_rename_exchange(place.parent, from, to) } == 0
      }
    }
  }
}
