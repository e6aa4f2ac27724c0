import Failures
import Ledger
import Money

/// The contents of a payout's payments, or of one of them (`contents.md`).
package final class PayoutContents: AccountSections {
  package let section: AccountSection
  private let transfers: Transfers
  private let places: [EntryID: Int]

  /// With more accounts, the rows of all accounts are read.
  private static let mostAccounts = 200_000

  /// - Parameters:
  ///   - only: the payment that is asked for; nil for all.
  ///   - reading: how nights are read; nil if no directory is to be read.
  package init(
    _ ledger: LedgerReading, of payout: PayoutEntry, only: PaymentReference?, _ reading: NightReading?
  ) throws(Failure) {
    let bookings = try ledger.bookOrder(until: payout)
    let booked = ledger.order.booked
    let days = bookings.map { booked[$0.id]! }
    let places = Dictionary(uniqueKeysWithValues: bookings.enumerated().map { ($1.id, $0) })
    self.places = places
    let transfers =
      if let only { Transfers(try ledger.paidOut(only)!, places) } else {
        Transfers(try ledger.transfers(bookings))
      }
    var nights: NightTables?
    if let reading {
      nights = try NightTables(
        ledger, bookings, at: transfers.runs.sorted(), of: transfers.accounts(atMost: Self.mostAccounts), reading,
        mayPassOver: true)
    }
    self.transfers = transfers
    section = AccountSection(ledger, bookings, days, shown: days.last!...days.last!, nights, reading?.rows)
  }

  package func next() throws(Failure) -> Bool {
    guard let (account, currency, contents) = try transfers.next() else { return false }
    section.transfer = contents.reference
    let first = contents.previous.map { .payout($0.payout) } ?? (contents.entries.first ?? contents.payment).id
    section.begin(
      account, currency,
      AccountSection.Balance(day: section.day(places[first]!), transfer: contents.previous, amount: contents.opening))
    for entry in contents.entries {
      let place = places[entry.id]!
      if entry.kind == .run, let nights = section.nights {
        try section.append(nights.row(of: account, currency, at: place))
      } else {
        section.append(place, entry.note, entry.amount)
      }
    }
    section.append(places[contents.payment.id]!, contents.payment.note, contents.payment.amount)
    guard section.closing.amount == contents.carried else {
      throw .inputOutput(
        "\(section.ledger.shown): the books do not balance: the contents of \(contents.reference) lead to \(section.closing.amount), and "
          + "it carries \(contents.carried). Nothing was published")
    }
    return true
  }
}

/// The payments of a payout with their contents, or one of them.
private enum Transfers {
  case all(PayoutTransfers)
  case one(OnlyTransfer)

  init(_ all: PayoutTransfers) { self = .all(all) }

  init(_ paid: PaidOut, _ places: [EntryID: Int]) { self = .one(OnlyTransfer(paid, places)) }

  /// The places of the runs in the contents.
  var runs: Set<Int> {
    switch self {
    case .all(let all): all.runs
    case .one(let one): one.runs
    }
  }

  /// Their accounts; all accounts if there are more.
  func accounts(atMost most: Int) -> AskedAccounts {
    switch self {
    case .all(let all): all.count > most ? .all : .these(Set((0..<all.count).map(all.account)))
    case .one(let one): .these([one.paid.payment.account])
    }
  }

  func next() throws(Failure) -> (account: [UInt8], currency: Currency, transfer: Transfer)? {
    switch self {
    case .all(let all): try all.next()
    case .one(let one): one.next()
    }
  }
}

/// One payment with its contents.
private final class OnlyTransfer {
  let paid: PaidOut
  let runs: Set<Int>
  private var isTaken = false

  init(_ paid: PaidOut, _ places: [EntryID: Int]) {
    self.paid = paid
    runs = Set(paid.contents.entries.filter { $0.kind == .run }.map { places[$0.id]! })
  }

  func next() -> (account: [UInt8], currency: Currency, transfer: Transfer)? {
    defer { isTaken = true }
    return isTaken ? nil : (paid.payment.account, paid.payment.currency, paid.contents)
  }
}
