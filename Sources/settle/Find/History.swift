import ArgumentParser
import Console
import Digests
import Failures
import FileSystem
import JSON
import Ledger
import Postings
import Records
import Text

/// `settle history`: the runs of a ledger.
struct History: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List the runs or payouts that a ledger has.",
    discussion: """
      Shows for each run when it was entered, its settlement day and its booking day, its batch, the outcomes of the records, what was settled in each \
      currency, and the directory of its reports; a directory that is gone is marked. With --format jsonl, prints an \
      object for each run. An active or interrupted run is mentioned on standard error.

      With --run, shows one run with its rules; --rules writes their files: fees.json, and splits.json and taxes.json \
      if it had them. Ends with 1 if the ledger has no such run, or does not have its rules.

      With --payouts, shows the payouts of settle payout: when, what was paid and returned in each currency, what is \
      carried to the next one, and the directory.

      settle find shows one payment, agreement, account or payout's payment over all runs.

      EXAMPLES:
        settle history --ledger settled/ledger --last 7
        settle history --ledger settled/ledger --since 2026-11-01 --until 2026-11-30
        settle history --ledger settled/ledger --payouts --last 7
        settle history --ledger settled/ledger --run 7 --rules rules-7
        settle history --ledger settled/ledger --format jsonl | jq -r .directory
      """)

  /// How the list looks.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case table
    case jsonl
  }

  @Option(.ledger) var ledger: String

  @Option(help: "How the list looks: table or jsonl.")
  var format: Format = .table

  @Option(help: ArgumentHelp("Only the runs with this batch id.", valueName: "id"))
  var batchID: String?

  @OptionGroup var booked: BookedOptions

  @Option(help: ArgumentHelp("Only this many runs or payouts, the last ones.", valueName: "n"))
  var last: Int?

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp("The run with this number, and its rules.", valueName: "n"))
  var number: Int?

  @Option(.directory("Write the files of the run's rules to this directory; it must not exist."))
  var rules: String?

  @Flag(help: "The payouts instead of the runs.")
  var payouts = false

  @OptionGroup var log: LogOptions

  func validate() throws {
    if let last, last < 1 { throw ValidationError("--last takes a number from 1.") }
    if let number, number < 1 { throw ValidationError("--run takes a number from 1.") }
    if rules != nil, number == nil { throw ValidationError("--rules needs --run, whose rules it writes.") }
    guard number == nil || batchID == nil && !booked.areGiven && last == nil && !payouts else {
      throw ValidationError("--run is used alone: leave out --payouts, --batch-id, --since, --until and --last.")
    }
    if payouts, batchID != nil { throw ValidationError("--batch-id is for runs; leave out --payouts.") }
  }

  func execute() throws(Failure) -> Int32 {
    if let number { return try show(run: number) }
    if payouts { return try showPayouts() }
    let history = try LedgerHistory.warned(ledger)
    let days = BookingOrder(history).booked
    let runs = history.runs.filter {
      (batchID == nil || $0.batchID == batchID) && booked.contain(days[$0.id])
    }.suffix(last ?? .max)
    switch format {
    case .table where runs.isEmpty: try Terminal.emit(["The ledger has no such runs."])
    case .table: try Terminal.emit([runs.map { Self.text($0, days[$0.id]!) }.joined(separator: "\n\n")])
    case .jsonl: try Terminal.emit(runs.map { JSONTree.object(Self.fields($0, days[$0.id]!)).description })
    }
    return 0
  }

  private static let payments = Listing<RunTotal>(
    ClosingTable.columns("payments", \.payments, ClosingTable.payments, of: \.moved) { $0.currency })
  private static let refunds = Listing<RunTotal>(
    ClosingTable.columns("refunds", \.refunds, ClosingTable.refunds, of: \.moved) { $0.currency })

  /// A run for people: lines of at most 80 columns, unless names or amounts are longer.
  static func text(_ run: RunEntry, _ booked: CalendarDay) -> String {
    let records = run.records
    let payments = run.totals.filter { $0.moved.payments > 0 }
    let refunds = run.totals.filter { $0.moved.refunds > 0 }
    let lines =
      ["run \(run.number)  \(run.time)\(run.batchID.map { "  batch id \($0)" } ?? "")"]
      + [
        "settlement day \(BookingOrder.settlementDay(of: run).text), booked on \(booked.text)",
        "\(records.read) records: \(records.settled) settled, \(records.rejected) rejected, "
          + "\(records.pending) pending, \(records.held) held",
        "\(records.refunded) refunded, \(Terminal.count(records.preapprovals, "preapproval"))",
        "files: \(run.files.map(\.name).joined(separator: ", "))",
      ]
      + (payments.isEmpty ? [] : Self.payments.table(payments))
      + (refunds.isEmpty ? [] : Self.refunds.table(refunds))
      + ["reports: \(directory(run))\(isGone(run) ? " (gone)" : "")"]
    return lines.joined(separator: "\n  ")
  }

  private static func directory(_ run: RunEntry) -> String { MessageText.escapedName(run.directory) }

  private static func isGone(_ run: RunEntry) -> Bool {
    !run.isAtURI && OutputPlace.isGone(FileName.string(run.directory))
  }

  /// The fields of a run's JSON object.
  static func fields(_ run: RunEntry, _ booked: CalendarDay) -> [(String, JSONTree)] {
    let records = run.records
    return [
      ("run", .number(run.number)), ("time", .string(run.time)),
      ("day", .string(BookingOrder.settlementDay(of: run).text)), ("booked", .string(booked.text)),
      ("engine", .string(run.engine)),
      ("batchId", run.batchID.map(JSONTree.string) ?? .null),
      (
        "files",
        .array(
          run.files.map { ["name": .string($0.name), "bytes": .number($0.bytes), "sha256": .string($0.sha256)] })
      ),
      (
        "records",
        [
          "read": .number(records.read), "settled": .number(records.settled), "rejected": .number(records.rejected),
          "pending": .number(records.pending), "held": .number(records.held),
          "refunded": .number(records.refunded), "preapprovals": .number(records.preapprovals),
        ]
      ), ("controlTotals", .string(run.controlTotals)),
      (
        "totals",
        .array(run.totals.map(tree))
      ), ("sumsSha256", .string(SHA256.digest(of: Array(run.sums.utf8)).hexadecimal)),
      ("directory", .string(directory(run))), ("directoryGone", .boolean(isGone(run))),
    ]
  }

  private static func tree(_ total: RunTotal) -> JSONTree {
    .object(
      [("currency", .string(total.currency))]
        + TrialBalance.parts.flatMap { part in
          [(part.count.name, .number(total.moved[keyPath: part.count.path]))]
            + part.sums.map { ($0.name, .string(total.moved[keyPath: $0.path].description)) }
        })
  }
}
