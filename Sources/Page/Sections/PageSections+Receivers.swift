import Money

/// Who is paid most.
extension PageSections {
  func writeReceivers() {
    let currencies = reports.receivers.byCurrency.sorted { $0.key < $1.key }
    let lead =
      currencies.isEmpty
      ? "Nobody receives money."
      : "Of each currency, the \(ReportPage.receiversOfEachCurrency) that are paid most. All stand in receivers.csv."
    section("receivers", "The largest receivers", lead) {
      guard !currencies.isEmpty else { return }
      writeCurrencyChoice()
      let columns: [Column<LargestReceivers.Receiver>] = [
        names("Account", class: "account") { html.foreign($0.account) },
        Column(head: "Net", isFigures: true) { row in number("Net", class: " net") { html.figure(row.net) } },
        amounts("Gross") { $0.gross }, amounts("Passed on") { $0.passedOn }, amounts("Fees") { $0.fee },
        counts("Payments") { $0.payments },
      ]
      table("largest", caption: "Largest by net (receivers.csv)", columns) {
        for (currency, receivers) in currencies {
          html.element("tbody") {
            writeGroup(currency, receivers)
            for receiver in receivers.largest { write(receiver, columns) }
          }
        }
      }
    }
  }

  private func writeGroup(_ currency: Currency, _ receivers: LargestReceivers.OfCurrency) {
    let (all, listed) = (receivers.count, receivers.largest.count)
    html.element("tr", ["class": "group"]) {
      html.element("th", ["scope": "rowgroup", "colspan": "6"]) {
        html.element("abbr", ["title": currency.name], text: currency.code)
        html.element(
          "span", ["class": "of"],
          sentence: all == listed ? Self.count(all, "receiver") : "\(listed) of \(all) receivers")
      }
    }
    html.newLine()
  }
}
