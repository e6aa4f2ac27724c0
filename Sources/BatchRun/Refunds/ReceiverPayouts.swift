import ExactArithmetic
import Failures
import Ledger
import Money

/// What rows of `receivers.csv` pay, in their order, taken where each row is made.
package struct ReceiverPayouts {
  /// The accounts, one after the other.
  private var accounts: [UInt8] = []
  private var payouts: [(length: Int, currency: Currency, amount: ExactDecimal)] = []

  package init() {}

  /// Takes the payout of the next row.
  ///
  /// - Parameter amount: with exactly the currency's decimals. If it is zero, no balance changes.
  package mutating func append(_ account: Span<UInt8>, _ currency: Currency, _ amount: ExactDecimal) {
    guard !amount.isZero else { return }
    accounts.append(account)
    payouts.append((account.count, currency, amount))
  }

  /// Appends the payouts to what the ledger enters; the caller that enters it must finish it.
  package func enter(in entries: AccountEntries) throws(Failure) {
    var start = 0
    for payout in payouts {
      let account = accounts.span.extracting(start..<start + payout.length)
      try entries.append(account, payout.currency, payout.amount)
      start += payout.length
    }
  }

  package mutating func removeAll() {
    accounts.removeAll(keepingCapacity: true)
    payouts.removeAll(keepingCapacity: true)
  }
}
