import ExactArithmetic
import Failures
import FileSystem
import Money
import SQLite

/// The payments of a payout with their contents, in the order of their numbers.
///
/// First the lists of all runs and payouts before it are read one after the other, the newest first: for the last payment
/// before each, the balance after that, and the runs in the contents. Then the lists since the oldest contents are merged.
/// Memory: some 80 bytes for each payment, and some 60 KB for each list that is merged.
public final class PayoutTransfers {
  /// Where the contents of a payment begin.
  private struct Start {
    /// The place of the payout with the last payment before it; -1 without one.
    var place = -1
    /// The number of that payment.
    var number = 0
    /// The balance after it.
    var opening: ExactDecimal
  }

  /// The places of the runs that are in the contents of a payment.
  public private(set) var runs: Set<Int> = []

  private let database: Database
  /// The runs and payouts in book order; the last is the payout.
  private let bookings: [Booking]
  /// The accounts of the payments, one after the other, and where each ends.
  private var accounts: [UInt8] = []
  private var ends: [Int] = []
  private var currencies: [Currency] = []
  private var starts: [Start] = []
  /// The place of the first entry of any contents.
  private var first: Int
  private var merge = Merge<AccountStream>?.none
  /// The places of the merged lists.
  private var places: [Int] = []
  private var current = -1

  /// - Parameter bookings: the runs and payouts in book order, up to the payout.
  init(_ database: Database, _ bookings: [Booking]) throws {
    (self.database, self.bookings, first) = (database, bookings, bookings.count - 1)
    if let (kind, count) = bookings.last!.lists.first(where: { $0.kind == .payments }) {
      let stream = try AccountStream(database, bookings.last!.list(kind), count: count)
      while try stream.next() {
        accounts += stream.account
        ends.append(accounts.count)
        currencies.append(stream.currency)
        starts.append(Start(opening: .zero(at: -stream.currency.settlementExponent)))
      }
    }
    for place in bookings.indices.reversed() {
      for (kind, count) in bookings[place].lists.reversed()
      where kind != .payments || place < bookings.count - 1 {
        try find(AccountStream(database, bookings[place].list(kind), count: count), place)
      }
    }
    try open()
  }

  /// The number of payments.
  public var count: Int { starts.count }

  /// The account of a payment, by its place.
  public func account(_ place: Int) -> [UInt8] { Array(accounts[range(place)]) }

  private func range(_ place: Int) -> Range<Int> { (place == 0 ? 0 : ends[place - 1])..<ends[place] }

  /// Looks for entries of the payments' accounts in a list.
  private func find(_ stream: AccountStream, _ place: Int) throws {
    let accounts = accounts
    var at = 0
    while try stream.next() {
      var order = 1
      while at < starts.count {
        order = stream.compare(accounts.span.extracting(range(at)), currencies[at])
        if order <= 0 { break }
        at += 1
      }
      if at == starts.count { return }
      if order == 0 { note(stream, place, at) }
    }
  }

  private func note(_ stream: AccountStream, _ place: Int, _ payment: Int) {
    if starts[payment].place < 0 {
      guard stream.kind == .payments else {
        first = min(first, place)
        if stream.kind == .run { runs.insert(place) }
        return
      }
      (starts[payment].place, starts[payment].number) = (place, stream.number)
    }
    starts[payment].opening.add(stream.change)
  }

  /// Opens the lists since the oldest contents.
  private func open() throws {
    var streams: [AccountStream] = []
    for place in first..<bookings.count {
      for (kind, count) in bookings[place].lists {
        streams.append(try AccountStream(database, bookings[place].list(kind), count: count))
        places.append(place)
      }
    }
    merge = try Merge(streams)
  }

  /// The next payment, with its account and currency; nil after the last.
  public func next() throws(Failure) -> (account: [UInt8], currency: Currency, transfer: Transfer)? {
    current += 1
    guard current < starts.count else { return nil }
    return try database.telling { try take(account(current), currencies[current], starts[current]) }
  }

  private func take(
    _ account: [UInt8], _ currency: Currency, _ start: Start
  ) throws -> (account: [UInt8], currency: Currency, transfer: Transfer) {
    var entries: [AccountBook.Entry] = []
    var balance = start.opening
    while let (list, stream) = merge!.next {
      let order = stream.compare(account.span, currency)
      if order > 0 { break }
      if order == 0, places[list] > start.place {
        balance.add(stream.change)
        entries.append(
          AccountBook.Entry(
            bookings[places[list]].id, try BookReading.Change.Note(stream), stream.change, balance: balance))
      }
      try merge!.advance()
    }
    let before = start.place < 0 ? nil : PaymentReference(payout: bookings[start.place].number, number: start.number)
    let transfer = Transfer(entries.last!.transfer!, after: before, opening: start.opening, entries[...])
    return (account, currency, transfer)
  }
}

extension LedgerReading {
  /// The payments of a payout with their contents.
  ///
  /// - Parameter bookings: the runs and payouts in book order, up to the payout.
  public func transfers(_ bookings: [Booking]) throws(Failure) -> PayoutTransfers {
    try database.telling { try PayoutTransfers(database, bookings) }
  }
}
