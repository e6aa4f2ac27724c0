/// What was refunded, for the payments of which runs, and the state of agreements.
extension PageSections {
  /// The currencies with a refund.
  private var refunded: [PublishedReports.Total] { reports.totals.filter { $0.moved.refunds > 0 } }

  /// Whether the batch changed or used an agreement.
  var hasAgreements: Bool { !reports.agreements.byCurrency.isEmpty }

  /// Writes the section on refunds; nothing if there were none.
  func writeRefunds() {
    guard reports.hasRefunds else { return }
    let lead = "What senders got back, and who paid it. Refunded = from receivers + fees returned."
    section("refunds", "What was refunded", lead) {
      writeCurrencyChoice()
      table(
        "refunded", caption: "Refunds (totals.csv)",
        [
          currencies { $0.currency }, counts("Refunds") { $0.moved.refunds },
          amounts("Refunded") { $0.moved.refunded }, amounts("From receivers") { $0.moved.receiverDebit },
          amounts("Fees returned") { $0.moved.feesReturned },
        ], rows: refunded)
      let nights = reports.refundedNights.sums.sorted { $0.key < $1.key }
      table(
        "nights", caption: "By the run that settled the payment (refunds.csv)",
        [
          names("Settled by") { html.sentence($0.key.run.map { "run \($0)" } ?? "this batch") },
          words("Currency", class: "code") { row in
            html.element("abbr", ["title": row.key.currency.name], text: row.key.currency.code)
          },
          counts("Refunds") { $0.value.refunds }, amounts("Amount") { $0.value.amount },
          amounts("Fees returned") { $0.value.feesReturned },
        ], rows: nights.prefix(ReportPage.mostNights))
      if nights.count > ReportPage.mostNights {
        html.element(
          "p", ["class": "note"],
          sentence: "The latest \(ReportPage.mostNights) of \(nights.count) rows; refunds.csv has all.")
      }
    }
  }

  /// Writes the section on agreements; nothing if the batch changed and used none.
  func writeAgreements() {
    guard hasAgreements else { return }
    let lead = "The agreements that this batch changed or used, after it; payments and amount include all nights."
    section("agreements", "Agreements", lead) {
      let statuses = ReportedAgreements.statuses.enumerated().map { place, status in
        counts(status.capitalized) { (all: ReportedAgreements.OfCurrency) in all.counts[place] }
      }
      let used: [Column<ReportedAgreements.OfCurrency>] = [
        amounts("Payments") { $0.payments }, amounts("Amount") { $0.amount },
      ]
      writeCurrencyChoice()
      table(
        "preapprovals", caption: "Agreements by status (preapprovals.csv)",
        [currencies { $0.currency }] + statuses + used,
        rows: reports.agreements.byCurrency.sorted { $0.key < $1.key }.map(\.value))
    }
  }
}
