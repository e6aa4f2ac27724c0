import ExactArithmetic
import Money
import Postings
import Reports
import Text

/// What each account got from payments, and what refunds took from it or gave to it.
public struct SettledAccounts: Sendable {
  /// The sums of payments.
  public let payments: AccountTotals
  /// The sums of refunds.
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
  public func writeReceivers(_ accounts: SettledAccounts, threads: Int) throws(RunFailure) {
    try write(ReportKind.receivers.header)
    guard accounts.refunds.count > 0 else {
      return try accounts.payments.write(threads: threads, append: ReceiversReport.append) {
        (text, count) throws(RunFailure) in try write(text, count: count)
      }
    }
    var refunds = RefundRows(accounts.refunds, threads: threads)
    var text = TextBuffer(capacity: 1 << 16)
    try accounts.payments.visit(threads: threads) { balance throws(RunFailure) in
      guard balance.side == .receiver else { return }
      let sums = refunds.take(upTo: balance) { ReceiversReport.append($0, refunds: $1, to: &text) }
      ReceiversReport.append(balance, refunds: sums, to: &text)
      try takeLong(&text)
    }
    refunds.takeRest { ReceiversReport.append($0, refunds: $1, to: &text) }
    try write(text.bytes, count: text.count)
  }
}

/// The sums of refunds, in the order of `receivers.csv`, to insert among those of payments.
private struct RefundRows {
  private struct Row {
    let account: [UInt8]
    let currency: Currency
    let sums: AccountSums
  }

  private var rows: [Row] = []
  private var next = 0

  init(_ accounts: AccountTotals, threads: Int) {
    accounts.visit(threads: threads) {
      if $0.side == .receiver { rows.append(Row(account: Array($0.account), currency: $0.currency, sums: $0.sums)) }
    }
  }

  /// Passes on the accounts before `balance`, which have only refunds; returns its refunds, if it has any.
  mutating func take(
    upTo balance: AccountBalance, _ body: (AccountBalance, AccountSums) -> Void
  ) -> AccountSums? {
    while next < rows.count {
      let row = rows[next]
      let isSame = row.currency == balance.currency && row.account.elementsEqual(balance.account)
      let isBefore =
        row.account.elementsEqual(balance.account)
        ? row.currency < balance.currency : row.account.lexicographicallyPrecedes(balance.account)
      guard isSame || isBefore else { return nil }
      next += 1
      if isSame { return row.sums }
      hand(row, body)
    }
    return nil
  }

  /// Passes on the remaining accounts.
  mutating func takeRest(_ body: (AccountBalance, AccountSums) -> Void) {
    for row in rows[next...] { hand(row, body) }
    next = rows.count
  }

  private func hand(_ row: Row, _ body: (AccountBalance, AccountSums) -> Void) {
    let zero = ExactDecimal.zero(at: -row.currency.settlementExponent)
    row.account.withUnsafeBufferPointer { account in
      body(
        AccountBalance(
          side: .receiver, account: account, currency: row.currency,
          sums: AccountSums(payments: 0, gross: zero, passedOn: zero, fee: zero)), row.sums)
    }
  }
}
