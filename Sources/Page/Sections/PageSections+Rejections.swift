import ExactArithmetic
import Records
import Rules

/// What was not settled and why: first by code, then row by row.
extension PageSections {
  func writeRejections() {
    section("rejections", "Rejected, pending and held", rejectionsLead) {
      if !reports.summary.errors.isEmpty { writeCodes() }
      if reports.exceptions.count > 0 { writeList() }
    }
  }

  private var rejectionsLead: String {
    let rejected = reports.records(.rejected)
    let errors = reports.exceptions.errors.values.reduce(0, +)
    let waiting = reports.exceptions.count - errors
    if reports.exceptions.count == 0 { return "None: no record was rejected, pending or held." }
    var lead =
      rejected == 0
      ? "No record was rejected."
      : "\(Self.count(rejected, "record")) rejected, with \(Self.count(errors, "error")). A rejected record moves no money."
    if waiting > 0 { lead += " \(Self.count(waiting, "payment")) pending or held, without error." }
    return lead
  }

  // MARK: By code

  private func writeCodes() {
    let counts = reports.exceptions.errors
    let codes = RejectionReason.allCases.filter { counts[$0] != nil }
      .sorted { (counts[$0] ?? 0, $1) > (counts[$1] ?? 0, $0) }
    let most = counts.values.max() ?? 0
    table(
      "errors", caption: "Errors by code (summary.json)", class: "codes",
      [
        names("Why") { reason in
          html.element("code") { html.breakable(reason.code.description) }
          html.element("span", ["class": "meaning"], sentence: reason.meaning)
        },
        words("", class: "picture") { reason in
          let count = counts[reason] ?? 0
          let width = Share.steps(ExactDecimal(count), of: ExactDecimal(most), Share.barWidth)
          bar([("rejected", max(Share.leastWidth, width))], label: "\(count) of \(reason.code)")
        }, self.counts("Errors") { counts[$0] ?? 0 },
      ], rows: codes)
  }

  // MARK: Row by row

  private func writeList() {
    let listed = reports.exceptions.rows.count
    let all = reports.exceptions.count
    html.element("h3", text: "Line by line")
    if listed < all {
      html.element("p", ["class": "note", "id": "cut"]) {
        html.sentence(
          "\(listed) of \(all) rows are listed: the first \(ReportPage.mostExceptions), and of each code at least the "
            + "first \(ReportPage.exceptionsOfEachCode). exceptions.csv has all of them.")
      }
    }
    // The script makes the search visible: it does not work without the script.
    html.element("div", ["class": "search", "id": "search", "hidden": ""]) {
      html.element("label", ["for": "words"], text: "Search the rows")
      html.element(
        "input",
        [
          "type": "search", "id": "words", "autocomplete": "off", "spellcheck": "false",
          "placeholder": "code, pay key, line 12, field, message",
        ])
      html.element("label", ["for": "kind"], text: "Show")
      html.element("select", ["id": "kind", "autocomplete": "off"], writeKinds)
      html.element("output", ["for": "words kind", "id": "found"])
    }
    let hasFiles = reports.summary.files.count > 1
    table(
      "exceptions", caption: "Rejected, pending and held (exceptions.csv)", class: hasFiles ? "list files" : "list",
      [
        names(hasFiles ? "File and line" : "Line", class: "line") { writePlace(of: $0, hasFiles: hasFiles) },
        texts("Pay key", class: "key") { $0.payKey },
        words("Why", class: "why") { row in
          html.element("code") { html.breakable(row.reason?.code.description ?? Self.status(row.outcome)) }
        },
        texts("Field", class: "field") { $0.field },
        words("What is wrong", class: "message") { html.foreign($0.message) },
        Column(head: "Amount", isFigures: true, write: writeAmount),
      ], rows: reports.exceptions.rows, rowClass: { $0.outcome.word })
  }

  /// The choices to which the rows can be narrowed: an outcome, or a code. Each has the number of its rows not listed.
  private func writeKinds() {
    let (errors, waiting, rows) = (reports.exceptions.errors, reports.exceptions.waiting, reports.exceptions.rows)
    func option(_ value: String, _ name: String, _ count: Int, _ isListed: (ListedExceptions.Row) -> Bool) {
      guard count > 0 else { return }
      let unlisted = count - rows.count(where: isListed)
      html.element("option", ["value": value, "data-unlisted": "\(unlisted)"], text: name)
    }
    option("", "all", reports.exceptions.count) { _ in true }
    for (outcome, count) in [
      (Outcome.rejected, errors.values.reduce(0, +)), (.pending, waiting[.pending, default: 0]),
      (.held, waiting[.held, default: 0]),
    ] {
      option(outcome.word, outcome.word, count) { $0.outcome == outcome }
    }
    for reason in RejectionReason.allCases {
      let code = reason.code.description
      option(code, code, errors[reason, default: 0]) { $0.reason == reason }
    }
  }

  private func writePlace(of row: ListedExceptions.Row, hasFiles: Bool) {
    if hasFiles {
      html.foreign(reports.summary.files[row.file].name)
      html.text(":")
    } else {
      html.element("span", ["class": "label"], text: "line ")
    }
    html.element("span", ["class": "place"]) { html.figure(row.line) }
  }

  private func writeAmount(of row: ListedExceptions.Row) {
    html.element("td", ["class": "number amount"]) {
      guard let amount = row.amount else { return }
      html.figure(amount.text)
      html.text(" ")
      html.element("abbr", text: amount.currency)
    }
  }

  private static func status(_ outcome: Outcome) -> String {
    (outcome == .pending ? PaymentStatus.created : .other).spelling.description
  }
}
