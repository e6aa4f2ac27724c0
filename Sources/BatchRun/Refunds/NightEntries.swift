import Claims
import Failures
import Ledger
import Rules

/// What a ledger keeps of a run besides its figures.
package final class NightEntries {
  private let keys: ClaimedKeys
  /// The number of pay keys that it settled.
  package let keyCount: Int
  /// The refund data of the payments that it settled.
  private let details: SettledPaymentSorter
  /// The refunds that it made, in batch order.
  private let refunds: [RefundEntry]
  /// What it changed in agreements.
  private let agreements: [AgreementEntry]
  private let threads: Int

  /// The texts of its rules, by name.
  package let rules: [(name: String, text: [UInt8])]

  /// - Parameter keys: the pay keys that it met; only the settled ones are kept.
  package init(
    _ keys: consuming ClaimedKeys, threads: Int, details: SettledPaymentSorter, refunds: [RefundEntry],
    agreements: [AgreementEntry], rules: SettlementRules
  ) {
    keys.sortSettled(threads: threads)
    var keyCount = 0
    for shard in 0..<Fingerprint.shardCount { keyCount += keys.settled(shard: shard).count }
    self.keyCount = keyCount
    self.keys = keys
    self.rules = rules.texts
    self.threads = threads
    (self.details, self.refunds, self.agreements) = (details, refunds, agreements)
  }

  /// Enters the run with all of this, and returns its number.
  package func enter(_ entry: RunEntry, balances: AccountEntries, in ledger: Ledger) throws(Failure) -> Int {
    try ledger.enter(
      entry, keys: keys, details: details, refunds: refunds, agreements: agreements,
      ruleTexts: rules.map(\.text), balances: balances, threads: threads)
  }
}
