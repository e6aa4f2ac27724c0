import ExactArithmetic
import Failures
import Money

/// A payment of a payout, and its contents: the entries of its account and currency after the last payment of both
/// (`contents.md`).
public struct Transfer: Sendable {
  /// Its reference.
  public let reference: PaymentReference
  /// The last payment before it; nil if it is the first.
  public let previous: PaymentReference?
  /// The contents, in book order.
  public let entries: ArraySlice<AccountBook.Entry>
  /// The payment itself.
  public let payment: AccountBook.Entry
  /// The balance before the contents.
  public let opening: ExactDecimal
  /// What is left of the balance after it.
  public var carried: ExactDecimal { payment.balance }

  /// The payment with a reference among all entries of its account and currency; nil if it is not there.
  init?(_ reference: PaymentReference, in entries: [AccountBook.Entry], _ currency: Currency) {
    guard let end = entries.firstIndex(where: { $0.transfer == reference }) else { return nil }
    let start = entries[..<end].lastIndex { $0.transfer != nil }
    self.init(
      reference, after: start.flatMap { entries[$0].transfer },
      opening: start.map { entries[$0].balance } ?? .zero(at: -currency.settlementExponent),
      entries[(start.map { $0 + 1 } ?? 0)...end])
  }

  /// - Parameter entries: the contents and the payment.
  init(
    _ reference: PaymentReference, after previous: PaymentReference?, opening: ExactDecimal,
    _ entries: ArraySlice<AccountBook.Entry>
  ) {
    (self.reference, self.previous, self.opening) = (reference, previous, opening)
    (self.entries, payment) = (entries.dropLast(), entries.last!)
  }
}

extension AccountBook {
  /// A payment of the account; nil if it is not there.
  public func transfer(_ reference: PaymentReference) -> Transfer? { Transfer(reference, in: entries, currency) }
}

extension LedgerReading {
  /// The runs and payouts in book order, up to a payout and with it.
  public func bookOrder(until payout: PayoutEntry) throws(Failure) -> [Booking] {
    let payouts = history.payouts
    return try database.telling {
      let first = try Booking.firstRun(database, payouts)
      let all = try Booking.inBookOrder(
        database, runs: first <= payout.bookedRun ? first...payout.bookedRun : nil, Booking.payouts(database, payouts))
      return Array(all.prefix { $0.id != payout.id }) + [Booking(payout)]
    }
  }
}
