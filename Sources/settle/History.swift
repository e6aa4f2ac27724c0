import ArgumentParser
import BatchFile
import BatchRun
import Ledger
import Reports
import Settlement

/// `settle history`: the runs of a ledger.
struct History: ParsableCommand {
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

  @Option(help: ArgumentHelp("The ledger, as settle run --ledger made it.", valueName: "file"))
  var ledger: String

  @Option(help: "How the list looks: table or jsonl.")
  var format: Format = .table

  @OptionGroup var log: LogOptions

  func validate() throws {
    if ledger.isEmpty { throw ValidationError("--ledger needs the name of a file.") }
  }

  func run() throws {
    log.start()
    try finish { () throws(RunFailure) in
      let history = try RunHistory(ledger: ledger)
      switch format {
      case .table: try Terminal.emit(Self.table(history.runs))
      case .jsonl: try Terminal.emit(history.runs.map(Self.json))
      }
      if let unfinished = history.unfinished { Log.warning(unfinished) }
      return 0
    }
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
    var text = TextBuffer()
    let (entry, records) = (run.entry, run.entry.records)
    func append(_ key: StaticString, _ value: String?) {
      text.append(key)
      if let value { JSONText.append(value, to: &text) } else { text.append("null") }
    }
    text.append("{\"run\":\(run.number)")
    append(",\"time\":", entry.time)
    append(",\"engine\":", entry.engine)
    append(",\"batchId\":", entry.batchID)
    text.append(",\"files\":[")
    for (place, file) in entry.files.enumerated() {
      append(place == 0 ? "{\"name\":" : ",{\"name\":", file.name)
      text.append(",\"bytes\":\(file.bytes)")
      append(",\"sha256\":", file.sha256)
      text.append("}")
    }
    text.append("],\"records\":{\"read\":\(records.read),\"settled\":\(records.settled),")
    text.append("\"rejected\":\(records.rejected),\"pending\":\(records.pending),\"held\":\(records.held)}")
    append(",\"controlTotals\":", entry.controlTotals)
    text.append(",\"totals\":[")
    for (place, total) in entry.totals.enumerated() {
      append(place == 0 ? "{\"currency\":" : ",{\"currency\":", total.currency)
      text.append(",\"payments\":\(total.payments)")
      append(",\"senderAmount\":", total.senderAmount)
      append(",\"senderFees\":", total.senderFees)
      append(",\"receiverNet\":", total.receiverNet)
      append(",\"fees\":", total.fees)
      text.append("}")
    }
    append("],\"directory\":", directory(run))
    text.append("}")
    return text.string
  }
}
