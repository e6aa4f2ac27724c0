import Failures
import FileSystem
import Glibc
import Threads

/// The directory of a settlement's reports: created under another name next to its place (`PartialDirectory`), and
/// renamed when it is complete.
///
/// Two steps end it. `complete()` brings every report to its disk; after that, a ledger commits its run. `publish()`
/// gives the directory its name. If it is not published, it is removed when this object is.
package final class SettlementDirectory {
  package let place: OutputPlace
  package let partial: PartialDirectory
  package let replaces: Bool
  let names: PublishedNames
  /// Work on the reports that workers do while the batch is read, or nil.
  public let errands: Errands?
  /// The SHA-256 of each finished file, in hexadecimal digits, and of the parts that others publish with them.
  package var digests: [String: String] = [:]
  private var unsynced: [ReportFile] = []
  private var folders: [String] = []
  package private(set) var isComplete = false
  package var isPublished = false
  /// A message that the replaced reports still exist, and where; nil if they are gone.
  package var leftBehind: String?
  /// The text of `SHA256SUMS`, once the directory is complete.
  package private(set) var sums = ""
  /// The minimum number of files.
  private let leastFiles: Int

  /// Creates the directory under its other name.
  ///
  /// Throws if the output exists (unless it may be replaced), its parent does not, or another run holds it.
  ///
  /// - Parameters:
  ///   - threads: the number of workers that do errands while reports are written.
  ///   - leastFiles: the minimum number of files.
  package init(
    path: String, replaces: Bool, threads: Int, leastFiles: Int, names: PublishedNames
  ) throws(Failure) {
    self.replaces = replaces
    self.names = names
    self.leastFiles = leastFiles
    errands = Errands(threads: threads)
    let place = try OutputPlace(path: path)
    self.place = place
    try Self.checkTarget(place, replaces: replaces, names)
    partial = try PartialDirectory(place, isOwn: names.isOwn)
    // Another run may have published between the first check and the lock.
    try Self.checkTarget(place, replaces: replaces, names)
  }

  /// Takes over the complete directory of an interrupted run, to publish it; nil if it is gone or has changed.
  ///
  /// - Parameters:
  ///   - place: the output.
  ///   - sums: the expected text of its `SHA256SUMS`.
  package init?(left place: OutputPlace, replaces: Bool, sums: String, names: PublishedNames) throws(Failure) {
    guard try PartialDirectory.exists(place) else { return nil }
    self.place = place
    self.replaces = replaces
    self.names = names
    errands = nil
    self.sums = sums
    leastFiles = 0
    partial = try PartialDirectory(place, keepsFiles: true, isOwn: names.isOwn)
    isComplete = true
    guard SummedFiles(in: partial.directory, sums: sums).verify() else { return nil }
  }

  /// Removes what a run left at a place, complete or not; throws if another run is active there.
  package static func clearAway(_ place: OutputPlace, _ names: PublishedNames) throws(Failure) {
    guard try PartialDirectory.exists(place) else { return }
    try PartialDirectory(place, isOwn: names.isOwn).takeAway()
  }

  /// Leaves the complete directory to the next run, as it is.
  package func leave() { partial.keep() }

  package func makeFile(_ name: String) throws(Failure) -> ReportFile {
    ReportFile(try partial.makeFile(name), errands: errands ?? Errands(most: 0))
  }

  /// Creates the folder of a report's parts.
  package func makeFolder(_ name: String) throws(Failure) {
    try preparing(partial.shown, "divided into folders", partial.directory.make(name))
    folders.append(name)
  }

  package func finish(_ file: ReportFile, name: String) throws(Failure) {
    try file.complete()
    digests[name] = file.finish()
    unsynced.append(file)
  }

  /// Writes `SHA256SUMS` and waits until all files and their names are on the disk.
  package func complete() throws(Failure) {
    precondition(digests.count >= leastFiles, "a settlement directory lacks a report")
    sums = DigestList.text(digests)
    let file = try makeFile(DigestList.fileName)
    try file.write(sums.utf8Span.span)
    try file.complete()
    _ = file.finish()
    try syncAll(unsynced + [file])
    unsynced = []
    for folder in folders {
      try using(partial.shown, "synced", partial.directory.directory(folder).sync())
    }
    try partial.sync()
    isComplete = true
  }

  /// Syncs all files at once: otherwise the disk would empty its cache once for each of them.
  private func syncAll(_ files: [ReportFile]) throws(Failure) {
    let files = files.map(\.file)
    try WorkerThreads.perform(files.count, threads: files.count) { number throws(Failure) in try files[number].sync() }
  }
}
