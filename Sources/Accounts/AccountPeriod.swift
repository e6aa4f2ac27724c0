import ExactArithmetic
import Failures
import FileSystem
import Ledger
import Money
import Records

/// What happened to accounts in a period, one account and currency after the other, in the order of account and
/// currency.
///
/// The ledger's entries are merged with the rows of the nights' `receivers.csv`, which are first copied to a file next
/// to the output. Memory grows with the runs and payouts, not with the accounts.
package final class AccountPeriod {
  /// A row between the opening and the closing balance.
  package struct Row: Sendable {
    /// What it shows.
    package let note: BookReading.Change.Note
    /// The figures of a run as a range of ``AccountPeriod/figures``; empty for others, and if no directory is read.
    package let figures: Range<Int>
    /// The number of the run, or of the payout that books it.
    package let number: Int
    /// The booking day.
    package let day: CalendarDay
    /// What it added to the balance; negative if it took something.
    package let amount: ExactDecimal
    /// The balance after it.
    package let balance: ExactDecimal
  }

  /// The current account; valid until the next one.
  package private(set) var account: [UInt8] = []
  /// The currency of the amounts.
  package private(set) var currency = Currency.all[0]
  /// The balance before the period.
  package private(set) var opening = ExactDecimal.zero
  /// The rows in entry order.
  package private(set) var rows: [Row] = []
  /// The fields `payments` to `refund_net` of runs, as written in `receivers.csv`.
  package private(set) var figures: [UInt8] = []
  /// The balance after the period.
  package var closing: ExactDecimal { rows.last?.balance ?? opening }

  /// Whether the figures of nights are read from their directories.
  package var readsNights: Bool { nights != nil }

  private let ledger: AccountLedger
  private let booked: BookReading
  private var isBooked: Bool
  /// The rows of the nights; nil if no directory is read.
  private var nights: Merge<NightRows>?
  private let isSelected: ([UInt8]) -> Bool

  /// - Parameters:
  ///   - places: the period, by its places in entry order.
  ///   - isSelected: whether an account is asked for.
  ///   - spool: an empty file for the rows of the nights; nil if no directory is to be read.
  package init(
    _ ledger: AccountLedger, _ places: Range<Int>, isSelected: @escaping ([UInt8]) -> Bool, spool: SpoolFile?
  ) throws(Failure) {
    (self.ledger, self.isSelected) = (ledger, isSelected)
    if let spool {
      let sources = try Self.copy(ledger, places, isSelected, to: spool)
      nights = try Merge(sources)
    }
    booked = try ledger.period(places)
    isBooked = try booked.next()
  }

  private static let lineFeed: [UInt8] = [0x0A]

  private static func copy(
    _ ledger: AccountLedger, _ places: Range<Int>, _ isSelected: ([UInt8]) -> Bool, to spool: SpoolFile
  ) throws(Failure) -> [NightRows] {
    let figures = NightFigures(
      ledger, remedy: "--no-nights makes the statements without the figures of nights, and reads no directory")
    var ranges: [(place: Int, range: Range<Int>)] = []
    for place in places {
      guard let run = ledger.order.run(at: place), ledger.order.bookings[place].counts else { continue }
      let start = spool.count
      try figures.receivers(of: run, ledger.order.bookings[place]) { line, accountLength throws(Failure) in
        guard isSelected([UInt8](line.extracting(first: accountLength))) else { return }
        try spool.append(line)
        try spool.append(Self.lineFeed.span)
      }
      ranges.append((place, start..<spool.count))
    }
    try spool.flush()
    return ranges.map { NightRows(spool, $0.range, place: $0.place) }
  }

  /// Goes to the next account and currency that has rows, or an opening balance; false after the last.
  ///
  /// Throws unless the opening balance and the amounts add up to the balance that the ledger has.
  package func next() throws(Failure) -> Bool {
    while let key = nextKey() {
      (account, currency) = key
      let isInLedger = isBooked && booked.account == account && booked.currency == currency
      let zero = ExactDecimal.zero(at: -currency.settlementExponent)
      opening = isInLedger ? booked.opening : zero
      rows.removeAll(keepingCapacity: true)
      figures.removeAll(keepingCapacity: true)
      try appendRows(isInLedger ? booked.changes : [])
      let known = isInLedger ? booked.closing : zero
      if isInLedger { isBooked = try booked.next() }
      guard isSelected(account) else { continue }
      guard closing == known else {
        throw .inputOutput(
          "\(ledger.shown): the books do not balance: \(String(decoding: account, as: UTF8.self)) \(currency.code) opens "
            + "with \(opening), its entries lead to \(closing), and its balance is \(known). Nothing was published")
      }
      if !rows.isEmpty || !opening.isZero { return true }
    }
    return false
  }

  /// The least account and currency of the ledger and the nights.
  private func nextKey() -> (account: [UInt8], currency: Currency)? {
    guard let night = nights?.next?.source else { return isBooked ? (booked.account, booked.currency) : nil }
    guard isBooked else { return (Array(night.account), night.currency) }
    let (own, others) = (booked.account, night.account)
    let order = own.span.compare(others.span)
    let isLedgerFirst = order == 0 ? booked.currency <= night.currency : order < 0
    return isLedgerFirst ? (booked.account, booked.currency) : (Array(night.account), night.currency)
  }

  /// Takes the rows of the current account: changes of the ledger, and rows of nights in place of its runs.
  private func appendRows(_ changes: [BookReading.Change]) throws(Failure) {
    var changes = changes[...]
    while let (_, night) = nights?.next, night.currency == currency, night.account.elementsEqual(account) {
      while let change = changes.first, change.place! < night.place { append(changes.removeFirst()) }
      let start = figures.count
      figures += night.figures
      let payout = String(decoding: night.payout, as: UTF8.self)
      append(night.place, .run, figures: start..<figures.count, ExactDecimal(payout)!)
      try nights!.advance()
    }
    for change in changes { append(change) }
  }

  private func append(_ change: BookReading.Change) {
    // With the reports of nights, a run's row comes from these.
    if case .run = change.note, nights != nil { return }
    append(change.place!, change.note, change.amount)
  }

  private func append(
    _ place: Int, _ note: BookReading.Change.Note, figures: Range<Int> = 0..<0, _ amount: ExactDecimal
  ) {
    let balance = closing + amount
    rows.append(
      Row(
        note: note, figures: figures, number: ledger.order.bookings[place].number, day: ledger.order.days[place],
        amount: amount, balance: balance))
  }
}
