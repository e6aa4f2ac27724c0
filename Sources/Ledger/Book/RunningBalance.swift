import ExactArithmetic
import Money

/// A balance to which changes are added one after the other.
struct RunningBalance {
  private(set) var amount: ExactDecimal
  /// The run in which it last left zero or changed its sign; 0 if it is zero.
  private(set) var since = 0

  /// Zero.
  init(_ currency: Currency) { amount = .zero(at: -currency.settlementExponent) }

  /// - Parameter run: the run as of which the change counts.
  mutating func add(_ change: ExactDecimal, run: Int) {
    let before = amount
    amount.add(change)
    if amount.isZero {
      since = 0
    } else if before.isZero || before.isNegative != amount.isNegative {
      since = run
    }
  }
}
