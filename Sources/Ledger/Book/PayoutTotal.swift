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
  /// What terms delay of the balances that stay; nil in a payout without terms.
  public var delayed: ExactDecimal?
  /// What they reserve, likewise.
  public var reserved: ExactDecimal?
  /// What is kept of them as the minimum balance, likewise.
  public var kept: ExactDecimal?
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
  /// What only payouts with terms have.
  public static let held: [Figure<PayoutTotal, ExactDecimal?>] = [
    Figure("delayed", \.delayed), Figure("reserved", \.reserved), Figure("kept", \.kept),
  ]
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

  /// The sum of the entries of a kind; zero for one that changes no balance.
  func sum(_ kind: ListKind) -> ExactDecimal {
    switch kind {
    case .run: settled
    case .returns: returned
    case .adjustments: adjusted ?? .zero
    case .payments: paid
    case .closings, .refusals, .delayed, .reserved: .zero
    }
  }

  /// Adds an entry of a kind that changes balances.
  public mutating func add(_ amount: ExactDecimal, _ kind: ListKind) {
    switch kind {
    case .run: settled.add(amount)
    case .returns: returned.add(amount)
    case .adjustments: adjusted = (adjusted ?? .zero(at: -currency.settlementExponent)) + amount
    case .payments: paid.add(amount)
    case .closings, .refusals, .delayed, .reserved: preconditionFailure("the list changes no balance")
    }
  }

  /// What the other figures lead to: the balances that must be left.
  public var expectedClosing: ExactDecimal {
    ListKind.allCases.reduce(opening) { $1.effect == .takes ? $0 - sum($1) : $0 + sum($1) }
  }

  /// Whether the figures lead from the opening to the closing balance.
  var isBalanced: Bool { expectedClosing == closing && closing == carried - owing }
}
