import Console
import ExactArithmetic
import FileSystem
import Postings
import Rules
import Settlement

/// What `settle run` and `settle merge` print at the end: the outcome of the records, and each currency's money.
enum ClosingTable {
  /// A sum as tables for people call it.
  typealias Sum = Figure<TrialBalance, ExactDecimal>

  /// The sums of payments, in the order of the tables.
  static let payments = [
    Sum("sent", \.senderAmount), Sum("fees on top", \.senderFees), Sum("all fees", \.fees),
    Sum("to receivers", \.receiverNet),
  ]
  /// The sums of refunds, likewise.
  static let refunds = [
    Sum("to senders", \.refunded), Sum("from receivers", \.receiverDebit), Sum("fees returned", \.feesReturned),
  ]

  /// Prints it, and the number of the run in the ledger, if there is one.
  static func print(_ result: BatchResult, output: String, run: Int? = nil) throws(SettlementFailure) {
    if let mismatch = result.run.controlMismatch { Log.warning(mismatch) }
    warnOfCards(result)
    try Terminal.print(text(result, output: output) + (run.map { "\nEntered in the ledger as run \($0)." } ?? ""))
  }

  /// Warns once of a batch that has what a card's holder would not want kept (`cards.md`, "Secrecy").
  static func warnOfCards(_ result: BatchResult) {
    let count = result.run.totals.recordsWithCardSecrets
    guard count > 0 else { return }
    Log.warning(
      "\(Terminal.count(count, "payment")) in the batch with a whole card number or a cvv2: PCI DSS forbids to keep the "
        + "code after authorization, and the settlement needs neither. Export the card's entry alone, and its last four "
        + "digits in customId or memo if you need them")
  }

  static func text(_ result: BatchResult, output: String) -> String {
    let totals = result.run.totals
    var lines = [
      "\(Terminal.count(totals.recordsRead, "record")): \(totals[.settled]) settled, \(totals[.rejected]) rejected, "
        + "\(totals[.pending]) pending, \(totals[.held]) held\(others(totals)). " + controlTotals(result)
    ]
    let columns = Listing<CurrencyResult>(
      columns("settled", \.payments, payments, of: \.moved) { $0.currency.code }
        + [ListColumn(title: "waiting") { $0.waiting }, ListColumn(title: "rejected") { $0.rejected }])
    lines += section(
      columns, result.currencies.filter { $0.records > 0 },
      "Every currency balances: sent + fees on top = to receivers + all fees.")
    lines += refundLines(result)
    if totals.recordsWithoutControlAmount > 0 {
      let without = totals.recordsWithoutControlAmount
      lines.append(
        "\(without) of the rejected records "
          + (without == 1
            ? "has no known amount: it is in no column above."
            : "have no known amount: they are in no column above."))
    }
    if totals[.rejected] > 0 {
      let reasons = result.errors.sorted { $0.count > $1.count }.prefix(3)
      lines.append("Rejected most often for: \(listed(reasons)). See exceptions.csv.")
    }
    if !result.notices.isEmpty {
      lines.append("Noticed, and not rejected: \(listed(result.notices[...])). settle validate --notices lists them.")
    }
    lines.append("Reports: \(OutputPlace.shown(output))")
    if let day = result.day {
      let isElsewhere = result.bookingDay != nil && result.bookingDay != day
      lines.append("Settlement day: \(day)" + (isElsewhere ? ", booked on \(result.bookingDay!)" : ""))
    }
    return lines.joined(separator: "\n")
  }

  /// The number of refunds made and of agreement records accepted, if there are any.
  static func others(_ totals: ControlTotals) -> String {
    guard totals.otherRecords > 0 else { return "" }
    return ", \(totals[.refunded]) refunded, \(Terminal.count(totals[.agreed], "preapproval")) accepted"
  }

  private static func refundLines(_ result: BatchResult) -> [String] {
    section(
      Listing(columns("refunds", \.refunds, refunds, of: \.moved) { $0.currency.code }),
      result.currencies.filter { $0.refunds > 0 }, "Refunds balance: to senders = from receivers + fees returned.")
  }

  /// The columns of a currency: its code, the number of records, and sums.
  static func columns<Row>(
    _ records: String, _ count: KeyPath<TrialBalance, Int> & Sendable, _ sums: [Sum],
    of moved: KeyPath<Row, TrialBalance> & Sendable, currency: @escaping @Sendable (Row) -> String
  ) -> [ListColumn<Row>] {
    [
      ListColumn(title: "currency", currency),
      ListColumn(title: records) { $0[keyPath: moved][keyPath: count] },
    ]
      + sums.map { sum in ListColumn(title: sum.name) { $0[keyPath: moved][keyPath: sum.path] } }
  }

  /// A table and the sentence that it proves, each after an empty line; nothing if there are no rows.
  private static func section<Row>(_ columns: Listing<Row>, _ rows: [Row], _ balance: String) -> [String] {
    rows.isEmpty ? [] : [""] + columns.table(rows) + ["", balance]
  }

  private static func listed(_ counts: ArraySlice<(code: String, count: Int)>) -> String {
    counts.map { "\($0.code) \($0.count)" }.joined(separator: ", ")
  }

  private static func controlTotals(_ result: BatchResult) -> String {
    switch result.controlTotals {
    case .verified: "Control totals verified."
    case .mismatch: "CONTROL TOTALS DISAGREE."
    case .absent: "No control totals (no trailer)."
    }
  }
}
