import ArgumentParser
import Console
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
        settle run night.jsonl.lz4 --output settled/2026-11-21
        settle history --ledger settled/ledger
        settle find AP-4711 --ledger settled/ledger
        settle validate export.jsonl
        settle explain export.jsonl --pay-key AP-4711

      EXIT CODES:
        0 no record rejected   1 some rejected        2 the batch as a whole cannot be settled
        3 settled or paid out before, into another directory: nothing was written
        64 usage               66 input unreadable    73 output exists or cannot be made
        74 reading or writing failed                  75 another run holds the output or ledger
        78 fee schedule or ledger unusable            128 + n ended by signal n, 141 no one reads
      """,
    version: SettleVersion.text,
    subcommands: [
      Run.self, PayoutCommand.self, Statement.self, JournalCommand.self, History.self, Find.self, LedgerCommand.self,
      Prune.self,
      Verify.self, ShardCommand.self, Merge.self, Report.self, Notify.self,
      Validate.self, Explain.self, Generate.self, Import.self, HereCommand.self, Split.self, Currencies.self, Fees.self,
      Schema.self,
    ])

  static func main() { runAsProcess() }
}
