import ExactArithmetic
import Failures
import Ledger
import Money
import Records

/// The contents of a payout's payments, or of one of them (`contents.md`).
package final class PayoutContents: AccountSections {
  private let transfers: Transfers
  private let places: [EntryID: Int]

  /// Up to so many accounts are told from others; of more, the rows of all are read.
  private static let mostAccounts = 200_000

  /// - Parameters:
  ///   - only: the payment that is asked for; nil for all.
  ///   - reading: how nights are read; nil if no directory is to be read.
  package init(
    _ ledger: AccountLedger, of payout: PayoutEntry, only: PaymentReference?, _ reading: NightReading?
  ) throws(Failure) {
    let bookings = try ledger.reading.bookOrder(until: payout, ledger.history.payouts)
    let booked = ledger.order.booked
    let days = bookings.map { booked[$0.id]! }
    let places = Dictionary(uniqueKeysWithValues: bookings.enumerated().map { ($1.id, $0) })
    self.places = places
    func open() throws(Failure) -> Transfers {
      guard let only else { return Transfers(bookings, try ledger.reading.period(bookings, 0..<bookings.count)) }
      let paid = try ledger.paidOut(only)!
      return Transfers(paid.payment, paid.contents)
    }
    var nights: NightTables?
    if let reading {
      var needed: Set<Int> = []
      var accounts: Set<[UInt8]>? = []
      let all = try open()
      while try all.next() {
        for entry in all.transfer!.entries where entry.kind == .run { needed.insert(places[entry.id]!) }
        accounts?.insert(all.account)
        if accounts?.count ?? 0 > Self.mostAccounts { accounts = nil }
      }
      nights = try NightTables(
        ledger, bookings, at: needed.sorted(), of: accounts.map { .these($0) } ?? .all, reading, mayPassOver: true)
    }
    transfers = try open()
    super.init(ledger, bookings, days, shown: days.last!...days.last!, nights, reading?.rows)
  }

  package override func next() throws(Failure) -> Bool {
    guard try transfers.next() else { return false }
    let (account, currency, contents) = (transfers.account, transfers.currency, transfers.transfer!)
    transfer = contents.reference
    let first = contents.previous ?? contents.entries.first ?? contents.payment
    begin(
      account, currency,
      Balance(day: day(places[first.id]!), transfer: contents.previous?.transfer, amount: contents.opening))
    for entry in contents.entries {
      let place = places[entry.id]!
      if entry.kind == .run, let nights {
        try append(nights.row(of: account, currency, at: place))
      } else {
        append(place, entry.note, entry.amount)
      }
    }
    append(places[contents.payment.id]!, contents.payment.note, contents.payment.amount)
    guard closing.amount == contents.carried else {
      throw .inputOutput(
        "\(ledger.shown): the books do not balance: the contents of \(contents.reference) lead to \(closing.amount), and "
          + "it carries \(contents.carried). Nothing was published")
    }
    return true
  }
}

/// The payments of a payout with their contents, or one of them, in the order of their numbers.
private final class Transfers {
  /// The current account; valid until the next one.
  private(set) var account: [UInt8] = []
  private(set) var currency = Currency.all[0]
  private(set) var transfer: Transfer?
  private let bookings: [Booking]
  /// All entries; nil if there is only one payment.
  private let books: BookReading?

  init(_ bookings: [Booking], _ books: BookReading) { (self.bookings, self.books) = (bookings, books) }

  init(_ payment: AccountAmount, _ only: Transfer) {
    (bookings, books) = ([], nil)
    (account, currency, transfer) = (payment.account, payment.currency, only)
    isFirst = true
  }

  /// Whether the only payment was not passed on yet.
  private var isFirst = false

  func next() throws(Failure) -> Bool {
    guard let books else {
      defer { isFirst = false }
      return isFirst
    }
    while try books.next() {
      guard let last = books.changes.last, last.place == bookings.count - 1, case .payment(let number) = last.note
      else { continue }
      var balance = books.opening
      let entries = books.changes.map { change in
        balance.add(change.amount)
        return AccountBook.Entry(bookings[change.place!].id, change.note, change.amount, balance: balance)
      }
      let reference = PaymentReference(payout: bookings.last!.number, number: number)
      (account, currency) = (books.account, books.currency)
      transfer = Transfer(reference, in: entries, currency)
      return true
    }
    return false
  }
}
