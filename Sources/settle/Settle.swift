import ArgumentParser
import Version

/// The `settle` command.
@main
struct Settle: ParsableCommand {
  // Each command states its name: deriving the names from the types took the parser a third of each start's
  // instructions.
  static let configuration = CommandConfiguration(
    commandName: "settle",
    abstract: "Settles batches of payments: who gets how much, and who bears which fee.",
    discussion: """
      EXAMPLES:
        settle run night.jsonl.lz4 --ledger ledger --output settled/2026-11-21
        settle find AP-4711 --ledger ledger
        settle payout --ledger ledger --payees payees.csv --date 2026-11-22 -o paid
        settle returns answer.xml --ledger ledger -o answers
        settle import requests.json --format adaptive-json --output night.jsonl.lz4
        settle ledger verify ledger
        settle status --ledger ledger

      EXIT CODES:
        0    no record rejected
        1    some rejected
        2    the batch as a whole cannot be settled
        3    settled or paid out before, into another directory: nothing was written
        64   usage
        66   input unreadable
        73   output exists or cannot be made
        74   reading or writing failed
        75   another run holds the output or ledger
        78   fee schedule or ledger unusable
        128 + n  ended by signal n; 141: no one reads the output
      """,
    version: SettleVersion.text,
    groupedSubcommands: [
      CommandGroup(name: "Settle a batch", subcommands: [Run.self, Validate.self, ShardCommand.self, Merge.self]),
      CommandGroup(
        name: "Look at results",
        subcommands: [
          Report.self, Explain.self, Find.self, Waiting.self, History.self, StatementCommand.self, JournalCommand.self,
        ]),
      CommandGroup(name: "Pay out", subcommands: [PayoutCommand.self, ReturnsCommand.self, Balances.self]),
      CommandGroup(
        name: "Integrate",
        subcommands: [
          Import.self, HereCommand.self, Notify.self, SplitCommand.self, Trailer.self, Schema.self, Currencies.self,
          Fees.self, Generate.self,
        ]),
      CommandGroup(name: "Operate", subcommands: [Status.self, Verify.self, LedgerCommand.self, Prune.self]),
    ])

  static func main() { runAsProcess() }
}
