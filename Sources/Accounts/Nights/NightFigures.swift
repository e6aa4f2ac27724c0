import Documents
import Failures
import Ledger
import Money
import Postings
import Rules
import Text

/// What the directories of a period's runs say, compared with the ledger.
package struct NightFigures {
  private let ledger: LedgerReading
  let naming: NightNaming

  /// - Parameter remedy: what to do instead if a directory cannot be used; empty if there is nothing.
  package init(_ ledger: LedgerReading, remedy: String) {
    (self.ledger, naming) = (ledger, NightNaming(ledger: ledger.quoted, remedy: remedy))
  }

  /// Passes on the rows of `receivers.csv` of a run, each as its line without the line feed.
  ///
  /// Throws if the file is gone, changed, or does not agree with what the ledger booked.
  package func receivers(
    of run: RunEntry, _ booking: Booking,
    _ take: (_ line: Span<UInt8>, _ accountLength: Int) throws(Failure) -> Void
  ) throws(Failure) {
    try naming.of(run) { () throws(Failure) in
      let report = try NightReport(.receivers, of: run)
      let booked = try ledger.lists(of: booking).first
      while try report.next() {
        let currency = try report.currency(ReceiversReport.Column.currency)
        let payout = try report.amount(ReceiversReport.Column.payout, currency)
        if !payout.isZero {
          let row = report.row
          guard let booked, try booked.next(), booked.account.span.isEqual(to: row[ReceiversReport.Column.account]),
            booked.currency == currency, booked.amount == payout
          else { throw report.fault("is not what the ledger booked") }
        }
        try report.withLine(take)
      }
      if let booked, try booked.next() { throw report.fault("lacks accounts that the ledger booked") }
      try report.finish()
    }
  }

  /// The rows of `totals.csv` of a run; throws if the file is gone or changed.
  package func totals(of run: RunEntry) throws(Failure) -> [(currency: Currency, moved: TrialBalance)] {
    try naming.of(run) { () throws(Failure) in
      let report = try NightReport(.totals, of: run)
      var totals: [(currency: Currency, moved: TrialBalance)] = []
      while try report.next() { totals.append(try report.moved()) }
      try report.finish()
      return totals
    }
  }

  /// The fees of a run by currency and name; nil if the night shows no names. Throws if `summary.json` is gone or
  /// changed.
  package func namedFees(of run: RunEntry) throws(Failure) -> [(key: NamedFeeTotals.Key, sums: FeeSums)]? {
    guard ReportKind.showsNames(sums: run.sums) else { return nil }
    return try naming.of(run) { () throws(Failure) in
      let report = try NightReport(.summary, of: run)
      var rows: [(key: NamedFeeTotals.Key, sums: FeeSums)] = []
      for fees in try report.summary().fees ?? [] {
        guard let row = Self.row(fees) else { throw report.fault("has a sum of fees that no run writes") }
        rows.append(row)
      }
      try report.finish()
      return rows
    }
  }

  /// The sums of a currency and name; nil if a value is not one that a run writes.
  private static func row(_ fees: SummaryReport.Fees) -> (key: NamedFeeTotals.Key, sums: FeeSums)? {
    guard let currency = Currency(code: fees.currency) else { return nil }
    var sums = FeeSums(exponent: -currency.settlementExponent)
    for (figure, text) in zip(FeeSums.figures, fees.amounts) {
      guard let amount = ReportField.amount(text.utf8Span.span, currency) else { return nil }
      sums[keyPath: figure.path] = amount
    }
    return (NamedFeeTotals.Key(currency, Array(fees.name.utf8)), sums)
  }

  /// Adds the fees of a run; throws if its report is gone or changed.
  package func addFees(of run: RunEntry, to charged: inout AccountFees) throws(Failure) {
    try naming.of(run) { () throws(Failure) in
      let showsNames = ReportKind.showsNames(sums: run.sums)
      let report = try NightReport(showsNames ? .fees : .settlement, of: run)
      try report.forEachLine { line in showsNames ? charged.add(named: line) : charged.add(unnamed: line) }
      try report.finish()
    }
  }
}

/// Gives failures to read a night the run's number, and what to do.
struct NightNaming: Sendable {
  /// The ledger's path for commands.
  let ledger: String
  let remedy: String

  func of<Result>(_ run: RunEntry, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    do throws(Failure) { return try body() } catch {
      throw error.kind == .busy ? error : failure(run, error.message)
    }
  }

  func failure(_ run: RunEntry, _ reason: String) -> Failure {
    let batch = run.files.map { ShellWord.quoted($0.name) }.joined(separator: " ")
    let again = "settle run \(batch) --ledger \(ledger) --output DIR --republish publishes its reports again, in DIR"
    return .inputOutput("run \(run.number): \(reason). \(again)\(remedy.isEmpty ? "" : "; \(remedy)")")
  }
}
