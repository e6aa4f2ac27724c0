import ExactArithmetic
import Payments
import Settlement

/// What was not settled and why: by code, then row by row.
extension PageSections {
  func writeRejections() {
    section("rejections", "Rejected, pending and held", rejectionsLead) {
      if !reports.summary.errors.isEmpty { writeCodes() }
      if reports.exceptions.count > 0 { writeList() }
    }
  }

  private var rejectionsLead: String {
    let rejected = reports.records(.rejected)
    let errors = reports.exceptions.counts.errors.values.reduce(0, +)
    let waiting = reports.exceptions.count - errors
    if reports.exceptions.count == 0 { return "Nothing: no record was rejected, none is pending or held." }
    var lead =
      rejected == 0
      ? "No record was rejected."
      : "\(Self.count(rejected, "record")) rejected, with \(Self.count(errors, "error")). A rejected record moves no money."
    if waiting > 0 { lead += " \(Self.count(waiting, "payment")) pending or held, without error." }
    return lead
  }

  // MARK: By code

  private func writeCodes() {
    let counts = reports.exceptions.counts.errors
    let codes = RejectionReason.allCases.filter { counts[$0] != nil }
      .sorted { (counts[$0] ?? 0, $1) > (counts[$1] ?? 0, $0) }
    let most = counts.values.max() ?? 0
    table(
      "errors", caption: "Errors by code (summary.json)", class: "codes", heads: ["Why", "", "Errors"], words: 2
    ) {
      for reason in codes {
        let count = counts[reason] ?? 0
        html.element("tr") {
          html.element("th", ["scope": "row"]) {
            html.element("code") { html.breakable(reason.code.description) }
            html.element("span", ["class": "meaning"], text: reason.meaning)
          }
          html.element("td", ["class": "picture"]) {
            let width = Share.steps(ExactDecimal(count), of: ExactDecimal(most), Share.barWidth)
            bar([("rejected", max(Share.leastWidth, width))], label: "\(count) of \(reason.code)")
          }
          number("Errors") { html.figure(count) }
        }
        html.newLine()
      }
    }
  }

  // MARK: Row by row

  private func writeList() {
    let listed = reports.exceptions.rows.count
    let all = reports.exceptions.count
    html.element("h3", text: "Line by line")
    if listed < all {
      html.element("p", ["class": "note", "id": "cut"]) {
        html.text(
          "\(listed) of \(all) rows are listed: the first \(ReportPage.mostExceptions), and of each code at least the "
            + "first \(ReportPage.exceptionsOfEachCode). All of them stand in exceptions.csv.")
      }
    }
    // The script shows it: without one there is nothing to search with.
    html.element("div", ["class": "search", "id": "search", "hidden": ""]) {
      html.element("label", ["for": "words"], text: "Search the rows")
      html.element(
        "input",
        [
          "type": "search", "id": "words", "autocomplete": "off", "spellcheck": "false",
          "placeholder": "code, pay key, line 12, field, message",
        ])
      html.element("output", ["for": "words", "id": "found"])
    }
    let hasFiles = reports.summary.files.count > 1
    table(
      "exceptions", caption: "Rejected, pending and held (exceptions.csv)",
      class: hasFiles ? "list files" : "list",
      heads: [hasFiles ? "File and line" : "Line", "Pay key", "Why", "Field", "What is wrong", "Amount"], words: 5
    ) {
      for row in reports.exceptions.rows { write(row, hasFiles: hasFiles) }
    }
  }

  private func write(_ row: ListedExceptions.Row, hasFiles: Bool) {
    html.element("tr", ["class": row.outcome.word]) {
      html.element("th", ["scope": "row", "class": "line"]) {
        if hasFiles {
          html.foreign(String(decoding: reports.summary.files[row.file].name, as: UTF8.self))
          html.text(":")
        } else {
          html.element("span", ["class": "label"], text: "line ")
        }
        html.element("span", ["class": "place"], text: "\(row.line)")
      }
      html.element("td", ["class": "key"]) { if !row.payKey.isEmpty { html.foreign(row.payKey) } }
      html.element("td", ["class": "why"]) {
        html.element("code") { html.breakable(row.reason?.code.description ?? Self.status(row.outcome)) }
      }
      html.element("td", ["class": "field"]) { if !row.field.isEmpty { html.foreign(row.field) } }
      html.element("td", ["class": "message"]) { html.foreign(row.message) }
      html.element("td", ["class": "number amount"]) {
        guard let amount = row.amount else { return }
        html.figure(amount.text)
        html.text(" ")
        html.element("abbr", text: amount.currency)
      }
    }
    html.newLine()
  }

  private static func status(_ outcome: Outcome) -> String {
    (outcome == .pending ? PaymentStatus.created : .other).spelling.description
  }
}
