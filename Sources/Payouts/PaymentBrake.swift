import Failures
import Ledger
import Money

/// Which balances a payout of 1.0.0-rc.3 kept because a payment came back: the last payment of the account and currency,
/// or one that the payout itself booked. Only for payouts that are made again.
struct PaymentBrake {
  private struct Holder: Hashable {
    let account: [UInt8]
    let currency: Currency

    init(_ account: [UInt8], _ currency: Currency) { (self.account, self.currency) = (account, currency) }
    init(_ payment: AccountAmount) { self.init(payment.account, payment.currency) }
  }

  private let lookup: PayoutLookup
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
    _ lookup: PayoutLookup, before payout: PayoutEntry?, _ returns: [Change<ReturnNote>]
  ) throws(Failure) {
    (self.lookup, self.payout) = (lookup, payout)
    var all = returns.map { ($0.note.reference, Holder($0.amount)) }
    for (reference, holder) in all {
      if let account = try lookup.bankAccount(reference) {
        accounts.insert(account)
      } else {
        unknown.insert(holder)
      }
    }
    try lookup.forEach(ReturnNote.self, before: payout) { booked in
      all.append((booked.change.note.reference, Holder(booked.change.amount)))
    }
    for (reference, holder) in all where lookup.isPaid(reference, before: payout) {
      if let other = returned[holder], lookup.isPaid(reference, before: other) { continue }
      returned[holder] = reference
    }
  }

  /// Whether a balance waits.
  ///
  /// - Parameters:
  ///   - bank: the payee's bank account; nil without one.
  ///   - retry: the last payment, if it is to be paid to the same bank account again.
  func stops(
    _ account: Span<UInt8>, _ currency: Currency, bank: BankAccountDigest?, retry: PaymentReference?
  ) throws(Failure) -> Bool {
    if returned.isEmpty { return false }
    let holder = Holder([UInt8](account), currency)
    var isStopped = bank.map(accounts.contains) ?? false || unknown.contains(holder)
    if let reference = returned[holder], try lastPayment(of: holder, notBefore: reference) == reference {
      let then = try lookup.bankAccount(reference)
      if then == nil || bank == nil || then == bank { isStopped = true }
    }
    guard let retry, isStopped else { return isStopped }
    return try lastPayment(of: holder, notBefore: returned[holder]) != retry
  }

  private func lastPayment(
    of holder: Holder, notBefore earlier: PaymentReference?
  ) throws(Failure) -> PaymentReference? {
    try lookup.lastPayment(to: holder.account, holder.currency, before: payout, notBefore: earlier)
  }
}
