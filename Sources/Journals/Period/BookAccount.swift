import Text

/// An account of a period's books that is not a receiver's.
enum BookAccount: Hashable {
  case senders
  case payouts
  case fees
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

  func name(_ format: JournalFormat) -> String {
    let isBeancount = format == .beancount
    return switch self {
    case .senders: isBeancount ? "Assets:Senders" : "assets:senders"
    case .payouts: isBeancount ? "Assets:Payouts" : "assets:payouts"
    case .fees: isBeancount ? "Income:Fees" : "income:fees"
    case .opening: isBeancount ? "Equity:Opening" : "equity:opening"
    case .adjustments(let reason):
      isBeancount
        ? "Expenses:Adjustments:" + TextBuffer.string { JournalAccount.appendReason(reason, to: &$0) }
        : "expenses:adjustments:\(reason)"
    }
  }
}
