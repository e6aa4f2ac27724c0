import Failures
import Ledger
import Money
import Postings
import Documents
import Text

/// What the directories of a period's runs say, compared with the ledger.
package struct NightFigures {
  private let ledger: AccountLedger
  let naming: NightNaming

  /// - Parameter remedy: what to do instead if a directory cannot be used; empty if there is nothing.
  package init(_ ledger: AccountLedger, remedy: String) {
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
      let booked = try ledger.reading.lists(of: booking).first
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

  /// Adds the fees of a run; throws if its report is gone or changed.
  package func addFees(of run: RunEntry, to charged: inout AccountFees) throws(Failure) {
    typealias Column = SettlementReport.Column
    let name = Array("fee".utf8)
    try naming.of(run) { () throws(Failure) in
      let report = try NightReport(.settlement, of: run)
      while try report.next() {
        let row = report.row
        guard let currency = Currency.find(row[Column.currency]), let fee = ReportField.amount(row[Column.fee], currency)
        else { throw report.fault("has no currency, or no fee in it") }
        if fee.isZero { continue }
        charged.add(
          fee, vat: .zero(at: -currency.settlementExponent), of: row[Column.account], currency, name: name.span,
          isRefund: !row[Column.refundKey].isEmpty)
      }
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
