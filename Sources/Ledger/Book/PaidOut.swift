import Failures

/// A payment of a payout.
public struct PaidOut: Sendable {
  public let reference: PaymentReference
  /// The payout that made it.
  public let payout: PayoutEntry
  /// The account and the amount.
  public let payment: AccountAmount
  /// What it consists of.
  public let contents: Transfer
  /// The payout that booked its return, and the reason; nil if it was not returned.
  public internal(set) var returned: (payout: Int, reason: String)?
}

extension LedgerReading {
  /// A payment of a payout; nil if the ledger has no payment with this reference.
  public func paidOut(_ reference: PaymentReference) throws(Failure) -> PaidOut? {
    guard let payout = history.payouts.first(where: { $0.number == reference.payout }) else { return nil }
    let lookup = try payoutLookup()
    guard let payment = try lookup.payment(reference) else { return nil }
    let book = try books(of: payment.account, showsRefused: false).first { $0.currency == payment.currency }!
    var found = PaidOut(
      reference: reference, payout: payout, payment: payment,
      contents: book.transfer(reference)!)
    try lookup.forEach(ReturnNote.self) { booked in
      if booked.change.note.reference == reference { found.returned = (booked.payout, booked.change.note.reason) }
    }
    try expectUnchanged()
    return found
  }
}
