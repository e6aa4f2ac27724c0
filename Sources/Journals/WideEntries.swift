import ExactArithmetic
import Money
import Synchronization

/// The sums of the higher parts of wide amounts, by account. A worker keeps a payment's shares here; they count once
/// the payment has been settled.
final class WideEntries: Sendable {
  /// What a payment adds to an account, under the account's name in the journal.
  struct Share {
    let account: String
    let amount: WideAmount
  }

  private struct State {
    var last: UInt32 = 0
    var waiting: [UInt32: (currency: Currency, shares: [Share])] = [:]
    /// The sums by account and currency; the lowest part is not counted.
    var sums: [String: WideAmount] = [:]
    var highestParts: [Currency: Int] = [:]
  }
  private let state = Mutex(State())

  /// Keeps what a payment would add. Returns the number to `settle` it with, which is never 0.
  func keep(_ shares: [Share], _ currency: Currency) -> UInt32 {
    state.withLock { state in
      state.last += 1
      state.waiting[state.last] = (currency, shares)
      return state.last
    }
  }

  /// Adds the shares of a payment to the sums.
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
