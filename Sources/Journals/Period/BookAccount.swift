import ExactArithmetic
import Money
import Rules
import Text

/// An account of books that is not a receiver's or sender's.
enum BookAccount: Hashable {
  case senders
  case payouts
  case fees
  /// The fees of a name, without VAT.
  case namedFees([UInt8])
  case vat
  case opening
  /// The other side of adjustments, by their reason.
  case adjustments(String)

  /// The other side of an adjustment.
  ///
  /// - Parameter isPayment: whether a given-up payout made it.
  init(ofReason reason: String, isPayment: Bool) {
    self =
      switch reason {
      case _ where isPayment, "PAID-BY-HAND": .payouts
      case "OPENING": .opening
      default: .adjustments(reason)
      }
  }

  /// What the fees of a night add to accounts in a currency, in the order of transactions.
  ///
  /// - Parameters:
  ///   - named: the fees by name; nil if the night shows no names.
  ///   - fees: the sum of the fees, less returned ones.
  static func income(
    _ named: [(key: NamedFeeTotals.Key, sums: FeeSums)]?, _ currency: Currency, fees: ExactDecimal
  ) -> [(account: BookAccount, amount: ExactDecimal)] {
    guard let named else { return [(account: .fees, amount: -fees)] }
    var income: [(account: BookAccount, amount: ExactDecimal)] = []
    var vat: ExactDecimal?
    for (key, sums) in named where key.currency == currency {
      income.append((account: .namedFees(key.name), amount: sums.feeReturned - sums.fee))
      if sums.vat.isZero, sums.vatReturned.isZero { continue }
      vat = (vat ?? .zero(at: -currency.settlementExponent)) + (sums.vatReturned - sums.vat)
    }
    if let vat { income.append((account: .vat, amount: vat)) }
    return income
  }

  func name(_ format: JournalFormat) -> String {
    let isBeancount = format == .beancount
    return switch self {
    case .senders: isBeancount ? "Assets:Senders" : "assets:senders"
    case .payouts: isBeancount ? "Assets:Payouts" : "assets:payouts"
    case .fees: isBeancount ? "Income:Fees" : "income:fees"
    case .namedFees(let name):
      TextBuffer.string { JournalAccount(format: format).appendFees(named: name.span, to: &$0) }
    case .vat: TextBuffer.string { JournalAccount(format: format).appendVAT(to: &$0) }
    case .opening: isBeancount ? "Equity:Opening" : "equity:opening"
    case .adjustments(let reason):
      isBeancount
        ? "Expenses:Adjustments:" + TextBuffer.string { JournalAccount.appendReason(reason, to: &$0) }
        : "expenses:adjustments:\(reason)"
    }
  }
}
