import BatchFile
import Glibc
import Reports

/// The directory of a settlement's reports: made under another name beside its place (`PartialDirectory`), and renamed
/// when it is complete.
///
/// Two steps end it. `complete()` brings every report to its disk; what is kept of the run elsewhere is committed after
/// it. `publish()` gives the directory its name. One that is not published is taken away with its owner.
final class SettlementDirectory {
  let place: OutputPlace
  let partial: PartialDirectory
  let replaces: Bool
  private var digests: [String: String] = [:]
  private var unsynced: [ReportFile] = []
  private(set) var isComplete = false
  var isPublished = false
  /// Says that the reports that were replaced still stand, and where; nil where they are gone.
  var leftBehind: String?
  private var isLeft = false
  /// What `SHA256SUMS` says, once the directory is complete.
  private(set) var sums = ""
  let cleanup: Interruption.Cleanup

  /// Makes the directory under its other name.
  ///
  /// Throws where the output exists (unless it is to be replaced), its parent does not, or another run holds it.
  init(path: String, replaces: Bool) throws(RunFailure) {
    self.replaces = replaces
    let place = try OutputPlace(path: path)
    self.place = place
    try Self.checkTarget(place, replaces: replaces)
    (partial, cleanup) = try Interruption.uninterrupted { () throws(RunFailure) in
      let partial = try PartialDirectory(place, fileNames: ReportNames.all)
      return (partial, Interruption.Cleanup { partial.takeAway() })
    }
    // Another run may have published between the first look and the lock.
    try Self.checkTarget(place, replaces: replaces)
  }

  deinit {
    if !isPublished, !isLeft { partial.takeAway() }
    cleanup.withdraw()
  }

  /// Takes over what an interrupted run left complete, to be published; nil where that is not there as it was.
  ///
  /// - Parameters:
  ///   - left: the output.
  ///   - sums: what its `SHA256SUMS` must say.
  init?(left place: OutputPlace, replaces: Bool, sums: String) throws(RunFailure) {
    guard try PartialDirectory.exists(place) else { return nil }
    self.place = place
    self.replaces = replaces
    self.sums = sums
    partial = try PartialDirectory(place, fileNames: ReportNames.all, keepsFiles: true)
    isComplete = true
    cleanup = Interruption.Cleanup {}
    guard KnownReports(in: partial.descriptor, sums: sums).verify() else {
      isLeft = true
      return nil
    }
  }

  /// Removes what a run left at a place, complete or not; throws where another run is at work there.
  static func clearAway(_ place: OutputPlace) throws(RunFailure) {
    guard try PartialDirectory.exists(place) else { return }
    try PartialDirectory(place, fileNames: ReportNames.all).takeAway()
  }

  /// Leaves the complete directory as it is, to the next run.
  func leave() {
    isLeft = true
    cleanup.withdraw()
  }

  /// A new file in the directory.
  func makeFile(_ name: String) throws(RunFailure) -> ReportFile {
    try Interruption.uninterrupted { () throws(RunFailure) in try partial.makeFile(name) }
  }

  /// Ends a file of the directory and remembers its digest.
  func finish(_ file: ReportFile, name: String) throws(RunFailure) {
    digests[name] = file.finish()
    unsynced.append(file)
  }

  /// The SHA-256 of a file that is ended, in hexadecimal digits.
  func digest(of name: String) -> String { digests[name] ?? "" }

  /// Writes `SHA256SUMS` and waits until all files and their names are on the disk.
  func complete() throws(RunFailure) {
    precondition(digests.count == ReportNames.reports.count, "a settlement directory lacks a report")
    sums = ReportNames.reports.map { "\(digests[$0] ?? "")  \($0)\n" }.joined()
    let file = try makeFile(ReportNames.sums)
    let text = Array(sums.utf8)
    try file.write(text, count: text.count)
    _ = file.finish()
    try syncAll(unsynced + [file])
    unsynced = []
    try partial.sync()
    isComplete = true
  }

  /// Waits for all files together: a disk that is asked to empty its cache once for each takes as many times as long.
  private func syncAll(_ files: [ReportFile]) throws(RunFailure) {
    nonisolated(unsafe) let files = files
    let failures = (0..<files.count).map { _ in FirstFailure() }
    Parallel.perform(files.count, threads: files.count) { number in
      do throws(RunFailure) { try files[number].sync() } catch { failures[number].failure = error }
    }
    for failure in failures.compactMap(\.failure) { throw failure }
  }

  /// What became of one file; read when the thread that wrote it has ended.
  private final class FirstFailure: @unchecked Sendable {
    var failure: RunFailure?
  }
}
