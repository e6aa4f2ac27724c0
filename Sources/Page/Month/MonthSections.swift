import ExactArithmetic
import Records

/// The page of a period: what was settled, paid and is owed, and a bar for each day.
struct MonthSections: PagePart {
  let html: HTMLWriter
  let figures: MonthFigures
  /// The ledger's name, for the foot of the page.
  let ledger: String

  private var period: String { "\(figures.since.text) to \(figures.until.text)" }

  /// Writes the whole page.
  func write() {
    page("Settlement from \(period)") {
      html.element("header") { writeHeader() }
      html.newLine()
      html.element("main") {
        writeDays()
        writeSettled()
        writeRefunds()
        writeOwed()
        writeAdjustments()
      }
      html.element("footer") {
        html.element("p") {
          html.text("Made by settle report from the ledger ")
          html.foreign(ledger)
          html.text(
            ". Days are booking days. Figures are those of settle history, statement, journal and balances, digit for "
              + "digit.")
        }
      }
    }
  }

  private func total(_ outcome: Outcome) -> Int {
    let place = MonthFigures.outcomes.firstIndex(of: outcome)!
    return figures.days.reduce(0) { $0 + $1.records[place] }
  }

  private func writeHeader() {
    html.element("p", ["class": "kind"], text: "Settlement")
    html.element("h1", text: period)
    html.element("p", ["class": "origin"]) {
      html.element("span", sentence: Self.count(figures.runs, "night"))
      html.text(" ")
      html.element("span", sentence: Self.count(figures.payouts, "payout"))
    }
    html.element("dl", ["id": "records"]) {
      for outcome in MonthFigures.outcomes where outcome == .settled || total(outcome) > 0 {
        html.element("div", ["class": "of-\(outcome.word)"]) {
          html.element("dt", text: outcome.word)
          html.element("dd") { html.figure(total(outcome)) }
        }
      }
    }
    html.element("nav", ["aria-label": "On this page"]) {
      for (id, title, isThere) in [
        ("days", "Days", true), ("settled", "Payments and fees", true), ("refunds", "Refunds", !refunded.isEmpty),
        ("owed", "Paid and owed", true), ("adjustments", "Adjustments", !figures.adjustments.isEmpty),
      ] where isThere {
        html.element("a", ["href": "#" + id], text: title)
        html.newLine()
      }
    }
  }

  // MARK: Days

  private func writeDays() {
    let most = figures.days.map(\.count).max() ?? 0
    let lead =
      most == 0
      ? "No record is booked in this period."
      : "Each bar is the number of records of the nights that are booked on the day, by outcome. The longest is "
        + "\(Self.count(most, "record"))."
    section("days", "Day by day", lead) {
      html.element("ul", ["class": "legend", "aria-hidden": "true"]) {
        for outcome in MonthFigures.outcomes where total(outcome) > 0 {
          html.element("li", ["class": "key-\(outcome.word)"], text: outcome.word)
        }
      }
      html.element("ul", ["class": "bars days", "aria-label": "Records by day"]) {
        for day in figures.days { writeDay(day, most: most) }
      }
    }
  }

  private func writeDay(_ day: MonthFigures.Day, most: Int) {
    let parts = zip(MonthFigures.outcomes, day.records).filter { $1 > 0 }
    let label =
      day.day.text + ": " + (parts.isEmpty ? "no records" : parts.map { "\($1) \($0.word)" }.joined(separator: ", "))
    html.element("li") {
      html.element("time", ["class": "name", "datetime": day.day.text], text: "\(day.day.text.dropFirst(5))")
      bar(
        parts.map { outcome, count in
          (
            outcome.word,
            max(Share.leastWidth, Share.steps(ExactDecimal(count), of: ExactDecimal(most), Share.barWidth))
          )
        }, label: label)
      html.element("span", ["class": "share"]) {
        if day.runs == 0 {
          html.text(day.payouts > 0 ? "payout" : "no night")
        } else {
          html.figure(day.count)
          if day.payouts > 0 { html.text(", payout") }
        }
      }
    }
    html.newLine()
  }

  // MARK: Money

  private func writeSettled() {
    let paid = figures.currencies.filter { $0.moved.payments > 0 }
    let lead =
      paid.isEmpty
      ? "No payment is settled."
      : "All settled payments, and all fees, whichever party bears them. Sent + fees on top = to receivers + all fees."
    section("settled", "Settled payments and fees", lead) {
      guard !paid.isEmpty else { return }
      table(
        "totals", caption: "Settled payments by currency",
        [
          currencies { $0.currency }, counts("Payments") { $0.moved.payments },
          amounts("Sent") { $0.moved.senderAmount }, amounts("Fees on top") { $0.moved.senderFees },
          amounts("To receivers") { $0.moved.receiverNet }, amounts("All fees") { $0.moved.fees },
          self.figures("Fees / sent", class: { _ in " share" }) { sums in
            html.text(Share.text(sums.moved.fees, of: sums.moved.senderAmount, decimals: 2))
          },
        ], rows: paid)
    }
  }

  private var refunded: [MonthFigures.Sums] { figures.currencies.filter { $0.moved.refunds > 0 } }

  private func writeRefunds() {
    guard !refunded.isEmpty else { return }
    section("refunds", "Refunds", "To senders = from receivers + fees returned.") {
      table(
        "refunded", caption: "Refunds by currency",
        [
          currencies { $0.currency }, counts("Refunds") { $0.moved.refunds },
          amounts("To senders") { $0.moved.refunded },
          amounts("From receivers") { $0.moved.receiverDebit }, amounts("Fees returned") { $0.moved.feesReturned },
        ], rows: refunded)
    }
  }

  private func writeOwed() {
    let lead =
      "Owed before + earned + returned + adjusted - paid = owed at the end. Earned is what payments and refunds gave "
      + "receivers; paid is what payouts sent, by the day of the payout; returned is what came back of it."
    section("owed", "Paid and owed", figures.currencies.isEmpty ? "Nothing was paid, and nothing is owed." : lead) {
      guard !figures.currencies.isEmpty else { return }
      table(
        "balances", caption: "All balances of receivers by currency",
        [
          currencies { $0.currency }, amounts("Owed before") { $0.opening }, amounts("Earned") { $0.earned },
          amounts("Returned") { $0.returned }, amounts("Adjusted") { $0.adjusted }, amounts("Paid") { $0.paid },
          counts("Payments") { $0.payments }, amounts("Owed at the end") { $0.closing },
        ], rows: figures.currencies)
      table(
        "accounts", caption: "Balances at the end of \(figures.until.text)",
        [
          currencies { $0.currency }, counts("Accounts above zero") { $0.accountsOwed },
          amounts("Owed to them") { $0.owed },
          counts("Accounts below zero") { $0.accountsOwing }, amounts("Owed by them") { $0.owing },
        ], rows: figures.currencies)
    }
  }

  private func writeAdjustments() {
    guard !figures.adjustments.isEmpty else { return }
    section("adjustments", "Adjustments", "What was decided outside of batches, by reason. Below zero was taken.") {
      table(
        "reasons", caption: "Adjustments by currency and reason",
        [
          currencies { $0.currency }, texts("Reason", class: "reason") { $0.reason },
          counts("Adjustments") { $0.count },
          amounts("Amount") { $0.amount },
        ], rows: figures.adjustments)
    }
  }
}
