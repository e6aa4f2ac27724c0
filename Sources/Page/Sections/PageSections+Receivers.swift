import Money

/// The receivers that are paid most.
extension PageSections {
  func writeReceivers() {
    let currencies = reports.receivers.byCurrency.sorted { $0.key < $1.key }
    let lead =
      currencies.isEmpty
      ? "No one receives money."
      : "Of each currency, the \(ReportPage.receiversOfEachCurrency) that are paid most. receivers.csv has all of them."
    section("receivers", "The largest receivers", lead) {
      guard !currencies.isEmpty else { return }
      writeCurrencyChoice()
      var columns: [Column<LargestReceivers.Receiver>] = [
        names("Account", class: "account") { html.foreign($0.account) },
        figures("Payout", class: { _ in " net" }) { html.figure($0.payout) },
        amounts("Gross") { $0.gross }, amounts("Passed on") { $0.passedOn }, amounts("Fees") { $0.fee },
        counts("Payments") { $0.payments },
      ]
      if reports.hasRefunds { columns.append(amounts("Refunds") { $0.refundNet }) }
      table("largest", caption: "Largest by payout (receivers.csv)", columns) {
        for (currency, receivers) in currencies {
          html.element("tbody") {
            writeGroup(currency, receivers, columns: columns.count)
            for receiver in receivers.largest { write(receiver, columns) }
          }
        }
      }
    }
  }

  private func writeGroup(_ currency: Currency, _ receivers: LargestReceivers.OfCurrency, columns: Int) {
    let (all, listed) = (receivers.count, receivers.largest.count)
    html.element("tr", ["class": "group"]) {
      html.element("th", ["scope": "rowgroup", "colspan": "\(columns)"]) {
        html.element("abbr", ["title": currency.name], text: currency.code)
        html.element(
          "span", ["class": "of"],
          sentence: all == listed ? Self.count(all, "receiver") : "\(listed) of \(all) receivers")
      }
    }
    html.newLine()
  }
}
