import Failures
import Ledger
import Records

/// What a ledger and the directories of its nights say of accounts.
extension LedgerReading {
  /// What accounts were charged in a period, in the order of account, currency and name (`fees.md`, "`settle fees`").
  ///
  /// - Parameter accounts: those to show, in lower case; nil for all.
  package func fees(in days: ClosedRange<CalendarDay>, of accounts: Set<[UInt8]>?) throws(Failure) -> AccountFees {
    var charged = AccountFees { accounts?.contains($0) ?? true }
    let figures = NightFigures(self, remedy: "")
    for place in order.places(since: days.lowerBound, until: days.upperBound) where order.bookings[place].counts {
      if let run = order.run(at: place) { try figures.addFees(of: run, to: &charged) }
    }
    try expectUnchanged()
    charged.sort()
    return charged
  }

  /// Throws if the ledger and the reports of its nights know nothing of an account.
  ///
  /// - Parameters:
  ///   - account: in lower case.
  ///   - readsNights: whether directories may be read; those that are gone are left out.
  package func expectKnown(_ account: [UInt8], readsNights: Bool) throws(Failure) {
    if try hasEntry(of: account) { return }
    if readsNights, try NightReport.hasRow(of: account, in: history.runs) { return }
    let name = String(decoding: account, as: UTF8.self)
    throw .usage(
      "\(shown): knows no account \"\(name)\": it has no entry"
        + (readsNights ? ", and no row in receivers.csv of any night" : " (no reports were read)")
        + ". Look for its spelling: settle balances --ledger \(quoted) --format csv")
  }
}
