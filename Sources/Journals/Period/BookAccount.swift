import Text

/// An account of a period's books that is not a receiver's.
enum BookAccount: Hashable {
  case senders
  case fees
  case paid
  case opening
  /// The other side of adjustments, by their reason.
  case adjustments(String)

  func name(_ format: JournalFormat) -> String {
    let isBeancount = format == .beancount
    return switch self {
    case .senders: isBeancount ? "Assets:Senders" : "senders"
    case .fees: isBeancount ? "Income:Fees" : "income:fees"
    case .paid: isBeancount ? "Assets:Paid" : "paid"
    case .opening: isBeancount ? "Equity:Opening" : "equity:opening"
    case .adjustments(let reason):
      isBeancount
        ? "Expenses:Adjustments:R" + TextBuffer.string { JournalAccount.appendEscaped(Array(reason.utf8), to: &$0) }
        : "adjustments:\(reason)"
    }
  }
}
