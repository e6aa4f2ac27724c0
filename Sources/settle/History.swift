import ArgumentParser
import BatchRun
import Input
import JSON
import Ledger
import Reports
import Rules
import Text

/// `settle history`: the runs of a ledger.
struct History: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List the runs that a ledger has.",
    discussion: """
      A row for each run and currency, or with --format jsonl an object for each run: when it was entered, its batch, \
      what became of the records, what was settled in each currency, and the directory of its reports. A run that is \
      at work, or was interrupted, is told on standard error.

      EXAMPLES:
        settle history --ledger settled/ledger
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

  @OptionGroup var log: LogOptions

  func execute() throws(RunFailure) -> Int32 {
    let history = try RunHistory(ledger: ledger)
    switch format {
    case .table: try Terminal.emit(Self.table(history.runs))
    case .jsonl: try Terminal.emit(history.runs.map(Self.json))
    }
    if let unfinished = history.unfinished { Log.warning(unfinished) }
    return 0
  }

  private static let heading = [
    "run", "time", "batch id", "records", "settled", "rejected", "pending", "held", "currency", "payments", "sent",
    "fees on top", "all fees", "to receivers", "files", "directory",
  ]

  /// The runs as lines of a table: the first currency beside the run, the others below it.
  static func table(_ runs: [NumberedRun]) -> [String] {
    guard !runs.isEmpty else { return ["The ledger has no runs."] }
    let rows = runs.flatMap { run -> [[String]] in
      let (entry, records) = (run.entry, run.entry.records)
      let start =
        ["\(run.number)", entry.time, entry.batchID ?? "-"]
        + [records.read, records.settled, records.rejected, records.pending, records.held].map { "\($0)" }
      let end = [entry.files.map(\.name).joined(separator: ", "), directory(run)]
      let totals = entry.totals.map { total in
        [total.currency, "\(total.payments)"]
          + [total.senderAmount, total.senderFees, total.fees, total.receiverNet].map(ClosingTable.grouped)
      }
      let others = totals.dropFirst().map { blanks(start.count) + $0 + blanks(end.count) }
      return [start + (totals.first ?? ["-"] + blanks(5)) + end] + others
    }
    return ClosingTable.table(heading, rows, texts: 3, lastTexts: 2)
  }

  private static func blanks(_ count: Int) -> [String] { Array(repeating: "", count: count) }

  private static func directory(_ run: NumberedRun) -> String { MessageText.escapedName(run.entry.directory) }

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
      "directory": .string(directory(run)),
    ]
    return object.description
  }
}
