import BatchRun
import Failures
import Ledger
import Documents
import Rules

/// Audits one directory, report by report, and collects the findings.
final class DirectoryAudit {
  let files: FolderAudit<ReportKind>
  private let threads: Int
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

  var folder: ReportFolder { files.folder }
  var log: FindingLog { files.log }

  /// - Parameter threads: the maximum number of threads that sort.
  init(path: String, threads: Int) throws(Failure) {
    files = try FolderAudit(path: path)
    self.threads = threads
  }

  /// The result so far.
  var result: VerificationResult {
    VerificationResult(
      verdict: files.verdict.withDigestsFirst, notes: notes, payments: payments, rows: rows, receivers: receivers,
      currencies: currencies, settledEarlier: settledEarlier,
      otherVersion: otherVersion, run: run)
  }

  /// Compares the reports with each other.
  ///
  /// - Parameter isSettledAgain: whether the batch is settled again afterwards.
  func holdTogether(isSettledAgain: Bool) throws(Failure) {
    try files.read(ReportKind.summary.fileName) { lines throws(Failure) in
      summary = try SummaryReport.read(lines, log)
    }
    try checkNames()
    // Freed after this audit, because settling again needs the same memory again.
    var settlement = SettlementAudit(log)
    let hasSettlement = try files.readTable(.settlement) { lines throws(Failure) in try settlement.audit(lines) }
    var exceptions = ExceptionsAudit(fileNames: summary?.files.map(\.name), keepsTold: isSettledAgain, log)
    let hasExceptions = try files.readTable(.exceptions) { lines throws(Failure) in
      try exceptions.audit(lines, into: &settlement)
    }
    var refunds = RefundsAudit(log)
    try files.readTable(.refunds) { lines throws(Failure) in try refunds.audit(lines, settlement) }
    namesRuns = refunds.namesRuns
    let addsUp = hasSettlement && settlement.isWhole
    let areFeesWhole = try readFees(addsUp, into: &settlement.totals.named)
    var agreements = PreapprovalsAudit()
    try files.readRows(of: .preapprovals) { row throws(RowFault) in try agreements.check(row) }
    let isWhole = addsUp && areFeesWhole && hasExceptions && exceptions.isWhole
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
    try files.compareSums(kinds.map(\.fileName) + folder.filesOfParts)
    told = exceptions.told
    payments = settlement.totals[.settled]
    rows = settlement.rows
    receivers = settlement.accounts.count
    currencies = settlement.totals.currencies.count { $0.moved.isUsed }
    settledEarlier = settlement.totals.errors[Int(RejectionReason.alreadySettled.rawValue)]
  }

  /// Compares `fees.csv` with `settlement.csv`, if the night shows the names of fees; false if it is not valid.
  private func readFees(_ canBeCompared: Bool, into named: inout NamedFeeTotals) throws(Failure) -> Bool {
    guard summary?.fees != nil else { return true }
    var isWhole = false
    try files.readTable(.fees) { lines throws(Failure) in
      guard canBeCompared else {
        return log.add(ReportKind.fees.fileName, "settlement.csv cannot be added up to compare it")
      }
      guard let settlement = try folder.open(ReportKind.settlement.fileName, FindingLog(), isHashed: false) else {
        return
      }
      var fees = try FeesAudit(settlement, log)
      try fees.audit(lines)
      (named, isWhole) = (fees.named, fees.isWhole)
    }
    return isWhole
  }

  /// Looks for the run that published the reports, by `SHA256SUMS`.
  func findRun(_ history: LedgerHistory) throws(Failure) {
    guard let lines = try folder.open(ReportKind.sums, FindingLog()) else { return }
    let sums = try lines.rest(limit: 1 << 24)
    run = history.runs.first { $0.sums.utf8.elementsEqual(sums ?? []) }
    if run == nil { log.add(ReportKind.sums, "the ledger has no run with these reports") }
  }

  /// The reports that the directory should have.
  private var kinds: [ReportKind] { ReportKind.all(showsNames: summary?.fees != nil) }

  private func checkNames() throws(Failure) {
    let names =
      folder.isInParts ? kinds.map { $0.folder ?? $0.fileName } + folder.filesOfParts : kinds.map(\.fileName)
    try files.checkNames(names)
    for name in folder.unnamedParts {
      log.add(name, "is not named by \(ReportLayout.manifest), so it does not belong to the reports; remove it")
    }
  }

  /// Compares a report with what `write` writes, if the reports from which it is computed could be read.
  private func compare(
    _ report: ReportKind, _ canBeMade: Bool, _ sources: String, _ write: (ComparedReport) throws(Failure) -> Void
  ) throws(Failure) {
    try files.read(report.fileName) { lines throws(Failure) in
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
