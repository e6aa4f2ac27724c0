import Failures
import FileSystem

/// A published directory of reports. Some are read, and all are hashed.
package final class PublishedDirectory {
  /// The content of `summary.json`.
  package let summary: SummaryReport
  private let folder: ReportFolder
  private let shown: String
  private let missing: (String) -> Failure
  private let failure: (String) -> Failure
  private var opened: [ReportLines] = []

  /// Opens a directory and reads its summary; throws if it does not exist, or if a run works in the directory.
  ///
  /// - Parameters:
  ///   - missing: the failure for a report that does not exist or is not a regular file.
  ///   - failure: the failure for a report that is not as a run publishes it.
  package init(
    _ path: String, missing: @escaping (String) -> Failure, failure: @escaping (String) -> Failure
  ) throws(Failure) {
    shown = OutputPlace.shown(path)
    let name = path.split(separator: "/").last ?? ""
    guard !(name.hasPrefix(".") && name.hasSuffix(".partial")) else {
      throw .unreadable("\(shown): a run is active here, or was interrupted; nothing is published there")
    }
    folder = try ReportFolder(path: path)
    self.missing = missing
    self.failure = failure
    let log = FindingLog()
    guard let lines = try folder.open(ReportKind.summary.fileName, log) else { throw log.failure(shown, missing) }
    guard let summary = try SummaryReport.read(lines, log), log.count == 0 else { throw log.failure(shown, failure) }
    self.summary = summary
    opened = [lines]
  }

  private func open(_ name: String) throws(Failure) -> ReportLines {
    let log = FindingLog()
    guard let lines = try folder.open(name, log) else { throw log.failure(shown, missing) }
    opened.append(lines)
    return lines
  }

  package func rows(_ report: ReportKind) throws(Failure) -> ReportRows {
    try ReportRows(open(report.fileName), shownFolder: shown, failure: failure)
  }

  /// Reads the rest of all reports; throws if their digests are not those of `SHA256SUMS`.
  ///
  /// - Returns: the files' digests in the order of the reports' names, and when `SHA256SUMS` was written, in seconds
  ///   since 1970.
  @discardableResult
  package func finish() throws(Failure) -> (digests: [(name: String, digest: String)], writtenAt: Int) {
    let names = ReportKind.all(showsNames: summary.fees != nil).map(\.fileName) + folder.filesOfParts
    for name in names where !opened.contains(where: { $0.name == name }) { _ = try open(name) }
    var digests: [(name: String, digest: String)] = []
    var known: [String: String] = [:]
    for lines in opened.sorted(by: { $0.name < $1.name }) {
      try lines.skipRest()
      for (name, digest) in lines.digests {
        let before = known.updateValue(digest, forKey: name)
        guard before ?? digest == digest else { throw .inputOutput("\(shown)/\(name): changed while it was read") }
        if before == nil { digests.append((name, digest)) }
      }
    }
    let sums = try open(ReportKind.sums)
    let log = FindingLog()
    try ComparedReport.compareSums(sums, known, log)
    guard log.count == 0 else { throw log.failure(shown, failure) }
    return (digests, sums.modified)
  }
}
