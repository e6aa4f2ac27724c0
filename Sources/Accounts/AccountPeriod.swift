import ExactArithmetic
import Failures
import Ledger
import Money
import Records

/// What happened to accounts in a period.
///
/// The ledger's entries are merged with the rows of the nights' `receivers.csv`, which are first copied to a file next
/// to the output.
package final class AccountPeriod: AccountSections {
  package let section: AccountSection
  private let booked: BookReading
  private var isBooked: Bool
  private let asked: AskedAccounts

  /// - Parameters:
  ///   - since: the first booking day; nil from the beginning.
  ///   - until: the last booking day; nil up to now.
  ///   - reading: how nights are read; nil if no directory is to be read.
  package init(
    _ ledger: LedgerReading, since: CalendarDay?, until: CalendarDay?, of asked: AskedAccounts, _ reading: NightReading?
  ) throws(Failure) {
    let order = ledger.order
    let places = order.places(since: since, until: until)
    let first = since ?? min(order.days.first ?? .today, until ?? .today)
    var nights: NightTables?
    if let reading { nights = try NightTables(ledger, order.bookings, at: places, of: asked, reading) }
    booked = try ledger.period(places)
    isBooked = try booked.next()
    self.asked = asked
    section = AccountSection(
      ledger, order.bookings, order.days, shown: first...max(first, until ?? .today), nights, reading?.rows)
  }

  /// Goes to the next account and currency that has rows, or an opening balance; false after the last.
  package func next() throws(Failure) -> Bool {
    while let (account, currency) = nextKey() {
      let isInLedger = isBooked && booked.account == account && booked.currency == currency
      let zero = ExactDecimal.zero(at: -currency.settlementExponent)
      section.begin(
        account, currency,
        AccountSection.Balance(day: section.opening.day, transfer: nil, amount: isInLedger ? booked.opening : zero))
      try appendRows(isInLedger ? booked.changes : [])
      let known = isInLedger ? booked.closing : zero
      if isInLedger { isBooked = try booked.next() }
      guard asked.contains(account.span) else { continue }
      guard section.closing.amount == known else {
        throw .inputOutput(
          "\(section.ledger.shown): the books do not balance: \(String(decoding: account, as: UTF8.self)) \(currency.code) opens "
            + "with \(section.opening.amount), its entries lead to \(section.closing.amount), and its balance is \(known). "
            + "Nothing was published")
      }
      if !section.rows.isEmpty || !section.opening.amount.isZero { return true }
    }
    try section.nights?.payments?.finish()
    return false
  }

  /// The least account and currency of the ledger and the nights.
  private func nextKey() -> (account: [UInt8], currency: Currency)? {
    guard let night = section.nights?.next else { return isBooked ? (booked.account, booked.currency) : nil }
    guard isBooked else { return (Array(night.account), night.currency) }
    let (own, others) = (booked.account, night.account)
    let order = own.span.compare(others.span)
    let isLedgerFirst = order == 0 ? booked.currency <= night.currency : order < 0
    return isLedgerFirst ? (booked.account, booked.currency) : (Array(night.account), night.currency)
  }

  /// Takes the rows of the current account: changes of the ledger, and rows of nights in place of its runs.
  private func appendRows(_ changes: [BookReading.Change]) throws(Failure) {
    var changes = changes[...]
    while let night = section.nights?.next, night.currency == section.currency,
      night.account.elementsEqual(section.account)
    {
      while let change = changes.first, change.place! < night.place { append(changes.removeFirst()) }
      try section.append(night)
    }
    for change in changes { append(change) }
  }

  private func append(_ change: BookReading.Change) {
    // With the reports of nights, a run's row comes from these.
    if case .run = change.note, section.nights != nil { return }
    section.append(change.place!, change.note, change.amount)
  }
}
