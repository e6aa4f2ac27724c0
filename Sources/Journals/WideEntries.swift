import ExactArithmetic
import Money
import Synchronization

/// What accounts get in the higher parts of wide amounts. A worker leaves here what a payment adds to them; it counts once
/// the payment turns out to be settled.
final class WideEntries: Sendable {
  /// What a payment adds to an account, which is called as in a journal.
  struct Share {
    let account: String
    let amount: WideAmount
  }

  private struct State {
    var last: UInt32 = 0
    var waiting: [UInt32: (currency: Currency, shares: [Share])] = [:]
    /// By account and currency; the lowest part is not counted.
    var sums: [String: WideAmount] = [:]
    var highestParts: [Currency: Int] = [:]
  }
  private let state = Mutex(State())

  /// Keeps what a payment would add; gives the number to `settle` it by, which is never 0.
  func keep(_ shares: [Share], _ currency: Currency) -> UInt32 {
    state.withLock { state in
      state.last += 1
      state.waiting[state.last] = (currency, shares)
      return state.last
    }
  }

  /// Counts what a payment adds.
  func settle(_ number: UInt32) {
    state.withLock { state in
      guard let (currency, shares) = state.waiting.removeValue(forKey: number) else {
        preconditionFailure("a payment is settled once")
      }
      for share in shares {
        for part in share.amount.parts.indices.dropFirst() {
          state.sums["\(share.account) \(currency.code)", default: WideAmount()].add(share.amount.parts[part], at: part)
          state.highestParts[currency] = max(state.highestParts[currency] ?? 0, part)
        }
      }
    }
  }

  /// The highest part that amounts of a currency have.
  func highestPart(_ currency: Currency) -> Int { state.withLock { $0.highestParts[currency] ?? 0 } }

  /// The balance of an account in a currency, part by part.
  func balance(_ account: String, _ currency: Currency, of balance: ExactDecimal) -> [ExactDecimal] {
    guard var sum = state.withLock({ $0.sums["\(account) \(currency.code)"] }) else { return [balance] }
    sum.add(sum.lowest(of: balance), at: 0)
    return sum.parts
  }
}
