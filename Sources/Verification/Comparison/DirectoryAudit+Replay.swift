import BatchRun
import Failures
import FileSystem
import Documents
import Text

extension DirectoryAudit {
  /// The reason of findings when the batch is settled again.
  static let replayReason = "what settling the batch again gives"

  /// Settles the batch again and compares every report byte by byte; throws if it cannot be settled.
  func settleAgain(_ batch: Verification.SettledBatch, progress: RunProgress?) throws(Failure) {
    if namesRuns, batch.ledger == nil {
      throw .usage("the batch refunds payments that earlier runs settled; name their ledger (--ledger)")
    }
    var options = batch.options
    // If the trailer disagreed, the run was set to continue, and its summary says so.
    options.enforcesControlTotals = false
    // Without its run in a ledger, only the summary says that an earlier version settled it.
    if batch.ledger?.storedFiles == nil, let summary, summary.isOfEarlierVersion, options.rules.strictTexts == false {
      options.rules.strictTexts = nil
    }
    // Without a ledger, only the directory says that an earlier run showed the names of fees.
    if batch.ledger == nil, summary?.fees != nil { options.earlierShowsNames = true }
    let names = summary?.files.map(\.name) ?? []
    let hasAllFiles = names.count == batch.paths.count
    if hasAllFiles {
      // The files may have other names now.
      options.fileNames = names
    } else if summary != nil {
      log.add(
        ReportKind.summary.fileName, field: "the number of batch.files", found: "\(names.count)",
        expected: "\(batch.paths.count)", "the files of the batch that is named")
    }
    otherVersion = summary.map(\.version).flatMap { $0 == BatchRun.version ? nil : $0 }
    let comparison = ReportComparison(
      folder, knowsRuns: batch.ledger != nil, comparesMessages: otherVersion == nil, log)
    let text = try BatchRun.settleAgain(
      batch.paths, to: comparison, options: options, told: told?.isEmpty == false ? told : nil, ledger: batch.ledger,
      progress: progress)
    guard let summary, var expected = comparison.summary else { return }
    if hasAllFiles {
      for place in names.indices where try isSameText(summary.files[place], expected.files[place], place, batch, text) {
        expected.files[place] = summary.files[place]
      }
    }
    let tree = SummaryReport.comparable(expected.json, with: summary.json, isOtherVersion: otherVersion != nil)
    _ = log.compare(ReportKind.summary.fileName, summary.json, tree, Self.replayReason)
  }

  /// Whether a file of the batch has the same text as when it was settled. Adds a note if its name or bytes have
  /// changed.
  private func isSameText(
    _ settled: StoredFile, _ now: StoredFile, _ place: Int, _ batch: Verification.SettledBatch,
    _ text: (Int) throws(Failure) -> StoredFile?
  ) throws(Failure) -> Bool {
    let (name, path) = (last(settled.name), last(OutputPlace.shown(batch.paths[place])))
    let change = "\(MessageText.identifier(name.utf8)) is now \(MessageText.identifier(path.utf8))"
    guard settled.sha256 != now.sha256 else {
      if name != "-", name != path { notes.append("\(change), with the same bytes") }
      return settled == now
    }
    let stored = "\(change), with other bytes"
    if let text = try text(place), (text.bytes, text.sha256) == (settled.bytes, settled.sha256) {
      notes.append("\(stored); the text is the same")
    } else if let ledger = batch.ledger {
      guard ledger.storedFiles?[place] == settled else { return false }
      notes.append("\(stored); the text is the same by the ledger")
    } else if settled.name.hasSuffix(".lz4") {
      notes.append("\(stored); only the ledger can say whether the text is the same (--ledger)")
    } else {
      return false
    }
    return true
  }

  private func last(_ name: String) -> Substring { name.split(separator: "/").last ?? "" }
}
