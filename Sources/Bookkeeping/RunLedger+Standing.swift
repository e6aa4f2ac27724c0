import Failures
import FileSystem
import Ledger
import Publication

/// Whether the files of runs and payouts are where they were published, and publishing them again.
extension RunLedger {
  /// The place of what exists at an output, with links followed; nil if nothing exists.
  package static func standing(at output: String) throws(Failure) -> OutputPlace? {
    let place = try OutputPlace(path: output)
    guard let status = try place.status(place.name) else { return nil }
    guard status.type == .symbolicLink else { return place }
    guard let real = try? FileName.resolved(output) else { return nil }
    return try OutputPlace(path: real)
  }

  /// Whether an output is the entry's own directory, with its files unchanged.
  ///
  /// - Parameter isRepublished: whether another directory will do; it becomes the entry's if the entry's own is lost.
  func stands<Content>(
    _ entry: Entry<Content>, at output: String, isRepublished: Bool
  ) throws(Failure) -> Bool {
    guard let place = try Self.standing(at: output), Self.isPublished(place, sums: entry.sums) else { return false }
    let path = try place.absolutePath()
    if OutputPlace.isSame(path, FileName.string(entry.directory)) { return true }
    if isRepublished, !entry.isPublished { try move(entry, to: path, sums: entry.sums) }
    return isRepublished
  }

  private func move<Content>(_ entry: Entry<Content>, to path: String, sums: String) throws(Failure) {
    try ledger.move(entry.id, to: FileName.bytes(path), sums: sums)
  }

  /// Publishes the files of an entry again, which are complete under the directory's other name, and ends the attempt.
  ///
  /// - Parameters:
  ///   - isCopied: whether they are copies of the entry's own. If not, these are gone, and it gets the new ones.
  ///   - published: called before a signal can end the process.
  package func publishAgain<Content>(
    _ entry: Entry<Content>, _ directory: SettlementDirectory, isCopied: Bool, published: () -> Void = {},
    note: (String) -> Void
  ) throws(Failure) {
    let exitCode = entry.exitCode
    try Interruption.uninterrupted { () throws(Failure) in
      try directory.publish()
      published()
      Interruption.conclude(exitCode: exitCode)
    }
    do throws(Failure) {
      if !isCopied, !entry.isAtURI {
        try move(entry, to: directory.place.absolutePath(), sums: directory.sums)
      }
      try end(newKeys: 0)
    } catch {
      note(error.message)
    }
    if let left = directory.leftBehind { note("\(left); the next run on this output removes them") }
  }

  /// Throws if the output is the directory of another entry, by any path.
  func checkHolder(_ place: OutputPlace, replaces: Bool, otherThan id: EntryID?) throws(Failure) {
    guard try place.status(place.name) != nil else { return }
    let path = try place.absolutePath()
    let holder = try ledger.directories().first { holder, directory in
      holder != id && OutputPlace.isSame(path, FileName.string(directory))
    }
    guard let holder = holder?.holder else { return }
    let advice =
      replaces
      ? ", which --replace leaves alone; name another output"
      : holder.kind == .run
        ? ", whose batch is settled; send corrections in a batch of a later day, and name another output"
        : "; name another output"
    throw .unavailable("\(place.shown): is the directory of \(holder)\(advice)")
  }

  /// Whether the output is a directory with these files, unchanged.
  static func isPublished(_ place: OutputPlace, sums: String) -> Bool {
    guard let directory = try? place.parent.directory(place.name) else { return false }
    return SummedFiles(in: directory, sums: sums).verify()
  }
}
