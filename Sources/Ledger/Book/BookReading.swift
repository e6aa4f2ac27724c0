import ExactArithmetic
import Failures
import FileSystem
import Money
import Records
import SQLite

/// All balances before and after some runs and payouts, and what these changed, one by one in the order of account and
/// currency.
///
/// Balances are not stored one by one: each run and payout has a sorted list of what it changed, and the last payouts
/// have a list of the balances that they left. Reading merges the lists, beginning with the last of those balances.
/// Memory grows with the lists, by some 60 KB each, not with the accounts. The ledger must not be written meanwhile.
public final class BookReading {
  /// A change to a balance.
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

    /// The place of its run or payout in the order; nil if it is not entered yet.
    public let place: Int?
    public let kind: ListKind
    /// What identifies it.
    public let note: Note
    /// The run as of which it counts: the run itself, if it is one's.
    public let run: Int
    /// What it added; negative if it took something.
    public let amount: ExactDecimal
  }

  /// The current account; valid until the next one.
  public private(set) var account: [UInt8] = []
  /// The currency of the amounts.
  public private(set) var currency = Currency.all[0]
  /// The balance before the range.
  public private(set) var opening = ExactDecimal.zero
  /// The changes in the range, in order, if they are kept.
  public private(set) var changes: [Change] = []
  /// The balance after the range.
  public var closing: ExactDecimal { balance.amount }
  /// The run in which the closing balance last left zero or changed its sign; 0 if it is zero.
  public var since: Int { balance.since }

  private var balance = RunningBalance(Currency.all[0])
  /// What the changes in the range add, by the place of their kind.
  private var sums = ListKind.allCases.map { _ in ExactDecimal.zero }

  private struct Source {
    let place: Place
    /// The run as of which its entries count.
    let run: Int

    enum Place {
      /// Balances that a payout left.
      case carried
      /// A run or payout before the range, or in it.
      case before, within(Int)
      /// Entries that are not in the ledger yet, or count as if they were not.
      case new
    }
  }

  private let database: Database
  private let keepsChanges: Bool
  private var sources: [Source] = []
  /// Within one account and currency, entries come in order.
  private var merge: Merge<AccountStream>

  /// - Parameters:
  ///   - bookings: runs and payouts in an order.
  ///   - range: the places of those in the range; what comes after it does not count.
  ///   - new: further entries, after these and as of a run.
  ///   - fromStart: whether to read all entries instead of starting with the balances that an earlier payout left.
  ///   - keepsChanges: whether to keep the `changes` of an account, which may be millions.
  init(
    _ database: Database, _ bookings: [Booking], in range: Range<Int>,
    new: (streams: [AccountStream], run: Int) = ([], 0), fromStart: Bool = false, keepsChanges: Bool = false
  ) throws {
    (self.database, self.keepsChanges) = (database, keepsChanges)
    var streams: [AccountStream] = []
    let base = fromStart ? nil : try Self.base(database, bookings, before: range.lowerBound)
    if let base, let closings = bookings[base].closings, closings > 0 {
      streams.append(try AccountStream(database, bookings[base].list(.closings), count: closings))
      sources.append(Source(place: .carried, run: 0))
    }
    for place in (base.map { $0 + 1 } ?? 0)..<range.upperBound {
      for (kind, count) in bookings[place].lists {
        streams.append(try AccountStream(database, bookings[place].list(kind), count: count))
        sources.append(Source(place: place < range.lowerBound ? .before : .within(place), run: bookings[place].run))
      }
    }
    for stream in new.streams {
      streams.append(stream)
      sources.append(Source(place: .new, run: new.run))
    }
    merge = try Merge(streams)
  }

  /// The place of the last payout before the range whose balances are stored, if they count the same in this order; nil
  /// if all entries must be read.
  private static func base(_ database: Database, _ bookings: [Booking], before start: Int) throws -> Int? {
    let base = try bookings[..<start].lastIndex { booking in
      try booking.closings.map { try booking.list(.closings).isKept(database, count: $0) } ?? false
    }
    return base.flatMap { Booking.isBookOrder(bookings, upTo: $0) ? $0 : nil }
  }

  /// Goes to the next account and currency with an entry; false after the last.
  ///
  /// - Parameter each: takes the changes in the range, in order; `closing` is the balance after each.
  public func next(_ each: (Change) -> Void = { _ in }) throws(Failure) -> Bool {
    try database.telling { try advance(each) }
  }

  private func advance(_ each: (Change) -> Void) throws -> Bool {
    guard let (_, first) = merge.next else { return false }
    account.replaceSubrange(account.indices, with: first.account)
    currency = first.currency
    balance = RunningBalance(currency)
    opening.set(balance.amount)
    changes.removeAll(keepingCapacity: true)
    for place in sums.indices { sums[place].set(balance.amount) }
    while let (place, stream) = merge.next, isCurrent(stream) {
      try add(stream, sources[place], each)
      try merge.advance()
    }
    return true
  }

  private func isCurrent(_ stream: AccountStream) -> Bool {
    let account = account
    return stream.compare(account.span, currency) == 0
  }

  /// Adds one entry of the account, in order.
  private func add(_ stream: AccountStream, _ source: Source, _ each: (Change) -> Void) throws {
    let amount = stream.change
    func append(_ place: Int?) throws {
      sums[stream.kind.place].add(amount)
      let change = Change(
        place: place, kind: stream.kind, note: try Change.Note(stream), run: source.run, amount: amount)
      each(change)
      if keepsChanges { changes.append(change) }
    }
    switch source.place {
    case .carried: balance.add(amount, run: AccountBook.since(of: stream.note))
    default: balance.add(amount, run: source.run)
    }
    switch source.place {
    case .carried, .before: opening.set(balance.amount)
    case .within(let place): try append(place)
    case .new: try append(nil)
    }
  }

  /// What the changes of a kind add to the balance.
  public func sum(_ kind: ListKind) -> ExactDecimal { sums[kind.place] }
}

