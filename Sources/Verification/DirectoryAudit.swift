import BatchRun
import Bookkeeping
import Failures
import Ledger
import Documents
import Rules
import Text

/// Audits one directory, report by report, and collects the findings.
final class DirectoryAudit {
  let folder: ReportFolder
  private let threads: Int
  let log = FindingLog()
  private var digests: [String: String] = [:]
  /// The files that were searched for.
  private var looked: Set<String> = []
  private(set) var summary: SummaryReport?
  private(set) var told: ReportedSettlements?
  /// How files of the batch are now stored.
  var notes: [String] = []
  /// Whether payments of earlier runs are refunded.
  private(set) var namesRuns = false
  /// The version that made the reports, if they are compared with those of another one.
  var otherVersion: String?
  private var run: RunEntry?
  private var (payments, rows, receivers, currencies, settledEarlier) = (0, 0, 0, 0, 0)

  /// - Parameter threads: the maximum number of threads that sort.
  init(_ folder: ReportFolder, threads: Int) {
    self.folder = folder
    self.threads = threads
  }

  /// The result so far. The digests are first, because they show which file was changed.
  var result: VerificationResult {
    let digests = log.findings.filter { $0.file == ReportKind.sums }
    return VerificationResult(
      findings: digests + log.findings.filter { $0.file != ReportKind.sums }, count: log.count, unlisted: log.unlisted,
      notes: notes,
      payments: payments, rows: rows, receivers: receivers, currencies: currencies, settledEarlier: settledEarlier,
      otherVersion: otherVersion, run: run)
  }

  /// Compares the reports with each other.
  ///
  /// - Parameter isSettledAgain: whether the batch is settled again afterwards.
  func holdTogether(isSettledAgain: Bool) throws(Failure) {
    try checkNames()
    _ = try read(ReportKind.summary.fileName) { lines throws(Failure) in
      summary = try SummaryReport.read(lines, log)
    }
    // Freed after this audit, because settling again needs the same memory again.
    var settlement = SettlementAudit(log)
    let hasSettlement = try read(ReportKind.settlement.fileName) { lines throws(Failure) in
      try lines.readHeader(log)
      try settlement.audit(lines)
    }
    var exceptions = ExceptionsAudit(fileNames: summary?.files.map(\.name), keepsTold: isSettledAgain, log)
    let hasExceptions = try read(ReportKind.exceptions.fileName) { lines throws(Failure) in
      try lines.readHeader(log)
      try exceptions.audit(lines, into: &settlement)
    }
    var refunds = RefundsAudit(log)
    _ = try read(ReportKind.refunds.fileName) { lines throws(Failure) in
      try lines.readHeader(log)
      try refunds.audit(lines, settlement)
    }
    namesRuns = refunds.namesRuns
    _ = try read(ReportKind.preapprovals.fileName) { lines throws(Failure) in
      try lines.readHeader(log)
      try PreapprovalsAudit.audit(lines, log)
    }
    let addsUp = hasSettlement && settlement.isWhole
    let isWhole = addsUp && hasExceptions && exceptions.isWhole
    try compare(.receivers, addsUp, "settlement.csv") { report throws(Failure) in
      try report.writeReceivers(
        SettledAccounts(payments: settlement.accounts, refunds: settlement.refundAccounts), threads: threads)
    }
    try compare(.totals, addsUp, "settlement.csv") { report throws(Failure) in
      try report.write { TotalsReport.write(settlement.totals, to: &$0) }
    }
    try compare(.control, isWhole, "settlement.csv and exceptions.csv") { report throws(Failure) in
      try report.write { ControlReport.write(settlement.totals, to: &$0) }
    }
    if let summary { check(summary, isWhole ? settlement.totals : nil) }
    // Read the files that no audit has read (now only the manifest and the claim), so that their digests are known.
    let others = ReportKind.fileNames + folder.filesOfParts
    for name in others where !looked.contains(name) { _ = try read(name) { _ in } }
    _ = try read(ReportKind.sums) { lines throws(Failure) in
      try ComparedReport.compareSums(lines, digests, log)
    }
    told = exceptions.told
    payments = settlement.totals[.settled]
    rows = settlement.rows
    receivers = settlement.accounts.count
    currencies = settlement.totals.currencies.count { $0.moved.isUsed }
    settledEarlier = settlement.totals.errors[Int(RejectionReason.alreadySettled.rawValue)]
  }

  /// Looks for the run that published the reports, by `SHA256SUMS`.
  func findRun(_ history: RunHistory) throws(Failure) {
    guard let lines = try folder.open(ReportKind.sums, FindingLog()) else { return }
    let sums = try lines.rest(limit: 1 << 24)
    run = history.runs.first { $0.sums.utf8.elementsEqual(sums ?? []) }
    if run == nil { log.add(ReportKind.sums, "the ledger has no run with these reports") }
  }

  private func checkNames() throws(Failure) {
    let names =
      folder.isInParts
      ? ReportKind.allFileNames.filter { ReportKind(rawValue: $0)?.folder == nil } + ReportKind.folders
        + folder.filesOfParts : ReportKind.allFileNames
    let known = names.map { Array($0.utf8) }
    for name in try folder.names() where !known.contains(name) {
      log.add(
        "", field: "a file", found: MessageText.identifier(name),
        "a settlement directory holds the reports, SHA256SUMS and nothing else")
    }
    for name in folder.unnamedParts {
      log.add(name, "is not named by \(ReportLayout.manifest), so it does not belong to the reports; remove it")
    }
  }

  /// Opens a report, reads it with `body`, and keeps its digest; false if it does not exist.
  private func read(_ name: String, _ body: (ReportLines) throws(Failure) -> Void) throws(Failure) -> Bool {
    looked.insert(name)
    guard let lines = try folder.open(name, log) else { return false }
    try body(lines)
    try lines.skipRest()
    for file in lines.digests { digests[file.name] = file.digest }
    return true
  }

  /// Compares a report with what `write` writes, if the reports from which it is computed could be read.
  private func compare(
    _ report: ReportKind, _ canBeMade: Bool, _ sources: String, _ write: (ComparedReport) throws(Failure) -> Void
  ) throws(Failure) {
    _ = try read(report.fileName) { lines throws(Failure) in
      guard canBeMade else { return log.add(report.fileName, "\(sources) cannot be added up to compare it") }
      let compared = ComparedReport(lines, "what \(sources) \(sources.contains(" and ") ? "add" : "adds") up to", log)
      try write(compared)
      try compared.finish()
    }
  }

  /// Compares the summary with the sums of the other reports, if these are known.
  private func check(_ summary: SummaryReport, _ totals: ControlTotals?) {
    if summary.batchID != nil, summary.controlTotals == .absent {
      log.add(
        ReportKind.summary.fileName, field: "batch.controlTotals", found: "absent", expected: "verified or mismatch",
        "a batch with an identifier has a header, and then a trailer")
    }
    guard let totals else { return }
    var expected = summary
    expected.set(totals, preapprovals: summary[.preapprovals])
    summary.compare(with: expected, "what settlement.csv and exceptions.csv add up to", log)
  }
}
