import ExactArithmetic
import Failures
import FileSystem
import Money
import SQLite

/// All balances before and after a period, and what changed them in it, one by one in the order of account and
/// currency.
///
/// The lists of runs and payouts are merged in entry order (`accounts.md`), beginning with the balances that a payout
/// left if one of the last two came before the period. Memory grows with the lists, by some 60 KB each, not with the
/// accounts.
public final class PeriodReading {
  /// A change to a balance in the period.
  public struct Change: Sendable {
    /// What identifies it besides its run or payout.
    public enum Note: Sendable {
      /// A run's payments and refunds.
      case run
      /// A payment that came back.
      case returned(ReturnNote)
      /// What was decided outside of batches.
      case adjusted(AdjustmentNote)
      /// A payment, by its number in the payout.
      case payment(Int)
    }

    /// The place of its run or payout in entry order.
    public let place: Int
    /// The kind of change.
    public let note: Note
    /// What it added; negative if it took something.
    public let amount: ExactDecimal
  }

  /// The current account; valid until the next one.
  public private(set) var account: [UInt8] = []
  /// The currency of the amounts.
  public private(set) var currency = Currency.all[0]
  /// The balance before the period.
  public private(set) var opening = ExactDecimal.zero
  /// The changes in the period, in entry order.
  public private(set) var changes: [Change] = []
  /// The balance after the period.
  public private(set) var closing = ExactDecimal.zero
  /// The run in which the closing balance last left zero or changed its sign, in entry order; 0 if it is zero.
  public private(set) var since = 0

  private struct Source {
    let kind: AccountList.Kind
    /// The place in entry order; -1 for balances that a payout left.
    let place: Int
    let run: Int
  }

  private let database: Database
  private var sources: [Source] = []
  private var merge: Merge<AccountStream>
  private let start: Int

  /// - Parameters:
  ///   - bookings: all runs and payouts in entry order.
  ///   - period: the places of those in the period; what comes after it does not count.
  init(_ database: Database, _ bookings: [EnteredBooking], period: Range<Int>) throws {
    self.database = database
    start = period.lowerBound
    let base = try Self.base(database, bookings, before: start)
    var streams: [AccountStream] = []
    if let base, case .payout(let payout) = bookings[base].source, payout.carried > 0 {
      let list = AccountList(kind: .closings, number: payout.number)
      streams.append(try AccountStream(database, list, count: payout.carried))
      sources.append(Source(kind: .closings, place: -1, run: 0))
    }
    for place in (base.map { $0 + 1 } ?? 0)..<period.upperBound {
      for (list, count) in bookings[place].lists {
        streams.append(try AccountStream(database, list, count: count))
        sources.append(Source(kind: list.kind, place: place, run: bookings[place].run))
      }
    }
    merge = try Merge(streams)
  }

  /// The place of the last payout before the period whose balances are stored, if they count the same in entry order;
  /// nil if all entries must be read.
  private static func base(_ database: Database, _ bookings: [EnteredBooking], before start: Int) throws -> Int? {
    for place in (0..<start).reversed() {
      guard case .payout(let payout) = bookings[place].source, try BookReading.isKept(database, payout) else {
        continue
      }
      return EnteredBooking.isBookOrder(bookings, upTo: place) ? place : nil
    }
    return nil
  }

  /// Goes to the next account and currency with an entry; false after the last.
  public func next() throws(Failure) -> Bool { try database.telling { try advance() } }

  private func advance() throws -> Bool {
    guard let (_, first) = merge.next else { return false }
    account.replaceSubrange(account.indices, with: first.account)
    currency = first.currency
    let zero = ExactDecimal.zero(at: -currency.settlementExponent)
    (opening, closing, since) = (zero, zero, 0)
    changes.removeAll(keepingCapacity: true)
    while let (place, stream) = merge.next, isCurrent(stream) {
      try add(stream, sources[place])
      try merge.advance()
    }
    return true
  }

  private func isCurrent(_ stream: AccountStream) -> Bool {
    let account = account
    return stream.compare(account.span, currency) == 0
  }

  private func add(_ stream: AccountStream, _ source: Source) throws {
    var amount = stream.amount
    if source.kind == .payments { amount.negate() }
    let before = closing
    closing.add(amount)
    if closing.isZero {
      since = 0
    } else if before.isZero || before.isNegative != closing.isNegative {
      since = source.kind == .closings ? AccountBook.since(of: stream.note) : source.run
    }
    guard source.place >= start else { return opening.set(closing) }
    changes.append(Change(place: source.place, note: try Change.Note(stream, source.kind), amount: amount))
  }
}

extension PeriodReading.Change.Note {
  /// What identifies the current entry of a list.
  init(_ stream: AccountStream, _ kind: AccountList.Kind) throws(Failure) {
    switch kind {
    case .run, .closings, .refusals: self = .run
    case .returns: self = .returned(try ReturnNote(stream.note))
    case .adjustments: self = .adjusted(try AdjustmentNote(stream.note))
    case .payments: self = .payment(stream.number)
    }
  }
}

extension LedgerReading {
  /// Balances and changes in a period.
  ///
  /// - Parameters:
  ///   - bookings: all runs and payouts that count, in entry order.
  ///   - period: the places of those in the period.
  public func period(_ bookings: [EnteredBooking], _ period: Range<Int>) throws(Failure) -> PeriodReading {
    try database.telling { try PeriodReading(database, bookings, period: period) }
  }

  /// The entries of a run or payout, list by list in the order in which they are booked.
  public func lists(of booking: EnteredBooking) throws(Failure) -> [BookedAmounts] {
    try database.telling {
      try booking.lists.map { try BookedAmounts(database, $0.list, count: $0.count) }
    }
  }

  /// Whether an account has an entry, in any run or payout.
  ///
  /// - Parameter account: in lower case.
  public func hasEntry(of account: [UInt8], in bookings: [EnteredBooking]) throws(Failure) -> Bool {
    try database.telling {
      for booking in bookings {
        for (list, count) in booking.allLists {
          var isThere = false
          try AccountLookup(database, list, count: count).forEach(account) { _ in isThere = true }
          if isThere { return true }
        }
      }
      return false
    }
  }
}