extension BookReading.Change.Note {
  /// What identifies the current entry of a list that changes balances.
  init(_ stream: AccountStream) throws(Failure) {
    switch stream.kind {
    case .run: self = .run
    case .returns: self = .returned(try ReturnNote(stream.note))
    case .adjustments: self = .adjusted(try AdjustmentNote(stream.note))
    case .payments: self = .payment(stream.number)
    case .closings, .refusals, .delayed, .reserved: preconditionFailure("the list changes no balance")
    }
  }
}

// MARK: In book order

extension BookReading {
  /// All balances up to a run and before a payout; the range begins after the previous payout.
  ///
  /// - Parameters:
  ///   - last: the last run that counts.
  ///   - end: the place in book order of the payout before which to stop.
  ///   - new: further entries, as of that run.
  ///   - firstRun: the first run that counts, if no payout states it yet.
  convenience init(
    _ database: Database, until last: Int, before end: Int = .max, new: [AccountStream] = [], firstRun: Int? = nil,
    fromStart: Bool = false
  ) throws {
    let payouts = try PayoutEntry.inBookOrder(database)
    let first = try (payouts.isEmpty ? firstRun : nil) ?? Booking.firstRun(database, payouts)
    let earlier = try Booking.payouts(database, payouts).filter { $0.run <= last && $0.place < end }
    let bookings = try Booking.inBookOrder(database, runs: first <= last ? first...last : nil, earlier)
    let start = bookings.lastIndex { $0.closings != nil }.map { $0 + 1 } ?? 0
    try self.init(database, bookings, in: start..<bookings.count, new: (new, last), fromStart: fromStart)
  }
}

extension Ledger {
  /// All balances after a run and the payouts made up to it, with entries that are not in the ledger yet; the changes
  /// are those since the previous payout.
  ///
  /// - Parameters:
  ///   - payout: the payout before which to stop; nil for the next one.
  ///   - new: further entries, in the order in which they count.
  ///   - firstRun: the first run that counts, if no payout is entered yet.
  public func balances(
    until run: Int, before payout: PayoutEntry? = nil, new: [AccountEntries] = [], firstRun: Int? = nil
  ) throws(Failure) -> BookReading {
    try database.telling {
      try BookReading(
        database, until: run, before: payout?.place ?? .max, new: new.map(AccountStream.init), firstRun: firstRun)
    }
  }
}

extension LedgerReading {
  /// All balances as they were for a payout that is entered: after its returns and adjustments, before its payments.
  public func balances(of payout: PayoutEntry) throws(Failure) -> BookReading {
    try database.telling {
      let booking = Booking(payout)
      let streams = try booking.lists.filter { $0.kind != .payments }.map { kind, count in
        try AccountStream(database, booking.list(kind), count: count)
      }
      return try BookReading(
        database, until: payout.bookedRun, before: payout.place, new: streams, firstRun: payout.firstRun)
    }
  }

  // MARK: In entry order

  /// Balances and changes in a period, by its places in entry order; what comes after it does not count.
  public func period(_ places: Range<Int>) throws(Failure) -> BookReading {
    try database.telling { try BookReading(database, order.bookings, in: places, keepsChanges: true) }
  }

  /// All balances at the end of a day; nil for now.
  package func balances(until day: CalendarDay?) throws(Failure) -> BookReading {
    let end = order.places(until: day).upperBound
    return try period(end..<end)
  }

  /// The entries of a run or payout, list by list in the order in which they are booked.
  public func lists(of booking: Booking) throws(Failure) -> [BookedAmounts] {
    try database.telling {
      try booking.lists.map { try BookedAmounts(database, booking.list($0.kind), count: $0.count) }
    }
  }

  /// Whether an account has an entry, in any run or payout.
  ///
  /// - Parameter account: in lower case.
  public func hasEntry(of account: [UInt8]) throws(Failure) -> Bool {
    try database.telling {
      for booking in order.bookings {
        for (kind, count) in booking.allLists {
          var isThere = false
          try AccountLookup(database, booking.list(kind), count: count).forEach(account) { _ in isThere = true }
          if isThere { return true }
        }
      }
      return false
    }
  }
}
