import Failures
import FileSystem
import Publication

extension ReportFile: ReportWriter {}

/// A directory of reports, or of a payout's or answers' files.
extension SettlementDirectory: ReportDestination {
  /// Creates the directory under its other name.
  ///
  /// Throws if the output exists (unless it may be replaced), its parent does not, or another run holds it.
  ///
  /// - Parameters:
  ///   - threads: the number of workers that do errands while reports are written.
  ///   - leastFiles: the minimum number of files.
  package convenience init(
    path: String, replaces: Bool, threads: Int = 1, leastFiles: Int = ReportKind.fileNames.count
  ) throws(Failure) {
    try self.init(path: path, replaces: replaces, threads: threads, leastFiles: leastFiles, names: .all)
  }

  /// Takes over the complete directory of an interrupted run, to publish it; nil if it is gone or has changed.
  ///
  /// - Parameter sums: the expected text of its `SHA256SUMS`.
  package convenience init?(left place: OutputPlace, replaces: Bool, sums: String) throws(Failure) {
    try self.init(left: place, replaces: replaces, sums: sums, names: .all)
  }

  /// Removes what a run left at a place, complete or not; throws if another run is active there.
  package static func clearAway(_ place: OutputPlace) throws(Failure) { try clearAway(place, .all) }

  /// Throws if the output exists and a run must not replace it.
  package static func checkTarget(_ place: OutputPlace, replaces: Bool) throws(Failure) {
    try checkTarget(place, replaces: replaces, .all)
  }
}

extension SummedFiles {
  /// Whether these are all reports of a settlement, as files or as folders of parts.
  package var isWholeSettlement: Bool {
    [false, true].map(ReportKind.all).contains { kinds in
      folders == kinds.compactMap(\.folder) || names == kinds.map(\.fileName)
    }
  }
}

extension PublishedNames {
  /// The names of reports, and of the files of payouts and answers.
  static let all = PublishedNames(isReport: isReport) { name, isFolder in
    isReport(name, isFolder) || !isFolder && (PayoutReport.isFile(name) || AnswerReport(rawValue: name) != nil)
  }

  private static let isReport: PartialDirectory.OwnNames = { name, isFolder in
    isFolder
      ? ReportKind.folders.contains(name)
      : (ReportKind.allFileNames + [ReportLayout.manifest, ReportLayout.claim]).contains(name)
  }
}
