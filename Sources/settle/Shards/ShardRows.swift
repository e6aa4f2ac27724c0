import ArgumentParser
import Console
import Failures
import Shards

/// `settle shard accounts`: adds up rows of accounts.
struct ShardAccountsCommand: SettleCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts",
    abstract: "Add up rows of accounts from standard input, grouped by account and currency.",
    discussion: """
      The rows come from accounts.csv of a shard's steps, sorted by account and currency; the exact sums are rows of \
      receivers.csv.

      EXAMPLES:
        LC_ALL=C sort -t, -k1,1 -k2,2 night/run-*/accounts.csv night/done-*/accounts.csv | settle shard accounts
      """)

  func execute() throws(Failure) -> Int32 {
    try ShardWork.addAccounts(to: Terminal.write(_:))
    return 0
  }
}

/// `settle shard keys`: finds claimed keys in a ledger.
struct ShardKeysCommand: SettleCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Print the keys of claims on standard input that the plan's ledger has, each with its run.",
    discussion: """
      The rows come from claims.csv of a shard's run. Each output line has the key and the run that used it up.

      EXAMPLES:
        cat night/run-*/claims.csv | settle shard keys --work night
      """)

  @Option(.work) var work: String

  func execute() throws(Failure) -> Int32 {
    try ShardWork(work).findKeys(to: Terminal.write(_:))
    return 0
  }
}
