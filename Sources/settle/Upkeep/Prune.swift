import ArgumentParser
import Console
import Failures
import FileSystem
import LedgerRuns
import Records

/// `settle prune`: drops what refunds need from old payments.
struct Prune: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Drop what refunds need from old payments in a ledger.",
    discussion: """
      The ledger forgets the parties and amounts of payments that runs of an earlier day settled, by the UTC date of \
      their batch's header. These payments can no longer be refunded (REFUND_WINDOW_PASSED). Their pay keys stay, so \
      that none is settled twice, as do refunds, agreements and the runs of batches whose header has no date. The file \
      keeps its size; the next runs use the free space.

      EXAMPLES:
        settle prune --ledger settled/ledger --before 2026-05-25
      """)

  @Option(.ledger) var ledger: String

  @Option(.day("The first day whose payments stay, in UTC."))
  var before: CalendarDay

  @OptionGroup var log: LogOptions

  func execute() throws(Failure) -> Int32 {
    let (runs, payments) = try LedgerUpkeep.prune(ledger, before: before.number)
    try Terminal.print(
      "\(OutputPlace.shown(ledger)): dropped what refunds need of \(Terminal.count(payments, "payment")) of "
        + "\(Terminal.count(runs, "run"))")
    return 0
  }
}
