import Failures
import FileSystem
import SystemPackage

extension SettlementDirectory {
  /// Gives the complete directory its name and waits until the name is on the disk; then removes old reports.
  ///
  /// If it throws, the output is as it was before. A signal that would end the run waits.
  package func publish() throws(Failure) {
    precondition(isComplete && !isPublished, "only a complete settlement directory is published")
    try Interruption.uninterrupted { () throws(Failure) in
      let old = try giveName()
      do throws(Failure) {
        try place.sync()
      } catch {
        if takeNameBack(old) { throw error }
        endMaking()
        throw place.maybeLost(error)
      }
      endMaking()
      if let old, !partial.takeAway(exchanged: old.directory) {
        leftBehind = "\(partial.shown): the replaced reports cannot be removed"
      }
      partial.unlock()
    }
  }

  /// Keeps the directory from now on.
  private func endMaking() {
    isPublished = true
    partial.keep()
  }

  /// Throws if the output exists and a run must not replace it.
  package static func checkTarget(
    _ place: OutputPlace, replaces: Bool, _ names: PublishedNames
  ) throws(Failure) {
    guard try place.status(place.name) != nil else { return }
    guard replaces else { throw exists(place) }
    _ = try ReplacedReports(place, names)
  }

  private static func exists(_ place: OutputPlace) -> Failure {
    .unavailable("\(place.shown): exists already; name another output or give --replace")
  }

  /// Renames the directory to its place, never over anything; returns the old reports if it swapped places with them.
  private func giveName() throws(Failure) -> ReplacedReports? {
    // The output may appear and disappear meanwhile.
    for _ in 0..<100 {
      do throws(Errno) {
        try place.parent.renameNew(partial.name, to: place.name)
        return nil
      } catch {
        guard error == .fileExists else { throw .unavailable("\(place.shown): cannot be made: \(error)") }
      }
      guard replaces else { throw Self.exists(place) }
      guard try place.status(place.name) != nil else { continue }
      let old = try ReplacedReports(place, names)
      try old.lock()
      do throws(Errno) {
        // In one step, so that a complete directory exists at any time.
        try exchange()
      } catch {
        if error == .noSuchFileOrDirectory { continue }
        throw .unavailable("\(place.shown): cannot be replaced in one step: \(error)")
      }
      do throws(Failure) {
        if try old.bears(partial.name) { return old }
      } catch {
        try? exchange()
        throw error
      }
      try? exchange()
      throw .unavailable("\(place.shown): changed meanwhile; it is left alone")
    }
    throw .busy("\(place.shown): appears and disappears; other runs are using this output")
  }

  /// Undoes `giveName()`; false if the directory keeps its name.
  private func takeNameBack(_ old: ReplacedReports?) -> Bool {
    do {
      guard try Stat(partial.directory.descriptor).isSame(as: place.status(place.name)) else { return false }
      if old == nil { try place.parent.renameNew(place.name, to: partial.name) } else { try exchange() }
      return true
    } catch {
      return false
    }
  }

  private func exchange() throws(Errno) { try place.parent.exchange(partial.name, with: place.name) }
}
