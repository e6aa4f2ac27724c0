import ExactArithmetic
import Money
import Payments
import Reports
import Settlement

/// Holds `summary.json` against what the other reports add up to.
struct SummaryAudit {
  private let name = SummaryReport.fileName
  private let summary: SummaryText
  private let log: FindingLog

  init(_ summary: SummaryText, _ log: FindingLog) {
    self.summary = summary
    self.log = log
  }

  /// What the summary says alone.
  func checkAlone() {
    if summary.batchID != nil, summary.controlTotals == .absent {
      complain(
        "batch.controlTotals", "absent", "verified or mismatch",
        "a batch with an identifier has a header, and then a trailer")
    }
    for (code, _) in summary.notices where !Notice.allCases.contains(where: { $0.code.description == code }) {
      log.add(ReportFinding(name, field: "notices", found: code, "no such code"))
    }
  }

  /// Holds counts and sums against those of the other reports.
  func check(against totals: ControlTotals) {
    let expected = [
      totals.recordsRead, totals[.settled], totals[.rejected], totals[.pending], totals[.held],
    ]
    for (place, key) in SummaryText.recordNames.enumerated() where summary.records[place] != expected[place] {
      complain(
        "records.\(key)", "\(summary.records[place])", "\(expected[place])",
        "what settlement.csv and exceptions.csv add up to")
    }
    checkErrors(totals)
    checkTotals(totals)
  }

  private func checkErrors(_ totals: ControlTotals) {
    for (code, _) in summary.errors where !RejectionReason.allCases.contains(where: { $0.code.description == code }) {
      log.add(ReportFinding(name, field: "errors", found: code, "no such code"))
    }
    for reason in RejectionReason.allCases {
      let found = summary.errors.first { $0.code == reason.code.description }?.count ?? 0
      let expected = totals.errors[Int(reason.rawValue)]
      if found != expected {
        complain("errors.\(reason.code)", "\(found)", "\(expected)", "the rows of exceptions.csv")
      }
    }
  }

  private func checkTotals(_ totals: ControlTotals) {
    for (currency, sums) in zip(Currency.all, totals.currencies) {
      let found = summary.totals.first { $0.currency == currency }
      let key = "totals.\(currency.code)"
      guard let found else {
        if sums.payments > 0 {
          log.add(
            ReportFinding(name, field: key, expected: "\(sums.payments) payments", "the currency is missing"))
        }
        continue
      }
      guard sums.payments > 0 else {
        log.add(ReportFinding(name, field: key, "settlement.csv has no payment in that currency"))
        continue
      }
      if found.payments != sums.payments {
        complain("\(key).payments", "\(found.payments)", "\(sums.payments)", "what settlement.csv adds up to")
      }
      let figures = [sums.senderAmount, sums.senderFees, sums.receiverNet, sums.fees, sums.balance]
      for (place, figure) in SummaryText.figureNames.enumerated() where found.figures[place] != figures[place] {
        complain(
          "\(key).\(figure)", ShownField.amount(found.figures[place]), ShownField.amount(figures[place]),
          "what settlement.csv adds up to")
      }
    }
  }

  private func complain(_ key: String, _ found: String, _ expected: String, _ reason: String) {
    log.add(ReportFinding(name, field: key, found: found, expected: expected, reason))
  }
}
