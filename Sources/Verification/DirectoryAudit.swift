import BatchFile
import BatchRun
import Payments
import Reports
import Settlement

/// Goes through one directory, report by report, with what is found on the way.
final class DirectoryAudit {
  private let folder: ReportFolder
  private let threads: Int
  private let log: FindingLog
  private var digests: [String: String] = [:]
  private var summary: SummaryText?
  private var told: ToldSettlements?
  private var (payments, rows, receivers, currencies, settledEarlier) = (0, 0, 0, 0, 0)

  /// - Parameter threads: how many may sort at once.
  init(_ folder: ReportFolder, threads: Int) {
    self.folder = folder
    self.threads = threads
    log = FindingLog()
  }

  /// What is known so far; the digests first, which tell what file was changed.
  var result: VerificationResult {
    let (others, digests) = (
      log.findings.filter { $0.file != ReportNames.sums }, log.findings.filter { $0.file == ReportNames.sums }
    )
    return VerificationResult(
      findings: digests + others, count: log.count, unlisted: log.unlisted, payments: payments, rows: rows,
      receivers: receivers, currencies: currencies, settledEarlier: settledEarlier)
  }

  // MARK: The reports among themselves

  /// Holds the reports against each other.
  ///
  /// - Parameter isSettledAgain: whether the batch is settled again afterwards.
  func holdTogether(isSettledAgain: Bool) throws(RunFailure) {
    try checkNames()
    try readSummary()
    // Gone when the reports are gone through: settling again takes as much memory once more.
    var settlement = SettlementAudit(log)
    let hasSettlement = try read(SettlementReport.fileName) { lines throws(RunFailure) in
      try lines.takeHeader(.settlement, log)
      try settlement.audit(lines)
    }
    var exceptions = ExceptionsAudit(fileNames: summary?.files.map(\.name), keepsTold: isSettledAgain, log)
    let hasExceptions = try read(ExceptionsReport.fileName) { lines throws(RunFailure) in
      try lines.takeHeader(.exceptions, log)
      try exceptions.audit(lines, into: &settlement)
    }
    let addsUp = hasSettlement && settlement.isWhole
    try compareReceivers(settlement.accounts, addsUp: addsUp)
    try compare(.totals, addsUp ? .none : "settlement.csv", "what settlement.csv adds up to") { text in
      TotalsReport.write(settlement.totals, to: &text)
    }
    let isWhole = addsUp && hasExceptions && exceptions.isWhole
    try compare(
      .control, isWhole ? .none : "settlement.csv and exceptions.csv",
      "what settlement.csv and exceptions.csv add up to"
    ) { text in ControlReport.write(settlement.totals, to: &text) }
    if let summary {
      let audit = SummaryAudit(summary, log)
      audit.checkAlone()
      if isWhole { audit.check(against: settlement.totals) }
    }
    try checkSums()
    told = exceptions.told
    payments = settlement.totals[.settled]
    rows = settlement.rows
    receivers = settlement.accounts.count
    currencies = settlement.totals.currencies.count { $0.payments > 0 }
    settledEarlier = settlement.totals.errors[Int(RejectionReason.alreadySettled.rawValue)]
  }

  private func checkNames() throws(RunFailure) {
    for name in try folder.names() {
      let isReport = ReportNames.all.contains { name.elementsEqual($0.utf8) }
      if !isReport {
        log.add(
          ReportFinding(
            "", field: "a file", found: name.withUnsafeBufferPointer { ShownField.text($0) },
            "a settlement directory holds its seven files and nothing else"))
      }
    }
  }

  /// Opens a report, has it read, and keeps its digest; false where it is not there.
  private func read(
    _ name: String, _ body: (ReportLines) throws(RunFailure) -> Void
  ) throws(RunFailure) -> Bool {
    guard let lines = try folder.open(name, log) else { return false }
    try body(lines)
    digests[name] = try lines.finish()
    return true
  }

  private func readSummary() throws(RunFailure) {
    _ = try read(SummaryReport.fileName) { lines throws(RunFailure) in
      summary = try SummaryText.read(lines, log)
    }
  }

  /// Compares a small report with what it must be; `missing` names what it cannot be told from.
  private func compare(
    _ columns: ReportColumns, _ missing: String?, _ reason: String, _ write: (inout TextBuffer) -> Void
  ) throws(RunFailure) {
    var text = TextBuffer(capacity: 4096)
    write(&text)
    _ = try read(columns.file) { lines throws(RunFailure) in
      if let missing { return log.add(ReportFinding(columns.file, "\(missing) cannot be added up to compare it")) }
      var comparison = SortedComparison(lines, columns, keyColumns: 1, reason: reason, log)
      try comparison.begin()
      try comparison.expectRows(text.bytes, count: text.count, behind: columns.header.utf8CodeUnitCount)
      try comparison.end()
    }
  }

  private func compareReceivers(_ accounts: AccountTotals, addsUp: Bool) throws(RunFailure) {
    _ = try read(ReceiversReport.fileName) { lines throws(RunFailure) in
      guard addsUp else {
        return log.add(ReportFinding(ReceiversReport.fileName, "settlement.csv cannot be added up to compare it"))
      }
      var comparison = SortedComparison(
        lines, .receivers, keyColumns: 2, reason: "what settlement.csv adds up to", log)
      try comparison.begin()
      try accounts.write(threads: threads) { (text, count) throws(RunFailure) in
        try comparison.expectRows(text, count: count)
      }
      try comparison.end()
    }
  }

  private func checkSums() throws(RunFailure) {
    let digests = ReportNames.reports.map { (name: $0, digest: self.digests[$0]) }
    _ = try read(ReportNames.sums) { lines throws(RunFailure) in
      try SumsAudit(digests, log).audit(lines)
    }
  }

  // MARK: With the batch

  /// Settles the batch again and compares every report byte by byte.
  func settleAgain(_ batch: Verification.Batch, progress: RunProgress?) throws(RunFailure) {
    try Resettlement(batch, summary: summary, told: told, folder: folder, log).run(progress)
  }
}
