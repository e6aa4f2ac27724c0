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
      table(
        "largest", caption: "Largest by net (receivers.csv)",
        heads: Self.receiversHeads, words: 1, isGrouped: true
      ) {
        for (currency, receivers) in currencies { write(receivers, currency) }
      }
    }
  }

  private static let receiversHeads = ["Account", "Net", "Gross", "Passed on", "Fees", "Payments"]

  private func write(_ receivers: LargestReceivers.OfCurrency, _ currency: Currency) {
    html.element("tbody") {
      html.element("tr", ["class": "group"]) {
        html.element("th", ["scope": "rowgroup", "colspan": "6"]) {
          html.element("abbr", ["title": currency.name], text: currency.code)
          html.element("span", ["class": "of"]) {
            html.text(
              receivers.count == receivers.largest.count
                ? Self.count(receivers.count, "receiver") : "\(receivers.largest.count) of \(receivers.count) receivers"
            )
          }
        }
      }
      html.newLine()
      for receiver in receivers.largest { write(receiver) }
    }
  }

  private func write(_ receiver: LargestReceivers.Receiver) {
    html.element("tr") {
      html.element("th", ["scope": "row", "class": "account"]) { html.foreign(receiver.account) }
      let heads = Self.receiversHeads
      number(heads[1], class: "net") { html.figure(receiver.net) }
      amounts(heads[2...4], [receiver.gross, receiver.passedOn, receiver.fee])
      number(heads[5]) { html.figure(receiver.payments) }
    }
    html.newLine()
  }
}
