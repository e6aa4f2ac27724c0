import Failures
import Ledger
import Money

/// Which balances wait because a payment came back: the bank that refused it would refuse it again (`payouts.md`).
struct Brake {
  /// Why a balance waits.
  struct Stop {
    /// The last payment, if it came back.
    var returned: PaymentReference?
    /// Whether the ledger does not know the bank account that it went to.
    var isUnknown = false
  }

  private struct Holder: Hashable {
    let account: [UInt8]
    let currency: Currency
  }

  private let lookup: PaymentLookup
  private let payout: PayoutEntry?
  /// The last payment of each account and currency that came back.
  private var returned: [Holder: PaymentReference] = [:]
  /// The bank accounts of the payments that this payout books as returned.
  private var accounts = Set<BankAccountDigest>()
  /// Who had such a payment whose bank account is not known.
  private var unknown = Set<Holder>()

  /// - Parameters:
  ///   - payout: the payout that is made; nil for the next one.
  ///   - returns: what it books.
  init(
    _ lookup: PaymentLookup, before payout: PayoutEntry?, _ returns: [(note: ReturnNote, payment: BookedPayment)]
  ) throws(Failure) {
    (self.lookup, self.payout) = (lookup, payout)
    var all = returns.map { ($0.note.reference, Holder(account: $0.payment.account, currency: $0.payment.currency)) }
    for (reference, holder) in all {
      if let account = try lookup.bankAccount(reference) {
        accounts.insert(account)
      } else {
        unknown.insert(holder)
      }
    }
    try lookup.forEachReturn(before: payout) { note, payment, _ in
      all.append((note.reference, Holder(account: payment.account, currency: payment.currency)))
    }
    for (reference, holder) in all where lookup.isPaid(reference, before: payout) {
      if let other = returned[holder], lookup.isPaid(reference, before: other) { continue }
      returned[holder] = reference
    }
  }

  /// Why a balance waits; nil if it does not.
  ///
  /// - Parameters:
  ///   - bank: the payee's bank account; nil without one.
  ///   - retry: the last payment, if it is to be paid to the same bank account again.
  func stop(
    _ account: Span<UInt8>, _ currency: Currency, bank: BankAccountDigest?, retry: PaymentReference?
  ) throws(Failure) -> Stop? {
    if returned.isEmpty { return nil }
    let holder = Holder(account: [UInt8](account), currency: currency)
    var stop: Stop?
    if let reference = returned[holder], try lastPayment(of: holder, notBefore: reference) == reference {
      let then = try lookup.bankAccount(reference)
      if then == nil || bank == nil || then == bank { stop = Stop(returned: reference, isUnknown: then == nil) }
    }
    if stop == nil, bank.map(accounts.contains) ?? false || unknown.contains(holder) { stop = Stop() }
    guard let retry, stop != nil else { return stop }
    return try lastPayment(of: holder, notBefore: returned[holder]) == retry ? nil : stop
  }

  private func lastPayment(
    of holder: Holder, notBefore earlier: PaymentReference?
  ) throws(Failure) -> PaymentReference? {
    try lookup.lastPayment(to: holder.account, holder.currency, before: payout, notBefore: earlier)
  }
}
