import BatchRun
import ExactArithmetic
import Money
import Postings
import Rules
import Text

/// What is around the transactions of a journal: declarations before them, assertions of all balances after them.
struct JournalFrame {
  let format: JournalFormat
  let totals: ControlTotals
  let wideEntries: WideEntries
  /// The first and the last day of the transactions.
  let days: ClosedRange<JournalDay>?

  private var account: JournalAccount { JournalAccount(format: format) }

  private var currencies: [(currency: Currency, fees: ExactDecimal)] {
    zip(Currency.all, totals.currencies).filter { $0.1.moved.isUsed }.map { ($0.0, $0.1.moved.feesKept) }
  }

  /// Appends the lines that do not depend on transactions, then the currencies and the account of the fees.
  func appendHead(batchID: String?, to text: inout TextBuffer) {
    text.append("; Settled payments and refunds")
    if let batchID { text.append(" of batch \(batchID)") }
    text.append(", a transaction each, by settle \(BatchRun.version).\n")
    switch format {
    case .hledger: text.append("\ndecimal-mark .\n")
    case .ledger: break
    case .beancount: appendOperatingCurrencies(to: &text)
    }
    guard let days else { return }
    text.append(UInt8(ascii: "\n"))
    for (currency, _) in currencies {
      for part in 0...wideEntries.highestPart(currency) {
        text.append(directive("commodity", on: days.lowerBound) + WideAmount.name(currency.code, part: part) + "\n")
      }
    }
    text.append(UInt8(ascii: "\n"))
    appendDeclaration(to: &text) { account.appendFees(to: &$0) }
  }

  /// Names the currencies that get columns in beancount's own reports.
  private func appendOperatingCurrencies(to text: inout TextBuffer) {
    if !currencies.isEmpty { text.append(UInt8(ascii: "\n")) }
    for (currency, _) in currencies { text.append("option \"operating_currency\" \"\(currency.code)\"\n") }
  }

  /// Appends the declaration of an account of the account totals.
  func appendDeclaration(of balance: AccountBalance, to text: inout TextBuffer) {
    appendDeclaration(to: &text) { account.append(balance, to: &$0) }
  }

  private func appendDeclaration(to text: inout TextBuffer, _ account: (inout TextBuffer) -> Void) {
    text.append(directive(format == .beancount ? "open" : "account", on: days?.lowerBound))
    account(&text)
    text.append(UInt8(ascii: "\n"))
  }

  /// A directive up to its subject; beancount requires a day before it.
  private func directive(_ name: String, on day: JournalDay?) -> String {
    format == .beancount ? day.map { "\($0) \(name) " } ?? "\(name) " : "\(name) "
  }

  /// Appends the beginning of the assertions and those of the fees.
  func appendFeeBalances(to text: inout TextBuffer) {
    guard days != nil else { return }
    if format == .beancount { text.append(UInt8(ascii: "\n")) }
    beginBalances(to: &text)
    for (currency, fees) in currencies {
      appendBalance(of: currency, fees, to: &text) { account.appendFees(to: &$0) }
    }
  }

  /// Begins the assertions of an account: one transaction per account, because ledger's time grows with the square of a
  /// transaction's length.
  func beginBalances(to text: inout TextBuffer) {
    guard format != .beancount, let days else { return }
    text.append("\n\(days.upperBound) balance assertions\n")
  }

  /// Appends the assertion of an account and a currency of the account totals.
  func append(_ balance: AccountBalance, to text: inout TextBuffer) {
    appendBalance(of: balance.currency, balance.sums.net, to: &text) { account.append(balance, to: &$0) }
  }

  private func appendBalance(
    of currency: Currency, _ balance: ExactDecimal, to text: inout TextBuffer, account: (inout TextBuffer) -> Void
  ) {
    let posting = JournalPosting(format: format, currency: currency)
    guard format == .beancount else {
      posting.begin(&text)
      account(&text)
      text.append("  ")
      posting.append(ExactDecimal(magnitude: 0, exponent: -currency.settlementExponent), to: &text)
      text.append(" = ")
      posting.append(balance, to: &text)
      return text.append(UInt8(ascii: "\n"))
    }
    let name = TextBuffer.string(account)
    let parts = wideEntries.balance(name, currency, of: balance)
    for number in parts.indices.reversed() {
      // Without a tolerance of its own, beancount would accept a balance that is wrong by one unit of its last digit.
      let amount = "\(parts[number]) ~ 0 \(WideAmount.name(currency.code, part: number))"
      text.append("\(directive("balance", on: days?.upperBound.next))\(name)  \(amount)\n")
    }
  }
}
