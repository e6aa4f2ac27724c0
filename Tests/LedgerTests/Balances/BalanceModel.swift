import ExactArithmetic
import Money

/// Balances in a dictionary: what the ledger must return at any place in book order.
struct BalanceModel {
  struct Key: Hashable, Comparable {
    let account: [UInt8]
    let currency: Currency

    static func < (left: Key, right: Key) -> Bool {
      left.account == right.account
        ? left.currency < right.currency : left.account.lexicographicallyPrecedes(right.account)
    }
  }

  struct Balance: Equatable {
    var amount: ExactDecimal
    var since: Int
  }

  /// All balances that are not zero.
  private(set) var balances: [Key: Balance] = [:]

  mutating func add(_ amount: ExactDecimal, to key: Key, run: Int) {
    let before = balances[key]
    let sum = (before?.amount ?? .zero) + amount
    if sum.isZero {
      balances[key] = nil
    } else if let before, before.amount.isNegative == sum.isNegative {
      balances[key] = Balance(amount: sum, since: before.since)
    } else {
      balances[key] = Balance(amount: sum, since: run)
    }
  }
}
