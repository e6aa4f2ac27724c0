import BatchRun
import FileSystem
import Reports
import Verification

/// A published directory of reports, of which messages read some while all are hashed.
final class PublishedSettlement {
  /// What `summary.json` says.
  let summary: SummaryReport
  private let folder: ReportFolder
  private let shown: String
  private var opened: [ReportLines] = []

  /// Opens a directory and reads its summary.
  ///
  /// Throws if there is none, and with 2 where its summary is not what a run writes.
  init(directory: String, shown: String) throws(RunFailure) {
    self.shown = shown
    folder = try ReportFolder(published: directory)
    let log = FindingLog()
    let lines = try folder.open(ReportKind.summary.fileName, log)
    let read = try lines.flatMap { lines throws(RunFailure) in try SummaryReport.read(lines, log) }
    try log.refuse(shown, as: RunFailure.notOfOneSettlement)
    guard let lines, let read else { throw .notOfOneSettlement("\(shown): has no summary.json that could be read") }
    summary = read
    opened = [lines]
  }

  /// The rows of a report.
  func rows(_ report: ReportKind) throws(RunFailure) -> ReportRows {
    try ReportRows(open(report.fileName), shownFolder: shown, failure: RunFailure.notOfOneSettlement)
  }

  private func open(_ name: String) throws(RunFailure) -> ReportLines {
    let log = FindingLog()
    let lines = try folder.open(name, log)
    try log.refuse(shown, as: RunFailure.notOfOneSettlement)
    guard let lines else { throw .notOfOneSettlement("\(shown)/\(name): is missing") }
    opened.append(lines)
    return lines
  }

  /// Throws if the directory's `SHA256SUMS` does not hold, or the batch's files are others than its summary names.
  func expect(_ files: [StoredFile]) throws(RunFailure) {
    for report in ReportKind.allCases where !opened.contains(where: { $0.name == report.fileName }) {
      _ = try open(report.fileName)
    }
    if folder.isInParts { _ = try open(ReportLayout.manifest) }
    var digests: [String: String] = [:]
    let log = FindingLog()
    for lines in opened {
      try lines.finish()
      for (name, digest) in lines.digests {
        guard digests.updateValue(digest, forKey: name) ?? digest == digest else {
          throw .inputOutput("\(shown)/\(name): changed while it was read")
        }
      }
    }
    let sums = try folder.open(ReportKind.sums, log)
    if let sums { try ComparedReport.compareSums(sums, digests, log) }
    try log.refuse(shown, as: RunFailure.notOfOneSettlement)
    for (file, known) in zip(files, summary.files) where file.sha256 != known.sha256 {
      throw .notOfOneSettlement(
        "\(file.name): is not the batch that \(shown) was settled from: its SHA-256 is \(file.sha256); "
          + "summary.json has \(known.sha256) for \(known.name)")
    }
  }
}
