import ExactArithmetic
import Failures
import FileSystem
import Money
import Postings
import Records
import Documents
import Rules

/// The facts about a published directory that a page shows: each file is read once, strictly, and hashed while it is
/// read.
struct PublishedReports {
  /// A row of `control.csv`.
  struct Control {
    let currency: Currency
    let records: Int
    let amount: ExactDecimal
    /// By the order of `Outcome.ofPayments`.
    let parts: [ExactDecimal]
  }
  /// A row of `totals.csv`.
  struct Total {
    let currency: Currency
    let moved: TrialBalance
    /// All fields as written, as they also are in `summary.json`.
    let fields: [String]
  }

  /// The fees of a currency and a name, in `summary.json`.
  struct Fees {
    let currency: Currency
    let name: String
    let sums: FeeSums
  }

  let summary: SummaryReport
  let controls: [Control]
  let totals: [Total]
  /// Empty if the night shows no names.
  let fees: [Fees]
  let receivers: LargestReceivers
  let refundedNights: RefundedNights
  let agreements: ReportedAgreements
  let exceptions: ListedExceptions
  /// The reports' digests by name, without `SHA256SUMS`; they agree with it.
  let digests: [(name: String, digest: String)]
  /// The time of the file `SHA256SUMS`, the last report to be written, in seconds since 1970.
  let writtenAt: Int

  /// The number of records with an outcome.
  func records(_ outcome: Outcome) -> Int {
    switch outcome {
    case .settled: summary[.settled]
    case .rejected: summary[.rejected]
    case .pending: summary[.pending]
    case .held: summary[.held]
    case .refunded: summary[.refunded]
    case .agreed: summary[.preapprovals]
    }
  }

  /// The number of records read.
  var recordsRead: Int { summary[.read] }

  /// Whether a refund was made.
  var hasRefunds: Bool { records(.refunded) > 0 }

  /// The outcomes to show: those of payments, and any other that records have.
  var outcomes: [Outcome] { Outcome.allCases.filter { Outcome.ofPayments.contains($0) || records($0) > 0 } }

  /// Reads a directory; see ``ReportPage/make(of:)`` for what it throws.
  init(directory: String) throws(Failure) {
    let folder = try PublishedDirectory(directory, missing: Failure.unreadable, failure: Failure.inputOutput)
    summary = folder.summary
    controls = try Self.controls(folder.rows(.control))
    totals = try Self.totals(folder.rows(.totals))
    fees = try (summary.fees ?? []).map { row throws(Failure) in
      guard let currency = Currency(code: row.currency), let sums = row.sums(currency) else {
        throw .inputOutput("\(OutputPlace.shown(directory))/summary.json: its fees are not amounts of a currency")
      }
      return Fees(currency: currency, name: row.name, sums: sums)
    }
    receivers = try LargestReceivers(folder.rows(.receivers))
    refundedNights = try RefundedNights(folder.rows(.refunds))
    agreements = try ReportedAgreements(folder.rows(.preapprovals))
    exceptions = try ListedExceptions(folder.rows(.exceptions), files: summary.files.map(\.name))
    // The others, such as settlement.csv, are only hashed.
    (digests, writtenAt) = try folder.finish()
    try checkAgreement(OutputPlace.shown(directory))
  }

  private static func controls(_ rows: ReportRows) throws(Failure) -> [Control] {
    typealias Column = ControlReport.Column
    var controls: [Control] = []
    while try rows.next() {
      let currency = try rows.currency(Column.currency)
      guard controls.last.map({ $0.currency < currency }) ?? true else { throw rows.fault("is out of order") }
      var parts: [ExactDecimal] = []
      for column in [Column.settled, .pending, .held, .rejected] { parts.append(try rows.amount(column, currency)) }
      let control = Control(
        currency: currency, records: try rows.count(Column.records), amount: try rows.amount(Column.amount, currency),
        parts: parts)
      guard parts.reduce(.zero, +) == control.amount, !parts.contains(where: \.isNegative) else {
        throw rows.fault("the outcomes do not add up to the amount")
      }
      controls.append(control)
    }
    return controls
  }

  private static func totals(_ rows: ReportRows) throws(Failure) -> [Total] {
    typealias Column = TotalsReport.Column
    var totals: [Total] = []
    while try rows.next() {
      let (currency, moved) = try rows.moved()
      guard totals.last.map({ $0.currency < currency }) ?? true else { throw rows.fault("is out of order") }
      let total = Total(currency: currency, moved: moved, fields: Column.allCases.map { rows.text($0) })
      guard try rows.amount(Column.balance, currency).isZero else { throw rows.fault("does not balance") }
      totals.append(total)
    }
    return totals
  }

  /// Compares the page's figures with each other; `settle verify` checks the rest.
  private func checkAgreement(_ shown: String) throws(Failure) {
    func check(_ holds: Bool, _ what: String) throws(Failure) {
      if !holds { throw .inputOutput("\(shown): \(what); settle verify shows more") }
    }
    try check(summary.totals == totals.map(\.fields), "summary.json and totals.csv disagree")
    let named = totals.allSatisfy { total in
      let own = fees.filter { $0.currency == total.currency }
      return own.reduce(.zero) { $0 + $1.sums.fee + $1.sums.vat } == total.moved.fees
        && own.reduce(.zero) { $0 + $1.sums.feeReturned + $1.sums.vatReturned } == total.moved.feesReturned
    }
    try check(summary.fees == nil || named, "the fees of summary.json and totals.csv disagree")
    let settled = controls.allSatisfy { control in
      control.parts[0] == totals.first { $0.currency == control.currency }?.moved.senderAmount ?? .zero
    }
    try check(settled, "control.csv and totals.csv disagree")
    let errors = RejectionReason.allCases.allSatisfy { reason in
      exceptions.errors[reason, default: 0] == summary.errors.first { $0.code == reason.code.description }?.count ?? 0
    }
    try check(errors, "summary.json and exceptions.csv disagree on the errors")
    try check(
      [.pending, .held].allSatisfy { exceptions.waiting[$0, default: 0] == records($0) },
      "summary.json and exceptions.csv disagree on the pending and held payments")
    // Sum exactly: a count may be any number below 10^18.
    func sum(_ counts: [Int]) -> ExactDecimal { counts.reduce(.zero) { $0 + ExactDecimal($1) } }
    try check(
      sum(Outcome.allCases.map(records)) == ExactDecimal(recordsRead)
        && sum(totals.map(\.moved.payments)) == ExactDecimal(records(.settled))
        && sum(totals.map(\.moved.refunds)) == ExactDecimal(records(.refunded)),
      "the counts of summary.json do not add up")
    try check(
      totals.allSatisfy { refundedNights.agree(with: $0.moved, $0.currency) }
        && sum(refundedNights.sums.values.map(\.refunds)) == ExactDecimal(records(.refunded)),
      "totals.csv and refunds.csv disagree")
    try check(
      sum(controls.map(\.records)) <= ExactDecimal(recordsRead), "control.csv has more records than were read")
  }
}
