import Money

extension ControlTotals {
  /// Why the books do not balance, or nil if they do. Checked before anything is published.
  ///
  /// Every record has one outcome; the settled control amounts equal what senders sent; in every currency, what senders
  /// paid equals what receivers got plus the fees.
  public var imbalance: String? {
    guard byOutcome.reduce(0, +) == recordsRead else { return "outcomes do not add up to the records read" }
    guard currencies.reduce(0, { $0 + $1.records }) + recordsWithoutControlAmount + otherRecords == recordsRead else {
      return "records with and without a control amount do not add up to the records read"
    }
    for (currency, totals) in zip(Currency.all, currencies) {
      guard totals.paymentBalance.isZero, totals.refundBalance.isZero else {
        return "\(currency.code): the trial balance is \(totals.paymentBalance), of refunds \(totals.refundBalance)"
      }
      guard totals[.settled] == totals.senderAmount else {
        return "\(currency.code): settled control amounts \(totals[.settled]) differ from sent \(totals.senderAmount)"
      }
    }
    return nil
  }
}
