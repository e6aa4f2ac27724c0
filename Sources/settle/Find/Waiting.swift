import Accounts
import ArgumentParser
import Console
import Failures
import FileSystem
import Ledger
import Records
import Settlement
import Text

/// `settle waiting`: what nights left, and no night has settled since.
struct Waiting: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "waiting",
    abstract: "List the records that nights left pending, held or rejected, and that still wait.",
    discussion: """
      A record has its refund key, else its pay key, else its preapproval key. It is left out if a run has settled the \
      pay key, made the refund, or accepted a later record of the agreement. Of a key that came again, the rows of its \
      last night are shown. Rows without a valid key cannot be matched with later nights, and are shown only with \
      --since. With --until a record still waits if only a run that is booked later has settled it, so the list of a \
      past day does not change.

      EXAMPLES:
        settle waiting --ledger settled/ledger
        settle waiting --ledger settled/ledger --since 2026-10-01 --until 2026-10-31 --format csv >waiting.csv
      """)

  @Option(.ledger) var ledger: String

  @Option(.dayOfLedger("Only runs with this booking day or a later one."))
  var since: CalendarDay?

  @Option(.dayOfLedger("Only runs with this booking day or an earlier one."))
  var until: CalendarDay?

  @Option(help: "How the list looks: table, csv or jsonl.")
  var format: ListFormat = .table

  @OptionGroup var log: LogOptions

  func validate() throws { try CalendarDay.expectPeriod(since, until) }

  func execute() throws(Failure) -> Int32 {
    let ledger = try LedgerReading.warned(ledger)
    let waiting = try WaitingRecords(
      ledger, since: since, until: until, threads: SettlementOptions.defaultThreads)
    for run in waiting.unread {
      let directory = OutputPlace.shown(FileName.string(run.directory))
      Log.warning("run \(run.number): \(directory) is \(run.isAtURI ? "at a URI" : "gone"), and left out")
    }
    switch format {
    case .csv:
      try Terminal.emit(Array(WaitingRow.columns.header.utf8))
      try show(waiting) { WaitingRow.columns.appendCSV($0, to: &$1) }
    case .jsonl: try show(waiting) { WaitingRow.columns.appendJSON($0, to: &$1) }
    case .table: try WaitingTable.show(waiting)
    }
    try ledger.expectUnchanged()
    if since == nil, waiting.withoutKey.records > 0 {
      Log.notice(
        "\(Terminal.count(waiting.withoutKey.records, "record")) without a valid key "
          + "(\(Terminal.count(waiting.withoutKey.rows, "row"))) cannot be matched with later nights; "
          + "--since YYYY-MM-DD shows such records from a day on")
    }
    return 0
  }

  private func show(
    _ waiting: WaitingRecords, _ append: @escaping @Sendable (WaitingRow, inout TextBuffer) -> Void
  ) throws(Failure) {
    try waiting.forEach([UInt8]()) { text, night, record in
      var rows = TextBuffer()
      record.forEachRow { append(WaitingRow(night: night, row: $0), &rows) }
      text.append(rows.span)
    } take: { text throws(Failure) in
      try Terminal.emit(text)
    }
  }
}
