import ArgumentParser
import BatchRun
import FileSystem
import Input
import JSON
import Ledger
import Records
import Reports
import Text

/// `settle history`: the runs of a ledger.
struct History: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List the runs that a ledger has.",
    discussion: """
      For each run when it was entered, its batch, what became of the records, what was settled in each currency, and \
      the directory of its reports; one that is gone is marked. With --format jsonl an object for each run. A run that is \
      at work, or was interrupted, is told on standard error.

      With --pay-key the run that settled a payment alone; ends with 1 where no run did.

      EXAMPLES:
        settle history --ledger settled/ledger --last 7
        settle history --ledger settled/ledger --pay-key AP-4711
        settle history --ledger settled/ledger --format jsonl | jq -r .directory
      """)

  /// How the list looks.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case table
    case jsonl
  }

  @Option(
    help: ArgumentHelp("The ledger, as settle run --ledger made it.", valueName: "file"), completion: .file(),
    transform: named)
  var ledger: String

  @Option(help: "How the list looks: table or jsonl.")
  var format: Format = .table

  @Option(help: ArgumentHelp("Only the runs of this batch id.", valueName: "id"))
  var batchID: String?

  @Option(help: ArgumentHelp("Only runs that were entered on this day or later, in UTC.", valueName: "YYYY-MM-DD"))
  var since: String?

  @Option(help: ArgumentHelp("Only the last runs, so many of them.", valueName: "n"))
  var last: Int?

  @Option(help: ArgumentHelp("Only the run that settled the payment of this key.", valueName: "key"))
  var payKey: String?

  @OptionGroup var log: LogOptions

  func validate() throws {
    if let payKey { try Explain.expectPayKey(payKey) }
    if let since, UTCTime(day: since) == nil { throw ValidationError("--since takes a day, YYYY-MM-DD.") }
    if let last, last < 1 { throw ValidationError("--last takes a number from 1.") }
    guard payKey == nil || batchID == nil && since == nil && last == nil else {
      throw ValidationError("--pay-key names one run; leave out --batch-id, --since and --last.")
    }
  }

  func execute() throws(RunFailure) -> Int32 {
    let history =
      if let payKey {
        try RunHistory(ledger: ledger, settling: Array(payKey.utf8))
      } else {
        try RunHistory(ledger: ledger)
      }
    if let unfinished = history.unfinished { Log.warning(unfinished) }
    let runs = history.runs.filter {
      (batchID == nil || $0.entry.batchID == batchID) && (since.map { [time = $0.entry.time] in $0 <= time } ?? true)
    }.suffix(last ?? .max)
    if payKey != nil, runs.isEmpty {
      Log.error("no run of the ledger settled a payment with that key")
      return 1
    }
    switch format {
    case .table where runs.isEmpty: try Terminal.emit(["The ledger has no such runs."])
    case .table: try Terminal.emit([runs.map(Self.text).joined(separator: "\n\n")])
    case .jsonl: try Terminal.emit(runs.map { run in payKey.map { Self.json($0, run) } ?? Self.json(run) })
    }
    return 0
  }
  /// A run for people: lines of at most 80 columns, where its names and amounts are not longer.
  static func text(_ run: NumberedRun) -> String {
    let (entry, records) = (run.entry, run.entry.records)
    let rows = entry.totals.map { total in
      [total.currency, "\(total.payments)"]
        + [total.senderAmount, total.senderFees, total.fees, total.receiverNet].map(ClosingTable.grouped)
    }
    let heading = ["currency", "payments", "sent", "fees on top", "all fees", "to receivers"]
    let lines =
      ["run \(run.number)  \(entry.time)\(entry.batchID.map { "  batch id \($0)" } ?? "")"]
      + [
        "\(records.read) records: \(records.settled) settled, \(records.rejected) rejected, "
          + "\(records.pending) pending, \(records.held) held",
        "files: \(entry.files.map(\.name).joined(separator: ", "))",
      ]
      + (rows.isEmpty ? [] : ClosingTable.table(heading, rows))
      + ["reports: \(directory(run))\(isGone(run) ? " (gone)" : "")"]
    return lines.joined(separator: "\n  ")
  }

  private static func directory(_ run: NumberedRun) -> String { MessageText.escapedName(run.entry.directory) }

  private static func isGone(_ run: NumberedRun) -> Bool {
    OutputPlace.isGone(FileName.string(run.entry.directory))
  }

  /// What is known of one payment over all nights, as one JSON object; the ledger knows its run alone.
  static func json(_ payKey: String, _ run: NumberedRun) -> String {
    let unknown = [
      "kind", "currency", "sender", "preapprovalKey", "senderAmount", "refunded", "remaining", "receivers", "refunds",
    ]
    let known: [(String, JSONTree)] = [("payKey", .string(payKey)), ("run", .number(run.number))]
    return JSONTree.object(known + unknown.map { ($0, .null) }).description
  }

  /// A run as one JSON object.
  static func json(_ run: NumberedRun) -> String {
    let (entry, records) = (run.entry, run.entry.records)
    let object: JSONTree = [
      "run": .number(run.number), "time": .string(entry.time), "engine": .string(entry.engine),
      "batchId": entry.batchID.map(JSONTree.string) ?? .null,
      "files": .array(
        entry.files.map { ["name": .string($0.name), "bytes": .number($0.bytes), "sha256": .string($0.sha256)] }),
      "records": [
        "read": .number(records.read), "settled": .number(records.settled), "rejected": .number(records.rejected),
        "pending": .number(records.pending), "held": .number(records.held),
      ],
      "controlTotals": .string(entry.controlTotals),
      "totals": .array(
        entry.totals.map { total in
          [
            "currency": .string(total.currency), "payments": .number(total.payments),
            "senderAmount": .string(total.senderAmount), "senderFees": .string(total.senderFees),
            "receiverNet": .string(total.receiverNet), "fees": .string(total.fees),
          ]
        }),
      "directory": .string(directory(run)), "directoryGone": .boolean(isGone(run)),
    ]
    return object.description
  }
}
