import ArgumentParser
import BatchRun
import Console

/// `settle shard accounts`: adds up rows of accounts.
struct ShardAccountsCommand: SettleCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts",
    abstract: "Add up rows of accounts on standard input, those of one account and currency side by side.",
    discussion: """
      The rows are those of accounts.csv of a shard's steps, sorted by account and currency; the sums are rows of \
      receivers.csv, exact.

      EXAMPLES:
        LC_ALL=C sort -t, -k1,1 -k2,2 night/run-*/accounts.csv night/done-*/accounts.csv | settle shard accounts
      """)

  func execute() throws(RunFailure) -> Int32 {
    try ShardWork.addAccounts(to: Terminal.emit(_:count:))
    return 0
  }
}

/// `settle shard keys`: finds claimed keys in a ledger.
struct ShardKeysCommand: SettleCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Print those rows of claims on standard input whose key the plan's ledger has, each with the run.",
    discussion: """
      The rows are those of claims.csv of a shard's run. What is printed is the key and the run that used it up.

      EXAMPLES:
        cat night/run-*/claims.csv | settle shard keys --work night
      """)

  @OptionGroup var work: WorkOption

  func execute() throws(RunFailure) -> Int32 {
    try ShardWork(work.path).findKeys(to: Terminal.emit(_:count:))
    return 0
  }
}
