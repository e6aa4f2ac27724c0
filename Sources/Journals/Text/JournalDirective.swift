import ExactArithmetic
import Money
import Postings
import Text

/// The lines of a journal that are no transactions: commodities, accounts, and the assertions of balances.
struct JournalDirective {
  let format: JournalFormat
  /// The first and the last day of the journal; nil without transactions.
  let days: ClosedRange<JournalDay>?

  /// Appends what comes before commodities, and those of some currencies.
  ///
  /// - Parameter currencies: with the parts of their amounts; from 1 on if the currency itself was declared before.
  func appendCommodities(_ currencies: [(currency: Currency, parts: Range<Int>)], to text: inout TextBuffer) {
    switch format {
    case .hledger: text.append("\ndecimal-mark .\n")
    case .ledger: break
    case .beancount:
      // These get columns in beancount's own reports.
      if !currencies.isEmpty { text.append(UInt8(ascii: "\n")) }
      for (currency, parts) in currencies where parts.contains(0) {
        text.append("option \"operating_currency\" \"\(currency.code)\"\n")
      }
    }
    guard let days, !currencies.isEmpty else { return }
    text.append(UInt8(ascii: "\n"))
    for (currency, parts) in currencies {
      for part in parts {
        text.append(begin("commodity", on: days.lowerBound) + WideAmount.name(currency.code, part: part) + "\n")
      }
    }
  }

  func appendDeclaration(to text: inout TextBuffer, _ account: (inout TextBuffer) -> Void) {
    text.append(begin(format == .beancount ? "open" : "account", on: days?.lowerBound))
    account(&text)
    text.append(UInt8(ascii: "\n"))
  }

  /// Appends the declaration of a sender or receiver; beancount keeps the address with it.
  func appendDeclaration(of side: AccountSide, _ address: Span<UInt8>, to text: inout TextBuffer) {
    let account = JournalAccount(format: format)
    appendDeclaration(to: &text) { account.append(side, address, to: &$0) }
    guard format == .beancount, !address.isEmpty else { return }
    // No address has a quote or a backslash.
    text.append("  address: \"")
    text.append(address)
    text.append("\"\n")
  }

  /// Begins the assertions of an account: one transaction per account, because ledger's time grows with the square of a
  /// transaction's length.
  func beginBalances(to text: inout TextBuffer) {
    guard format != .beancount, let days else { return }
    text.append("\n\(days.upperBound) balance assertions\n")
  }

  /// Appends the assertion of a balance of an account.
  ///
  /// - Parameter parts: the balance in the parts of `WideAmount`; in other formats than beancount only one.
  func appendBalance(
    _ parts: [ExactDecimal], _ currency: Currency, to text: inout TextBuffer, account: (inout TextBuffer) -> Void
  ) {
    guard format == .beancount else {
      let posting = JournalPosting(format: format, currency: currency)
      posting.begin(&text)
      account(&text)
      text.append("  ")
      posting.append(ExactDecimal(magnitude: 0, exponent: -currency.settlementExponent), to: &text)
      text.append(" = ")
      posting.append(parts[0], to: &text)
      return text.append(UInt8(ascii: "\n"))
    }
    let name = TextBuffer.string(account)
    for number in parts.indices.reversed() {
      // Without a tolerance of its own, beancount would accept a balance that is wrong by one unit of its last digit.
      let amount = "\(parts[number]) ~ 0 \(WideAmount.name(currency.code, part: number))"
      text.append("\(begin("balance", on: days?.upperBound.next))\(name)  \(amount)\n")
    }
  }

  /// A directive up to its subject; beancount requires a day before it.
  private func begin(_ name: String, on day: JournalDay?) -> String {
    format == .beancount ? day.map { "\($0) \(name) " } ?? "\(name) " : "\(name) "
  }
}
