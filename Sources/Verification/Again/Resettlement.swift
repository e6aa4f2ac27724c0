import BatchFile
import BatchRun
import Reports
import Settlement

/// Settles a batch again and compares what comes out with the reports of a directory, as it comes out.
struct Resettlement {
  static let reason = "what settling the batch again gives"

  private let batch: Verification.Batch
  private let summary: SummaryText?
  private let told: ToldSettlements?
  private let folder: ReportFolder
  private let log: FindingLog

  /// - Parameter told: what earlier runs are said to have settled.
  init(
    _ batch: Verification.Batch, summary: SummaryText?, told: ToldSettlements?, folder: ReportFolder, _ log: FindingLog
  ) {
    self.batch = batch
    self.summary = summary
    self.told = told?.isEmpty == false ? told : nil
    self.folder = folder
    self.log = log
  }

  /// Runs over the batch; throws where it cannot be settled.
  func run(_ progress: RunProgress?) throws(RunFailure) {
    var options = batch.options
    // Where the trailer disagreed the run was told to go on, and its summary says so.
    options.enforcesControlTotals = false
    options.fileNames = fileNames()
    _ = try BatchRun.settle(
      batch.paths, to: ReportComparison(folder, summary: summary, log), options: options, told: told, progress: progress
    )
  }

  /// What the reports call the batch's files: by now they may lie in another folder, but have the same names.
  private func fileNames() -> [String] {
    let given = batch.paths.map { MessageText.escapedName(FileName.bytes($0)) }
    guard let summary else { return given }
    let told = summary.files.map { String(decoding: $0.name, as: UTF8.self) }
    guard told.count == given.count else {
      log.add(
        ReportFinding(
          SummaryReport.fileName, field: "the number of batch.files", found: "\(told.count)",
          expected: "\(given.count)", "the files of the batch that is named"))
      return given
    }
    for (place, (told, given)) in zip(told, given).enumerated() where told != "-" && last(told) != last(given) {
      log.add(
        ReportFinding(
          SummaryReport.fileName, field: "batch.files[\(place)].name", found: ShownField.text(told),
          expected: ShownField.text(given), "the file of the batch that is named; only its folder may be another"))
    }
    return told
  }

  private func last(_ name: String) -> Substring { name.split(separator: "/").last ?? "" }
}
