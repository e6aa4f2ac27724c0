import Failures

/// An adjustment and where it was booked.
public struct Adjusted: Sendable {
  public let adjustment: BookedChange<AdjustmentNote>
  /// The payout that booked it; nil if a payout was given up with it.
  public let payout: PayoutEntry?
}

extension LedgerReading {
  /// An adjustment; nil if the ledger has none of this key.
  public func adjustment(_ key: String) throws(Failure) -> Adjusted? {
    let all = try payoutLookup().all(AdjustmentNote.self)
    try expectUnchanged()
    return all[key].map { found in
      Adjusted(adjustment: found, payout: history.payouts.first { $0.number == found.payout })
    }
  }
}
