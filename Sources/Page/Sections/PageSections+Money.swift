import ExactArithmetic
import Records

/// Where the batch's money went, and what the fees were.
extension PageSections {
  func writeMoney() {
    let outcomes = Outcome.ofPayments
    section("money", "Where the money went", moneyLead) {
      guard !reports.controls.isEmpty else { return }
      html.element("ul", ["class": "legend", "aria-hidden": "true"]) {
        for outcome in outcomes { html.element("li", ["class": "key-" + outcome.word], text: outcome.word) }
      }
      html.element("ul", ["class": "bars", "aria-label": "Shares of the amount by outcome"]) {
        for control in reports.controls { writeBar(control) }
      }
      let parts = outcomes.enumerated().map { place, outcome in
        amounts(outcome.word.capitalized) { (control: PublishedReports.Control) in control.parts[place] }
      }
      writeCurrencyChoice()
      table(
        "control", caption: "Control amounts by outcome (control.csv)",
        [currencies { $0.currency }, counts("Records") { $0.records }, amounts("Amount") { $0.amount }] + parts,
        rows: reports.controls)
    }
  }

  /// Writes the choice of the currency that tables show on a phone, where each figure has a line of its own. The script
  /// makes it visible. It applies to all sections; the first choice is the currency with the most records, or if there
  /// are none, the most refunds.
  func writeCurrencyChoice() {
    // Refunds and agreements may be in other currencies than payments.
    let agreed = reports.agreements.byCurrency.keys
    let all = Set(reports.controls.map(\.currency) + reports.totals.map(\.currency) + agreed).sorted()
    guard all.count > 1 else { return }
    let most =
      reports.controls.max { $0.records < $1.records }?.currency
      ?? reports.totals.max { $0.moved.refunds < $1.moved.refunds }?.currency ?? all[0]
    html.element("p", ["class": "choice", "hidden": ""]) {
      html.element("label") {
        html.text("Currency ")
        html.element("select", ["autocomplete": "off"]) {
          html.element("option", ["value": ""], text: "all")
          for currency in all {
            html.element("option", ["selected": currency == most ? "" : nil], text: currency.code)
          }
        }
      }
      html.element("output")
    }
  }

  private var moneyLead: String {
    let counted = reports.controls.reduce(0) { $0 + $1.records }
    let without = reports.recordsRead - counted
    if reports.controls.isEmpty {
      return reports.recordsRead == 0 ? "There are no records." : "No payment has a valid amount."
    }
    let each = "Each bar is the total amount of the batch in one currency, by outcome."
    switch without {
    case 0: return each
    case 1: return each + " One record is in no sum: it is not a payment, or has no valid amount."
    default: return each + " \(without) records are in no sum: they are not payments, or have no valid amount."
    }
  }

  private func writeBar(_ control: PublishedReports.Control) {
    let outcomes = Outcome.ofPayments
    let shares = zip(outcomes, control.parts).filter { !$1.isZero }
      .map { "\($0.word) \(Share.text($1, of: control.amount))" }
    let label = control.currency.code + ": " + (shares.isEmpty ? "zero" : shares.joined(separator: ", "))
    html.element("li") {
      html.element("span", ["class": "name"], text: control.currency.code)
      bar(zip(outcomes, Share.widths(control.parts)).map { ($0.word, $1) }, label: label)
      html.element("span", ["class": "share"], text: Self.settledShare(control))
    }
    html.newLine()
  }

  private static func settledShare(_ control: PublishedReports.Control) -> String {
    if control.amount.isZero { return "zero" }
    if control.parts[0].isZero { return "none settled" }
    if control.parts[0] == control.amount { return "all settled" }
    return Share.text(control.parts[0], of: control.amount) + " settled"
  }

  func writeFees() {
    let paid = reports.totals.filter { $0.moved.payments > 0 }
    let lead =
      paid.isEmpty
      ? "No payment is settled, so there are no fees."
      : "All fees, whichever party bears them, as a share of the gross amount that senders sent."
    section("fees", "Settled payments and fees", lead) {
      guard !paid.isEmpty || !reports.fees.isEmpty else { return }
      writeCurrencyChoice()
      table(
        "totals", caption: "Trial balance of settled payments (totals.csv)",
        [
          currencies { $0.currency }, counts("Payments") { $0.moved.payments },
          amounts("Sent") { $0.moved.senderAmount }, amounts("Fees on top") { $0.moved.senderFees },
          amounts("To receivers") { $0.moved.receiverNet }, amounts("All fees") { $0.moved.fees },
          amounts("Balance") { $0.moved.balance },
          figures("Fees / sent", class: { _ in " share" }) { total in
            html.text(Share.text(total.moved.fees, of: total.moved.senderAmount, decimals: 2))
          },
        ], rows: paid)
      writeNames()
    }
  }

  /// Writes the fees by name; nothing if the night shows none.
  private func writeNames() {
    guard !reports.fees.isEmpty else { return }
    html.element("ul", ["class": "bars fees", "aria-label": "Shares of the fees by name"]) {
      for row in reports.fees { writeBar(row) }
    }
    table(
      "names", caption: "Fees by name (summary.json)",
      [
        currencies { $0.currency }, words("Name", class: "code") { html.text($0.name) }, amounts("Fee") { $0.sums.fee },
        amounts("VAT") { $0.sums.vat }, amounts("Fee returned") { $0.sums.feeReturned },
        amounts("VAT returned") { $0.sums.vatReturned },
      ], rows: reports.fees)
  }

  /// Writes the part that a name has of all fees in its currency, with VAT.
  private func writeBar(_ row: PublishedReports.Fees) {
    let (own, all) = (row.sums.fee + row.sums.vat, reports.totals.first { $0.currency == row.currency }!.moved.fees)
    let share = Share.text(own, of: all)
    html.element("li") {
      html.element("span", ["class": "name"], text: "\(row.currency.code) \(row.name)")
      bar(all.isZero ? [] : [("settled", Share.widths([own, all - own])[0])], label: "\(row.name): \(share)")
      html.element("span", ["class": "share"], text: share)
    }
    html.newLine()
  }
}
