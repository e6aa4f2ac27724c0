import ExactArithmetic
import FoundationEssentials
import Records

/// Whether the whole batch was settled, and what was checked.
extension PageSections {
  /// How good the news is: a class of the style, and a sign for readers who do not see colours.
  private enum Tone: String {
    case good = "✓"
    case partial = "!"
    case bad = "✕"
    case neutral = "–"
  }

  private typealias News = (tone: Tone, words: String, explanation: String)

  private func writeSign(_ tone: Tone, _ element: StaticString) {
    html.element(element, ["class": "sign", "aria-hidden": "true"], text: tone.rawValue)
  }

  func writeVerdict() {
    let verdict = verdict
    html.element("p", ["class": "kind"], text: "Settlement")
    html.element("h1") {
      if let id = reports.summary.batchID { html.foreign(id) } else { html.text("Batch without an identifier") }
    }
    writeOrigin()
    html.element("div", ["id": "verdict", "class": "\(verdict.tone)"]) {
      writeSign(verdict.tone, "p")
      html.element("div") {
        html.element("p", ["class": "words"], text: verdict.words)
        html.element("p", ["class": "records"], sentence: verdict.explanation)
        if reports.summary.controlTotals == .mismatch { writeRead() }
      }
    }
    writeRecords()
    html.element("ul", ["class": "facts"]) {
      for fact in facts {
        html.element("li", ["class": "\(fact.tone)"]) {
          writeSign(fact.tone, "span")
          html.element("span") {
            html.element("strong", text: fact.words)
            html.sentence(" " + fact.explanation)
          }
        }
      }
    }
    html.element("nav", ["aria-label": "On this page"]) {
      for (id, title, isThere) in [
        ("money", "Money", true), ("refunds", "Refunds", reports.hasRefunds), ("fees", "Fees", true),
        ("agreements", "Agreements", hasAgreements), ("rejections", "Not settled", true),
        ("receivers", "Receivers", true), ("digests", "Digests", true),
      ] where isThere {
        html.element("a", ["href": "#" + id], text: title)
        html.newLine()
      }
    }
  }

  /// Writes when the reports were written, which says more than the batch's own date (no report has that), and their
  /// files.
  private func writeOrigin() {
    let files = reports.summary.files
    let written = Date(timeIntervalSince1970: Double(reports.writtenAt))
    let time = Date.ISO8601FormatStyle(dateTimeSeparator: .space).year().month().day().time(
      includingFractionalSeconds: false)
    html.element("p", ["class": "origin"]) {
      html.element("span") {
        html.text("Reports written ")
        html.element("time", ["datetime": written.formatted(.iso8601)], text: written.formatted(time) + " UTC")
      }
      html.text(" ")
      html.element("span") {
        html.text(files.count == 1 ? "File: " : "Files: ")
        for (place, file) in files.prefix(ReportPage.batchFilesAtTop).enumerated() {
          if place > 0 { html.text(", ") }
          html.foreign(file.name)
        }
        let others = files.count - ReportPage.batchFilesAtTop
        if others > 0 { html.sentence(" and \(others) more") }
      }
    }
  }

  private func list(_ outcomes: [Outcome]) -> String {
    outcomes.map { "\(reports.records($0)) \($0.word)" }.joined(separator: ", ")
  }

  private var rest: String { list([.rejected, .pending, .held]) }

  /// The outcomes without errors for which nothing is left to do.
  private var done: [Outcome] { reports.outcomes.filter { ![.rejected, .pending, .held].contains($0) } }

  private var verdict: News {
    let read = reports.recordsRead
    let settled = reports.records(.settled) + reports.records(.refunded)
    // This comes first: outcomes mean little if the records may not be the ones that were sent.
    if reports.summary.controlTotals == .mismatch {
      let explanation =
        "The batch's trailer states other records or amounts than were read. Some may be missing, or should not be "
        + "there; the run was set to continue."
      return (.bad, "Control totals do not match", explanation)
    }
    if read == 0 { return (.neutral, "Nothing to settle", "The batch has no records.") }
    if settled + reports.records(.agreed) == read {
      if done.count > 1 { return (.good, "Settled whole", "\(Self.count(read, "record")): \(list(done)).") }
      return (.good, "Settled whole", read == 1 ? "Its only record is settled." : "All \(read) records are settled.")
    }
    let explanation =
      done.count > 1
      ? "\(Self.count(read, "record")): \(list(done)); \(rest)."
      : "\(settled) of \(Self.count(read, "record")) settled: \(rest)."
    if settled > 0 { return (.partial, "Settled in part", explanation) }
    return (reports.records(.rejected) > 0 ? .bad : .partial, "Nothing settled", explanation)
  }

  /// Writes the records and amounts that were read, to be compared with the trailer.
  private func writeRead() {
    html.element("p", ["class": "records"]) {
      let read = reports.recordsRead
      html.text("Read: ")
      html.figure(read)
      html.sentence(
        (read == 1 ? " record" : " records") + (read == 0 ? "." : ": \(list(done)), \(rest)."))
    }
    guard !reports.controls.isEmpty else { return }
    html.element("p", ["class": "records"], text: "Amounts read:")
    html.element("ul", ["class": "read"]) {
      for control in reports.controls {
        html.element("li") {
          html.figure(control.amount)
          html.sentence(" \(control.currency.code) in \(Self.count(control.records, "record"))")
        }
      }
    }
  }

  private var facts: [News] {
    let control: News =
      switch reports.summary.controlTotals {
      case .verified: (.good, "Control totals verified.", "The trailer's count and sums are those of the records read.")
      case .mismatch:
        (
          .bad, "Control totals do not match.",
          "The reports do not contain the trailer's figures; settle validate, run on the batch, names the first that differs."
        )
      case .absent: (.neutral, "No control totals.", "The batch has no trailer to compare its records with.")
      }
    let balance: News =
      reports.totals.isEmpty
      ? (.neutral, "No money moved.", "There is no trial balance.")
      : (
        .good, "Every currency balances.",
        "Sent + fees on top = to receivers + all fees."
          + (reports.hasRefunds ? " Refunded = from receivers + fees returned." : "")
      )
    return [
      control, balance,
      (.good, "Digests agree.", "Each report had the SHA-256 of SHA256SUMS when this page was made."),
    ]
  }

  private func writeRecords() {
    let outcomes = reports.outcomes
    let counts = outcomes.map { ExactDecimal(reports.records($0)) }
    let widths = Share.widths(counts)
    let label =
      reports.recordsRead == 0
      ? "No records"
      : "Records: " + outcomes.map { "\($0.word) \(reports.records($0))" }.joined(separator: ", ")
    bar(zip(outcomes, widths).map { ($0.word, $1) }, label: label)
    html.element("dl", ["id": "records"]) {
      record("read", reports.recordsRead)
      for outcome in outcomes { record(outcome.word, reports.records(outcome)) }
    }
    html.newLine()
  }

  private func record(_ word: String, _ count: Int) {
    html.element("div", ["class": "of-" + word]) {
      html.element("dt", text: word)
      html.element("dd") { html.figure(count) }
    }
  }
}
