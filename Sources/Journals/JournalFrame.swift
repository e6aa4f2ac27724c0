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
  private var directive: JournalDirective { JournalDirective(format: format, days: days) }

  private var currencies: [(currency: Currency, fees: ExactDecimal)] {
    zip(Currency.all, totals.currencies).filter { $0.1.moved.isUsed }.map { ($0.0, $0.1.moved.feesKept) }
  }

  /// Appends the lines that do not depend on transactions, then the currencies and the account of the fees.
  func appendHead(batchID: String?, to text: inout TextBuffer) {
    text.append("; Settled payments and refunds")
    if let batchID { text.append(" of batch \(batchID)") }
    text.append(", a transaction each, by settle \(BatchRun.version).\n")
    directive.appendCommodities(
      currencies.map { ($0.currency, 0..<wideEntries.highestPart($0.currency) + 1) }, to: &text)
    guard days != nil else { return }
    text.append(UInt8(ascii: "\n"))
    directive.appendDeclaration(to: &text) { account.appendFees(to: &$0) }
  }

  /// Appends the declaration of an account of the account totals.
  func appendDeclaration(of balance: AccountBalance, to text: inout TextBuffer) {
    directive.appendDeclaration(of: balance.side, balance.account, to: &text)
  }

  /// Appends the beginning of the assertions and those of the fees.
  func appendFeeBalances(to text: inout TextBuffer) {
    guard days != nil else { return }
    if format == .beancount { text.append(UInt8(ascii: "\n")) }
    beginBalances(to: &text)
    for (currency, fees) in currencies {
      appendBalance(of: currency, -fees, to: &text) { account.appendFees(to: &$0) }
    }
  }

  /// Begins the assertions of an account.
  func beginBalances(to text: inout TextBuffer) { directive.beginBalances(to: &text) }

  /// Appends the assertion of an account and a currency of the account totals.
  func append(_ balance: AccountBalance, to text: inout TextBuffer) {
    appendBalance(of: balance.currency, -balance.sums.net, to: &text) { account.append(balance, to: &$0) }
  }

  private func appendBalance(
    of currency: Currency, _ balance: ExactDecimal, to text: inout TextBuffer, account: (inout TextBuffer) -> Void
  ) {
    let parts =
      format == .beancount
      ? wideEntries.balance(TextBuffer.string(account), currency, of: balance) : [balance]
    directive.appendBalance(parts, currency, to: &text, account: account)
  }
}
