import FileSystem
import BatchRun
import Reports
import Text

extension DirectoryAudit {
  /// Why reports must be as settling the batch again makes them.
  static let replayReason = "what settling the batch again gives"

  /// Settles the batch again and compares every report byte by byte; throws if it cannot be settled.
  func settleAgain(_ batch: Verification.Batch, progress: RunProgress?) throws(RunFailure) {
    if namesRuns, batch.ledger == nil {
      throw .usage("the batch refunds payments that earlier runs settled; name their ledger (--ledger)")
    }
    var options = batch.options
    // Where the trailer disagreed the run was told to go on, and its summary says so.
    options.enforcesControlTotals = false
    options.fileNames = fileNames(batch)
    _ = try BatchRun.settle(
      batch.paths, to: ReportComparison(folder, summary: summary, knowsRuns: batch.ledger != nil, log),
      options: options, told: told?.isEmpty == false ? told : nil, ledger: batch.ledger, progress: progress)
  }

  /// What the reports call the batch's files: by now they may lie in another folder, but have the same names.
  private func fileNames(_ batch: Verification.Batch) -> [String] {
    let given = batch.paths.map { OutputPlace.shown($0) }
    guard let summary else { return given }
    let told = summary.files.map(\.name)
    guard told.count == given.count else {
      log.add(
        ReportKind.summary.fileName, field: "the number of batch.files", found: "\(told.count)",
        expected: "\(given.count)", "the files of the batch that is named")
      return given
    }
    for (place, (told, given)) in zip(told, given).enumerated() where told != "-" && last(told) != last(given) {
      log.add(
        ReportKind.summary.fileName, field: "batch.files[\(place)].name", found: MessageText.identifier(told.utf8),
        expected: MessageText.identifier(given.utf8),
        "the file of the batch that is named; only its folder may be another")
    }
    return told
  }

  private func last(_ name: String) -> Substring { name.split(separator: "/").last ?? "" }
}
