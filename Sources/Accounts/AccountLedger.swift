import Bookkeeping
import Failures
import Ledger
import Records
import Text

/// A ledger that is asked about accounts over nights. It is only read.
package struct AccountLedger {
  /// The runs and payouts in entry order.
  package let order: BookingOrder
  private let search: LedgerSearch

  /// Opens a ledger.
  package init(_ path: String) throws(Failure) {
    do throws(Failure) { search = try LedgerSearch(ledger: path) } catch {
      // A file that is not a ledger: the page asks for 74.
      throw error.exitCode == Failure.Kind.configuration.exitCode ? .inputOutput(error.message) : error
    }
    order = BookingOrder(search.history)
  }

  /// The runs and payouts that count.
  package var history: RunHistory { search.history }
  /// Its path for messages.
  package var shown: String { search.shown }
  /// Its path for commands.
  package var quoted: String { ShellWord.quoted(search.shown) }
  /// The open ledger.
  package var reading: LedgerReading { search.reading }

  /// Balances and changes in a period, given by its places in entry order.
  package func period(_ places: Range<Int>) throws(Failure) -> BookReading {
    try reading.period(order.bookings, places)
  }

  /// All balances at the end of a day; nil for now.
  package func balances(until: CalendarDay?) throws(Failure) -> BookReading {
    let end = order.places(until: until).upperBound
    return try period(end..<end)
  }

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

  /// The runs that count in the balances at the end of a day; nil for now.
  package func runs(until: CalendarDay?) -> [RunEntry] {
    (0..<order.places(until: until).upperBound).compactMap { order.bookings[$0].counts ? order.run(at: $0) : nil }
  }

  /// A payment of a payout; nil if the ledger has no payment with this reference.
  package func paidOut(_ reference: PaymentReference) throws(Failure) -> PaidOut? { try search.paidOut(reference) }

  /// Throws if a run or payout wrote to the ledger while it was read.
  package func expectUnchanged() throws(Failure) { try search.expectUnchanged() }

  /// Throws if the ledger and the reports of its nights know nothing of an account.
  ///
  /// - Parameters:
  ///   - account: in lower case.
  ///   - readsNights: whether directories may be read; those that are gone are left out.
  package func expectKnown(_ account: [UInt8], readsNights: Bool) throws(Failure) {
    if try reading.hasEntry(of: account, in: order.bookings) { return }
    if readsNights, try NightReport.hasRow(of: account, in: history.runs) { return }
    let name = String(decoding: account, as: UTF8.self)
    throw .usage(
      "\(shown): knows no account \"\(name)\": it has no entry"
        + (readsNights ? ", and no row in receivers.csv of any night" : " (no reports were read)")
        + ". Look for its spelling: settle balances --ledger \(quoted) --format csv")
  }
}
