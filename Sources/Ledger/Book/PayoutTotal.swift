import ExactArithmetic
import Money
import Postings

/// A currency's figures of a payout; amounts have the currency's decimals.
public struct PayoutTotal: Sendable, Equatable {
  public let currency: Currency
  /// The sum of all balances after the previous payout.
  public var opening: ExactDecimal
  /// What the runs since then changed.
  public var settled: ExactDecimal
  /// What came back.
  public var returned: ExactDecimal
  /// What adjustments changed since the previous payout; nil in a payout of an earlier version.
  public var adjusted: ExactDecimal?
  /// What is paid.
  public var paid: ExactDecimal
  /// The sum of all balances after the payout: `carried` less `owing`.
  public var closing: ExactDecimal
  /// The sum of the balances that stay above zero.
  public var carried: ExactDecimal
  /// The sum of the balances below zero, without the sign.
  public var owing: ExactDecimal
  /// The number of payments.
  public var instructions = 0
  /// The number of balances above zero.
  public var accountsCarried = 0
  /// The number of balances below zero.
  public var accountsOwing = 0

  /// The amounts that come before `adjusted`.
  public static let amountsBefore: [Figure<PayoutTotal, ExactDecimal>] = [
    Figure("opening", \.opening), Figure("settled", \.settled), Figure("returned", \.returned),
  ]
  /// The amounts that come after `adjusted`.
  public static let amountsAfter: [Figure<PayoutTotal, ExactDecimal>] = [
    Figure("paid", \.paid), Figure("closing", \.closing), Figure("carried", \.carried), Figure("owing", \.owing),
  ]
  /// All amounts but `adjusted`, which payouts of earlier versions do not have.
  public static let amounts = amountsBefore + amountsAfter
  /// What payouts of earlier versions do not have.
  public static let adjustment = Figure<PayoutTotal, ExactDecimal?>("adjusted", \.adjusted)
  /// The numbers.
  public static let counts: [Figure<PayoutTotal, Int>] = [
    Figure("instructions", \.instructions), Figure("accountsCarried", \.accountsCarried),
    Figure("accountsOwing", \.accountsOwing),
  ]

  /// Zeros.
  public init(_ currency: Currency) {
    let zero = ExactDecimal.zero(at: -currency.settlementExponent)
    self.currency = currency
    (opening, settled, returned, paid, closing, carried, owing) = (zero, zero, zero, zero, zero, zero, zero)
  }

  /// What the other figures lead to: the balances that must be left.
  public var expectedClosing: ExactDecimal { opening + settled + returned + (adjusted ?? .zero) - paid }

  /// Whether the figures lead from the opening to the closing balance.
  var isBalanced: Bool { expectedClosing == closing && closing == carried - owing }
}
