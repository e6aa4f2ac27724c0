import ExactArithmetic
import Failures
import Money
import SQLite

/// The payments of payouts in which the money of an account left (`contents.md`).
public struct MoneyWay: Sendable {
  /// Why it still waits.
  public enum Wait: String, Sendable {
    /// The run counts zero for good.
    case notCounted = "NOT_COUNTED"
    /// The rows of the run add up to zero, or the balance after the last payout is zero.
    case zero = "ZERO"
    /// No payout is after the run.
    case noPayout = "NO_PAYOUT"
    /// The last payout carried the balance.
    case carried = "CARRIED"
  }

  /// The account, in lower case.
  public let account: [UInt8]
  /// The currency of the money.
  public let currency: Currency
  /// The payments in order; each but perhaps the last came back.
  public internal(set) var references: [PaymentReference] = []
  /// What the last payment left of the balance; nil if it came back, or nothing was paid yet.
  public internal(set) var carried: ExactDecimal?
  /// Why it still waits; nil if it was paid.
  public internal(set) var wait: Wait?

  init(_ account: [UInt8], _ currency: Currency) { (self.account, self.currency) = (account, currency) }
}

/// Follows the money of accounts from run to payment, and from return to payment. It reads only the lists that it needs.
public final class MoneyTrace {
  private let database: Database
  /// The runs and payouts in book order.
  private let bookings: [Booking]
  private let payouts: [Int: PayoutEntry]
  /// The first run that counts.
  private let firstRun: Int
  /// The place of the last payout; -1 without one.
  private let lastPayout: Int

  init(_ database: Database, until last: Int, _ payouts: [PayoutEntry]) throws {
    self.database = database
    self.payouts = Dictionary(uniqueKeysWithValues: payouts.map { ($0.number, $0) })
    firstRun = try Booking.firstRun(database, payouts)
    bookings = try Booking.inBookOrder(
      database, runs: firstRun <= last ? firstRun...last : nil, Booking.payouts(database, payouts))
    lastPayout = bookings.lastIndex { $0.id.kind == .payout } ?? -1
  }

  /// The way of what a run gave an account, or took from it.
  ///
  /// - Parameter account: in lower case.
  public func way(of account: [UInt8], _ currency: Currency, from run: RunEntry) throws(Failure) -> MoneyWay {
    try database.telling {
      var way = MoneyWay(account, currency)
      guard run.number >= firstRun, run.balanceCount != nil else {
        way.wait = .notCounted
        return way
      }
      // A run without entries is not among the bookings.
      let place = bookings.firstIndex { $0.id == run.id }
      guard let place, try find(way, .run, at: place, { _ in true }) != nil else {
        way.wait = .zero
        return way
      }
      if lastPayout < place { way.wait = .noPayout } else { try follow(&way, from: place) }
      return way
    }
  }

  /// The way of a payment that came back, from its return on; nil if it did not come back.
  public func way(
    of account: [UInt8], _ currency: Currency, returned reference: PaymentReference
  ) throws(Failure) -> MoneyWay? {
    try database.telling {
      var way = MoneyWay(account, currency)
      guard let place = try returned(way, reference, after: bookings.startIndex) else { return nil }
      try follow(&way, from: place)
      return way
    }
  }

  private func follow(_ way: inout MoneyWay, from start: Int) throws {
    var start = start
    while let (place, number) = try firstPayment(way, from: start) {
      let reference = PaymentReference(payout: bookings[place].number, number: number)
      way.references.append(reference)
      guard let back = try returned(way, reference, after: place) else {
        way.carried = try balance(way, after: place)
        return
      }
      start = back
    }
    way.wait = try balance(way, after: lastPayout).isZero ? .zero : .carried
  }

  private func firstPayment(_ way: MoneyWay, from start: Int) throws -> (place: Int, number: Int)? {
    for place in start..<bookings.count {
      if let number = try find(way, .payments, at: place, { $0.number }) { return (place, number) }
    }
    return nil
  }

  private func returned(_ way: MoneyWay, _ reference: PaymentReference, after start: Int) throws -> Int? {
    for place in start..<bookings.count {
      let isThere = try find(way, .returns, at: place) { stream in
        try ReturnNote(stream.note).reference == reference ? true : nil
      }
      if isThere != nil { return place }
    }
    return nil
  }

  /// The first entry of the account in a list for which `take` returns something.
  private func find<Found>(
    _ way: MoneyWay, _ kind: ListKind, at place: Int, _ take: (AccountStream) throws -> Found?
  ) throws -> Found? {
    guard let count = bookings[place].lists.first(where: { $0.kind == kind })?.count else { return nil }
    var found: Found?
    try AccountLookup(database, bookings[place].list(kind), count: count).forEach(way.account) { stream in
      if found == nil, stream.currency == way.currency { found = try take(stream) }
    }
    return found
  }

  // MARK: Balances

  /// The balance directly after a payout, from its stored balances or by the fewest lists.
  private func balance(_ way: MoneyWay, after place: Int) throws -> ExactDecimal {
    let zero = ExactDecimal.zero(at: -way.currency.settlementExponent)
    if let stored = try stored(way, at: place) { return stored }
    guard let stored = try stored(way, at: lastPayout), lastPayout - place <= place else {
      return try sum(way, 0...place, from: zero)
    }
    return stored - (try sum(way, place + 1...lastPayout, from: zero))
  }

  private func sum(_ way: MoneyWay, _ places: ClosedRange<Int>, from zero: ExactDecimal) throws -> ExactDecimal {
    var sum = zero
    for place in places {
      for (kind, count) in bookings[place].lists {
        try AccountLookup(database, bookings[place].list(kind), count: count).forEach(way.account) { stream in
          if stream.currency == way.currency { sum.add(stream.change) }
        }
      }
    }
    return sum
  }

  /// The balance that the ledger keeps as one that a payout left; nil if it keeps none.
  private func stored(_ way: MoneyWay, at place: Int) throws -> ExactDecimal? {
    let (list, count) = (bookings[place].list(.closings), bookings[place].closings)
    guard let count, try list.isKept(database, count: count) else { return nil }
    var balance = ExactDecimal.zero(at: -way.currency.settlementExponent)
    try AccountLookup(database, list, count: count).forEach(way.account) { stream in
      if stream.currency == way.currency { balance.set(stream.amount) }
    }
    return balance
  }
}

extension LedgerReading {
  /// Follows the money of accounts through the payments of payouts.
  public func moneyTrace() throws(Failure) -> MoneyTrace {
    try read { try MoneyTrace($0, until: lastRun, history.payouts) }
  }
}
