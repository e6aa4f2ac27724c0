import BatchFile
import BatchRun
import ExactArithmetic
import Money
import Payments
import Reports
import Settlement
import Verification

/// What a page tells of a published directory: every file read once, strictly, and hashed as it is read.
struct PublishedReports {
  /// A row of `control.csv`.
  struct Control {
    let currency: Currency
    let records: Int
    let amount: ExactDecimal
    /// By the order of ``outcomes``.
    let parts: [ExactDecimal]
  }
  /// A row of `totals.csv`.
  struct Total {
    let currency: Currency
    let payments: Int
    let (senderAmount, senderFees, receiverNet): (ExactDecimal, ExactDecimal, ExactDecimal)
    let (fees, balance): (ExactDecimal, ExactDecimal)
  }

  /// The outcomes in the order of `control.csv`.
  static let outcomes: [Outcome] = [.settled, .pending, .held, .rejected]

  let summary: SummaryText
  let controls: [Control]
  let totals: [Total]
  let receivers: LargestReceivers
  let exceptions: ListedExceptions
  /// The reports' digests by name, `SHA256SUMS` not among them; it agrees with them.
  let digests: [(name: String, digest: String)]

  /// The records of an outcome.
  func records(_ outcome: Outcome) -> Int {
    let place =
      switch outcome {
      case .settled: 1
      case .rejected: 2
      case .pending: 3
      case .held: 4
      }
    return summary.records[place]
  }

  /// The records read.
  var recordsRead: Int { summary.records[0] }
}

extension PublishedReports {
  /// Reads a directory; see ``ReportPage/make(of:)`` for what it throws.
  init(directory: String) throws(RunFailure) {
    let shown = MessageText.escapedName(FileName.bytes(directory))
    let name = directory.split(separator: "/").last ?? ""
    guard !(name.hasPrefix(".") && name.hasSuffix(".partial")) else {
      throw .unreadable("\(shown): is where a run works or was interrupted; nothing is published there")
    }
    let folder = try ReportFolder(path: directory)
    let summaryLines = try Self.open(SummaryReport.fileName, folder, shown)
    let log = FindingLog()
    let read = try SummaryText.read(summaryLines, log)
    try Self.refuse(log, shown)
    guard let read else { throw .inputOutput("\(shown)/\(SummaryReport.fileName): cannot be read") }
    summary = read

    let controlLines = try Self.open(ControlReport.fileName, folder, shown)
    controls = try Self.controls(try ReportRows(controlLines, .control, shownFolder: shown))
    let totalsLines = try Self.open(TotalsReport.fileName, folder, shown)
    totals = try Self.totals(try ReportRows(totalsLines, .totals, shownFolder: shown))
    let receiversLines = try Self.open(ReceiversReport.fileName, folder, shown)
    receivers = try LargestReceivers(try ReportRows(receiversLines, .receivers, shownFolder: shown))
    let exceptionsLines = try Self.open(ExceptionsReport.fileName, folder, shown)
    exceptions = try ListedExceptions(exceptionsLines, files: summary.files.map(\.name), shownFolder: shown)
    let settlementLines = try Self.open(SettlementReport.fileName, folder, shown)

    var digests: [(name: String, digest: String)] = []
    for lines in [controlLines, exceptionsLines, receiversLines, settlementLines, summaryLines, totalsLines] {
      digests.append((lines.name, try lines.finish()))
    }
    self.digests = digests
    let sums = try Self.open(ReportNames.sums, folder, shown)
    try SumsAudit(digests.map { (name: $0.name, digest: $0.digest) }, log).audit(sums)
    try Self.refuse(log, shown)
    try checkAgreement(shown)
  }

  /// Opens a report; throws where it is missing or no file of its own.
  private static func open(
    _ name: String, _ folder: ReportFolder, _ shownFolder: String
  ) throws(RunFailure) -> ReportLines {
    let log = FindingLog()
    if let lines = try folder.open(name, log) { return lines }
    throw .unreadable("\(shownFolder)/\(log.findings.first?.text ?? name)")
  }

  /// Throws the first finding of a log, where it has one.
  static func refuse(_ log: FindingLog, _ shownFolder: String) throws(RunFailure) {
    guard let finding = log.findings.first else { return }
    throw .inputOutput("\(shownFolder)/\(finding.text)")
  }

  private static func controls(_ rows: ReportRows) throws(RunFailure) -> [Control] {
    var controls: [Control] = []
    while try rows.next() {
      let currency = try rows.currency(0)
      guard controls.last.map({ $0.currency < currency }) ?? true else { throw rows.fault("is out of order") }
      var parts: [ExactDecimal] = []
      for column in 3...6 { parts.append(try rows.amount(column, currency)) }
      let control = Control(
        currency: currency, records: try rows.count(1), amount: try rows.amount(2, currency), parts: parts)
      guard parts.reduce(.zero, +) == control.amount, !parts.contains(where: \.isNegative) else {
        throw rows.fault("the outcomes do not add up to the amount")
      }
      controls.append(control)
    }
    return controls
  }

  private static func totals(_ rows: ReportRows) throws(RunFailure) -> [Total] {
    var totals: [Total] = []
    while try rows.next() {
      let currency = try rows.currency(0)
      guard totals.last.map({ $0.currency < currency }) ?? true else { throw rows.fault("is out of order") }
      let total = Total(
        currency: currency, payments: try rows.count(1), senderAmount: try rows.amount(2, currency),
        senderFees: try rows.amount(3, currency), receiverNet: try rows.amount(4, currency),
        fees: try rows.amount(5, currency), balance: try rows.amount(6, currency))
      guard total.balance.isZero else { throw rows.fault("does not balance") }
      totals.append(total)
    }
    return totals
  }

  /// Holds the figures of the page against each other; the rest is for `settle verify`.
  private func checkAgreement(_ shown: String) throws(RunFailure) {
    func check(_ holds: Bool, _ what: String) throws(RunFailure) {
      if !holds { throw .inputOutput("\(shown): \(what); settle verify tells more") }
    }
    let agrees =
      summary.totals.count == totals.count
      && zip(summary.totals, totals).allSatisfy { told, row in
        told.currency == row.currency && told.payments == row.payments
          && told.figures == [row.senderAmount, row.senderFees, row.receiverNet, row.fees, row.balance]
      }
    try check(agrees, "summary.json and totals.csv disagree")
    let settled = controls.allSatisfy { control in
      control.parts[0] == totals.first { $0.currency == control.currency }?.senderAmount ?? .zero
    }
    try check(settled, "control.csv and totals.csv disagree")
    let counted = exceptions.counts
    let errors = RejectionReason.allCases.allSatisfy { reason in
      counted.errors[reason, default: 0] == summary.errors.first { $0.code == reason.code.description }?.count ?? 0
    }
    try check(errors, "summary.json and exceptions.csv disagree on the errors")
    try check(
      counted.pending == records(.pending) && counted.held == records(.held),
      "summary.json and exceptions.csv disagree on the pending and held payments")
    // Exactly: a count may be anything below 10^18.
    func sum(_ counts: [Int]) -> ExactDecimal { counts.reduce(.zero) { $0 + ExactDecimal($1) } }
    try check(
      sum(Self.outcomes.map(records)) == ExactDecimal(recordsRead)
        && sum(totals.map(\.payments)) == ExactDecimal(records(.settled)),
      "the counts of summary.json do not add up")
    try check(
      sum(controls.map(\.records)) <= ExactDecimal(recordsRead), "control.csv has more records than were read")
  }
}
