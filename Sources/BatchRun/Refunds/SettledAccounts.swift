import ExactArithmetic
import Failures
import Ledger
import Money
import Postings
import Documents
import Text

/// What each account got from payments, and what refunds took from it or gave to it.
public struct SettledAccounts: Sendable {
  public let payments: AccountTotals
  public let refunds: AccountTotals

  /// Combines the sums of payments and of refunds.
  public init(payments: AccountTotals, refunds: AccountTotals) {
    self.payments = payments
    self.refunds = refunds
  }

  /// The number of accounts and currencies with payments.
  public var count: Int { payments.count }
}

extension ReportWriter {
  /// Writes all of `receivers.csv`.
  ///
  /// - Parameter balances: takes the payout of each row; nil if they are not kept.
  public func writeReceivers(
    _ accounts: SettledAccounts, threads: Int, balances: AccountEntries? = nil
  ) throws(Failure) {
    try write(ReportKind.receivers.header)
    let refunds = RefundSums(accounts.refunds, threads: threads)
    let keepsPayouts = balances != nil
    try accounts.payments.write(
      threads: threads, into: { ReceiverRows(keepsPayouts: keepsPayouts) }, begin: refunds.place
    ) { balance, next, rows in
      // Senders come after all receivers.
      let receiver = balance?.side == .receiver ? balance : nil
      let sums = refunds.passOn(upTo: receiver, from: &next) { rows.append($0, refunds: $1) }
      if let balance = receiver { rows.append(balance, refunds: sums) }
    } _: { (rows: borrowing ReceiverRows) throws(Failure) in
      try write(rows.text.span)
      if let balances { try rows.payouts.enter(in: balances) }
    }
  }
}

/// Rows of `receivers.csv`, and what each pays.
private struct ReceiverRows: ~Copyable {
  private(set) var text = TextBuffer(capacity: 1 << 17)
  private(set) var payouts = ReceiverPayouts()
  private let keepsPayouts: Bool

  init(keepsPayouts: Bool) { self.keepsPayouts = keepsPayouts }

  mutating func append(_ balance: AccountBalance, refunds: AccountSums?) {
    let payout = ReceiversReport.append(balance, refunds: refunds, to: &text)
    if keepsPayouts { payouts.append(balance.account, balance.currency, payout) }
  }
}

/// The sums of refunds, in the order of `receivers.csv`, to insert among those of payments.
private struct RefundSums {
  private struct Row {
    let account: [UInt8]
    let currency: Currency
    let sums: AccountSums

    /// Whether the row comes before that of a receiver, with it, or after it.
    func order(_ balance: AccountBalance) -> Int {
      if account.span.isEqual(to: balance.account) {
        return currency == balance.currency ? 0 : currency < balance.currency ? -1 : 1
      }
      return account.span.precedes(balance.account) ? -1 : 1
    }
  }

  private var rows: [Row] = []

  init(_ accounts: AccountTotals, threads: Int) {
    accounts.visit(threads: threads) {
      if $0.side == .receiver { rows.append(Row(account: Array($0.account), currency: $0.currency, sums: $0.sums)) }
    }
  }

  /// The number of rows up to a balance.
  func place(_ balance: AccountBalance?) -> Int {
    guard let balance else { return 0 }
    guard balance.side == .receiver else { return rows.count }
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].order(balance) <= 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Passes on the accounts before a receiver's balance, or all that are left if it is nil, which have only refunds;
  /// returns its refunds, if it has any.
  func passOn(
    upTo balance: AccountBalance?, from next: inout Int, _ body: (AccountBalance, AccountSums) -> Void
  ) -> AccountSums? {
    while next < rows.count {
      let row = rows[next]
      let order = if let balance { row.order(balance) } else { -1 }
      if order > 0 { return nil }
      next += 1
      if order == 0 { return row.sums }
      hand(row, body)
    }
    return nil
  }

  private func hand(_ row: Row, _ body: (AccountBalance, AccountSums) -> Void) {
    let zero = ExactDecimal.zero(at: -row.currency.settlementExponent)
    body(
      AccountBalance(
        side: .receiver, account: row.account.span, currency: row.currency,
        sums: AccountSums(payments: 0, gross: zero, passedOn: zero, fee: zero)), row.sums)
  }
}
