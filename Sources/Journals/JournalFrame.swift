import BatchRun
import ExactArithmetic
import Money
import Postings
import Text

/// What is around the transactions of a journal: declarations before them, assertions of all balances after them.
struct JournalFrame {
  let format: JournalFormat
  private let batchID: String?
  private let wideEntries: WideEntries
  /// The first and the last day of the transactions.
  private let days: ClosedRange<JournalDay>?
  /// The currencies of the transactions.
  private let currencies: [Currency]
  /// What the accounts of fees and their VAT have by currency, in the order in which transactions post to them.
  private let income: [(account: BookAccount, balances: [(currency: Currency, amount: ExactDecimal)])]

  private var account: JournalAccount { JournalAccount(format: format) }
  private var directive: JournalDirective { JournalDirective(format: format, days: days) }

  init(format: JournalFormat, result: RunResult, wideEntries: WideEntries, days: ClosedRange<JournalDay>?) {
    (self.format, batchID, self.wideEntries, self.days) = (format, result.batchID, wideEntries, days)
    let moved = zip(Currency.all, result.totals.currencies).filter { $0.1.moved.isUsed }
    currencies = moved.map(\.0)
    let named = result.showsNames ? result.totals.named.rows : nil
    var income: [BookAccount: [(currency: Currency, amount: ExactDecimal)]] = [:]
    for (currency, totals) in moved {
      for (account, amount) in BookAccount.income(named, currency, fees: totals.moved.feesKept) {
        income[account, default: []].append((currency, amount))
      }
    }
    self.income = income.sorted { $0.key.name(format) < $1.key.name(format) }.map { ($0.key, $0.value) }
  }

  /// Appends the lines that do not depend on transactions, then the currencies and the accounts of the fees.
  func appendHead(to text: inout TextBuffer) {
    text.append("; Settled payments and refunds")
    if let batchID { text.append(" of batch \(batchID)") }
    text.append(", a transaction each, by settle \(BatchRun.version).\n")
    directive.appendCommodities(
      currencies.map { ($0, 0..<wideEntries.highestPart($0) + 1) }, to: &text)
    guard days != nil else { return }
    text.append(UInt8(ascii: "\n"))
    for (account, _) in income { directive.appendDeclaration(to: &text) { $0.append(account.name(format)) } }
  }

  /// Appends the declaration of an account of the account totals.
  func appendDeclaration(of balance: AccountBalance, to text: inout TextBuffer) {
    directive.appendDeclaration(of: balance.side, balance.account, to: &text)
  }

  /// Appends the beginning of the assertions and those of the fees.
  func appendFeeBalances(to text: inout TextBuffer) {
    guard days != nil else { return }
    if format == .beancount { text.append(UInt8(ascii: "\n")) }
    for (account, balances) in income {
      beginBalances(to: &text)
      for (currency, amount) in balances {
        appendBalance(of: currency, amount, to: &text) { $0.append(account.name(format)) }
      }
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
