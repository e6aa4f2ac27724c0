import ExactArithmetic
import Failures
import Ledger
import Money
import Records

/// What changed the balances of accounts, one section after the other: each of an account and currency, in their order.
///
/// Memory grows with the runs and payouts, not with the accounts and payments.
package protocol AccountSections {
  /// The current section; valid until the next one.
  var section: AccountSection { get }

  /// Goes to the next section; false after the last.
  ///
  /// Throws unless the opening balance and the amounts add up to the balance that the ledger has.
  func next() throws(Failure) -> Bool
}

/// What changed the balance of an account in a currency.
package final class AccountSection {
  /// The balance at the beginning or the end of a section.
  package struct Balance: Sendable {
    package let day: CalendarDay
    /// The payment of a payout directly before it, if it is shown.
    package let transfer: PaymentReference?
    package let amount: ExactDecimal
  }

  /// A row between the opening and the closing balance.
  package struct Row: Sendable {
    /// What it shows.
    package let note: BookReading.Change.Note
    /// The figures of a run as a range of ``AccountSection/figures``; empty for others, and if no directory is read.
    package let figures: Range<Int>
    /// The place of the run or payout in its order.
    let place: Int
    /// The number of the run, or of the payout that books it.
    package let number: Int
    /// The booking day.
    package let day: CalendarDay
    /// What it added to the balance; negative if it took something.
    package let amount: ExactDecimal
    /// The balance after it.
    package let balance: ExactDecimal
  }

  package internal(set) var account: [UInt8] = []
  /// The currency of the amounts.
  package internal(set) var currency = Currency.all[0]
  /// The payment of a payout whose contents the section has; nil if it is one of a period.
  package internal(set) var transfer: PaymentReference?
  /// The balance before the rows.
  package internal(set) var opening: Balance
  /// The rows in order. A night is one row, also if its payments are shown.
  package private(set) var rows: [Row] = []
  /// The fields `payments` to `refund_net` of runs, as written in `receivers.csv`.
  package private(set) var figures: [UInt8] = []
  /// The balance after the rows.
  package var closing: Balance { Balance(day: lastDay, transfer: nil, amount: amount) }

  /// How much of nights is shown; nil if no directory is read.
  package let nightRows: NightRowKind?

  let ledger: LedgerReading
  /// Runs and payouts in an order, and their booking days.
  let bookings: [Booking]
  private let days: [CalendarDay]
  private let lastDay: CalendarDay
  let nights: NightTables?

  init(
    _ ledger: LedgerReading, _ bookings: [Booking], _ days: [CalendarDay], shown: ClosedRange<CalendarDay>,
    _ nights: NightTables?, _ nightRows: NightRowKind?
  ) {
    (self.ledger, self.bookings, self.days) = (ledger, bookings, days)
    (self.nights, self.nightRows) = (nights, nightRows)
    (opening, lastDay) = (Balance(day: shown.lowerBound, transfer: nil, amount: .zero), shown.upperBound)
  }

  private var amount: ExactDecimal { rows.last?.balance ?? opening.amount }

  /// The booking day of a run or payout, by its place.
  func day(_ place: Int) -> CalendarDay { days[place] }

  /// Begins a section.
  func begin(_ account: [UInt8], _ currency: Currency, _ opening: Balance) {
    (self.account, self.currency, self.opening) = (account, currency, opening)
    rows.removeAll(keepingCapacity: true)
    figures.removeAll(keepingCapacity: true)
  }

  /// Adds a row of the ledger.
  func append(_ place: Int, _ note: BookReading.Change.Note, _ amount: ExactDecimal, figures: Range<Int> = 0..<0) {
    rows.append(
      Row(
        note: note, figures: figures, place: place, number: bookings[place].number, day: days[place], amount: amount,
        balance: self.amount + amount))
  }

  /// Adds the next row of the nights, and goes to the one after it.
  func append(_ night: NightRows) throws(Failure) {
    let start = figures.count
    figures += night.figures
    let payout = String(decoding: night.payout, as: UTF8.self)
    append(night.place, .run, ExactDecimal(payout)!, figures: start..<figures.count)
    try nights!.advance()
  }

  /// Whether a row is replaced by those of its payments and refunds.
  package func showsPayments(of row: Row) -> Bool {
    if case .run = row.note { nightRows == .payments } else { false }
  }

  /// Passes on the account's payments and refunds of a night. Call it once for each row that they replace, in order.
  ///
  /// Throws unless they add up to the night's row.
  package func forEachPayment(
    of row: Row, _ take: (NightPayment) throws(Failure) -> Void
  ) throws(Failure) {
    try nights!.payments!.forEach(
      of: account, currency, at: row.place, figures: figures[row.figures], from: row.balance - row.amount, take)
  }
}
