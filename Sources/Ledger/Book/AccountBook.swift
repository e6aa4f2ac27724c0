import ExactArithmetic
import Failures
import Money
import SQLite

/// What the ledger knows about an account in a currency, in book order.
public struct AccountBook: Sendable {
  /// What changed the balance.
  public enum Kind: String, Sendable {
    /// A run's payments and refunds.
    case run
    /// A payment that came back.
    case returned
    /// What was decided outside of batches.
    case adjusted
    /// A payment.
    case payout
  }

  /// One change to the balance.
  public struct Entry: Sendable {
    /// The kind of change.
    public let kind: Kind
    /// The number of the run, or of the payout.
    public let number: Int
    /// What it added; negative if it took something.
    public let amount: ExactDecimal
    /// The balance after it.
    public let balance: ExactDecimal
  }

  /// The currency of the amounts.
  public let currency: Currency
  /// The changes, in book order.
  public internal(set) var entries: [Entry] = []
  /// The balance now.
  public internal(set) var balance: ExactDecimal
  /// The run in which it last left zero or changed its sign; nil if it is zero.
  public internal(set) var since: Int?
  /// The last return of the bank account of the last payment, if that bank account is refused (`payouts.md`, The brake);
  /// nil if it is not.
  public internal(set) var refused: PaymentReference?

  /// The note of a balance that a payout left: the run since which the balance exists.
  public static func sinceNote(_ run: Int) -> [UInt8] { [16, 8, 0].map { UInt8(truncatingIfNeeded: run >> $0) } }

  /// The run of such a note.
  static func since(of note: ArraySlice<UInt8>) -> Int { note.reduce(0) { $0 << 8 | Int($1) } }

  static func books(
    _ database: Database, of account: [UInt8], until last: Int, _ payouts: [PayoutEntry]
  ) throws -> [AccountBook] {
    var books: [Currency: AccountBook] = [:]
    let first = try BookReading.firstRun(database, payouts)
    let changes = try BookedChange.all(database, payouts: payouts)
    for booked in try BookedList.all(database, runs: first <= last ? first...last : nil, changes: changes) {
      try AccountLookup(database, booked.list, count: booked.count).forEach(account) { stream in
        let empty = AccountBook(
          currency: stream.currency, balance: .zero(at: -stream.currency.settlementExponent))
        books[stream.currency, default: empty].add(stream.amount, booked)
      }
    }
    let refusals = try Refusals(database, before: (payouts.map(\.number).max() ?? 0) + 1)
    if !refusals.isEmpty {
      let payments = try LastPayments(database, before: .max)
      for currency in books.keys.sorted() {
        var bank: BankAccountDigest?
        if case .known(let known) = try payments.destination(account.span, currency) { bank = known }
        books[currency]!.refused = refusals.refusal(of: bank, account.span, currency)?.reference
      }
    }
    return books.values.sorted { $0.currency < $1.currency }
  }

  private mutating func add(_ amount: ExactDecimal, _ booked: BookedList) {
    let kind: Kind =
      switch booked.list.kind {
      case .run: .run
      case .returns: .returned
      case .adjustments: .adjusted
      case .payments, .closings, .refusals: .payout
      }
    var amount = amount
    if kind == .payout { amount.negate() }
    let before = balance
    balance.add(amount)
    let isNew = before.isZero || before.isNegative != balance.isNegative
    since = balance.isZero ? nil : isNew ? booked.run : since
    entries.append(Entry(kind: kind, number: booked.list.number, amount: amount, balance: balance))
  }
}

extension LedgerReading {
  /// The balances of an account, in the order of the currencies; empty if it is in no run or payout that counts.
  ///
  /// - Parameters:
  ///   - account: in lower case, as in reports.
  ///   - last: the last run that counts.
  ///   - payouts: the payouts that count, in order.
  public func books(
    of account: [UInt8], until last: Int, _ payouts: [PayoutEntry]
  ) throws(Failure) -> [AccountBook] {
    try read { try AccountBook.books($0, of: account, until: last, payouts) }
  }
}
