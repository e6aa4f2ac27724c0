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
      let moved = totals.moved
      guard moved.paymentBalance.isZero, moved.refundBalance.isZero else {
        return "\(currency.code): the trial balance is \(moved.paymentBalance), of refunds \(moved.refundBalance)"
      }
      guard totals[.settled] == moved.senderAmount else {
        return "\(currency.code): settled control amounts \(totals[.settled]) differ from sent \(moved.senderAmount)"
      }
    }
    return nil
  }

  /// Why the fees by name are not those of `totals.csv`, or nil if they are. Checked before anything is published on a
  /// night that shows names.
  public var namesImbalance: String? {
    for (currency, (totals, named)) in zip(Currency.all, zip(currencies, named.byCurrency)) {
      guard named.charged == totals.moved.fees, named.returned == totals.moved.feesReturned else {
        return "\(currency.code): fees by name are \(named.charged) and \(named.returned) returned, but in all "
          + "\(totals.moved.fees) and \(totals.moved.feesReturned) returned"
      }
    }
    return nil
  }
}
