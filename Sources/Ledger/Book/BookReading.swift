import ExactArithmetic
import Failures
import Money
import SQLite

/// All balances as of a place in book order (`payouts.md`), one by one in the order of account and currency.
///
/// Balances are not stored one by one: each run and payout has a sorted list of what it changed, and the last payouts
/// have a list of the balances that they left. Reading merges the lists, beginning with the last of those balances. The
/// ledger must not be written meanwhile.
public final class BookReading {
  /// The current account; valid until the next one.
  public private(set) var account = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// The currency of the figures.
  public private(set) var currency = Currency.all[0]
  /// The balance after the previous payout.
  public private(set) var opening = ExactDecimal.zero
  /// What the runs since that payout changed.
  public private(set) var settled = ExactDecimal.zero
  /// What returns give back that are not entered yet.
  public private(set) var returned = ExactDecimal.zero
  /// What adjustments since the previous payout changed, entered or not.
  public private(set) var adjusted = ExactDecimal.zero
  public private(set) var balance = ExactDecimal.zero
  /// What payments take that are not entered yet.
  public private(set) var paid = ExactDecimal.zero
  /// The run in which the balance last left zero or changed its sign; 0 if it is zero.
  public private(set) var since = 0

  private struct Source {
    let stream: AccountStream
    let kind: AccountList.Kind
    let run: Int
    /// Whether it comes after the previous payout, and whether it is entered.
    let (isRecent, isNew): (Bool, Bool)
  }

  private let database: Database
  private var sources: [Source] = []
  /// The places of the sources that have an entry left, as a heap.
  private var heap: [Int] = []
  private let accountBytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 512)
  private var hasBegun = false

  /// - Parameters:
  ///   - last: the last run that counts.
  ///   - end: the place in book order of the payout before which to stop; by default after the last one up to that run.
  ///   - returns: further returned payments, as of that run.
  ///   - adjustments: further adjustments, after these returns.
  ///   - payments: further payments, after these adjustments.
  ///   - entered: the payout whose returns and adjustments, which are entered, count as well.
  ///   - firstRun: the first run that counts, if no payout states it yet.
  ///   - fromStart: whether to read all entries instead of starting with the balances that an earlier payout left.
  init(
    _ database: Database, untilRun last: Int, before end: Int = .max, returns: AccountEntries? = nil,
    adjustments: AccountEntries? = nil, payments: AccountEntries? = nil,
    returnsOf entered: PayoutEntry? = nil, firstRun: Int? = nil, fromStart: Bool = false
  ) throws {
    self.database = database
    let changes = try BookedChange.all(database)
    let earlier = changes.filter { $0.run <= last && $0.place < end }
    let base = fromStart ? nil : try earlier.last { try $0.payout.map { try Self.isKept(database, $0) } ?? false }
    let payouts = changes.compactMap(\.payout)
    let first =
      try base.map { $0.run + 1 } ?? (payouts.isEmpty ? firstRun : nil) ?? Self.firstRun(database, payouts)
    if let base, let carried = base.payout?.carried, carried > 0 {
      try add(
        database, BookedList(list: AccountList(kind: .closings, number: base.number), count: carried, run: 0),
        isRecent: false)
    }
    let lists = try BookedList.all(
      database, runs: first <= last ? first...last : nil, changes: earlier.filter { $0.place > base?.place ?? 0 })
    let previous = earlier.last { $0.payout != nil }
    for list in lists {
      let isRecent =
        switch list.list.kind {
        case .run: list.run > previous?.run ?? 0
        case .adjustments: list.place > previous?.place ?? 0
        default: false
        }
      try add(database, list, isRecent: isRecent)
    }
    if let entered {
      for (kind, count) in BookedChange(entered).lists where kind != .payments && count > 0 {
        let list = AccountList(kind: kind, number: entered.number)
        addNew(try AccountStream(database, list, count: count), kind, last)
      }
    }
    for entries in [returns, adjustments, payments].compactMap(\.self) {
      addNew(AccountStream(entries), entries.kind, last)
    }
  }

  private func addNew(_ stream: AccountStream, _ kind: AccountList.Kind, _ run: Int) {
    sources.append(Source(stream: stream, kind: kind, run: run, isRecent: true, isNew: true))
  }

  deinit { accountBytes.deallocate() }

  private func add(_ database: Database, _ list: BookedList, isRecent: Bool) throws {
    sources.append(
      Source(
        stream: try AccountStream(database, list.list, count: list.count), kind: list.list.kind, run: list.run,
        isRecent: isRecent, isNew: false))
  }

  /// Whether the balances that a payout left are stored.
  static func isKept(_ database: Database, _ payout: PayoutEntry) throws -> Bool {
    try payout.carried == 0
      || Bool.fetchOne(
        database, sql: "SELECT 1 FROM accountBlock WHERE id = ?",
        arguments: [AccountList(kind: .closings, number: payout.number).id(0)]) ?? false
  }

  /// The first run that counts: that of the payouts, else the first run with balances, else the next run.
  static func firstRun(_ database: Database, _ payouts: [PayoutEntry]) throws -> Int {
    if let first = payouts.first { return first.firstRun }
    if let run = try Int.fetchOne(database, sql: "SELECT min(number) FROM run WHERE balances IS NOT NULL") {
      return run
    }
    return (try Int.fetchOne(database, sql: "SELECT max(number) FROM run") ?? 0) + 1
  }

  /// Goes to the next account and currency with an entry; false after the last.
  public func next() throws(Failure) -> Bool { try database.telling { try advance() } }

  private func advance() throws -> Bool {
    if !hasBegun {
      hasBegun = true
      for place in sources.indices where try sources[place].stream.next() { push(place) }
    }
    guard let first = heap.first else { return false }
    let stream = sources[first].stream
    accountBytes.update(from: stream.account.baseAddress!, count: stream.account.count)
    account = UnsafeBufferPointer(start: accountBytes, count: stream.account.count)
    currency = stream.currency
    let zero = ExactDecimal.zero(at: -currency.settlementExponent)
    (opening, settled, returned, adjusted, balance, paid, since) = (zero, zero, zero, zero, zero, zero, 0)
    while let place = heap.first, sources[place].stream.compare(account, currency) == 0 {
      try take(sources[place])
      if try sources[place].stream.next() { sink() } else { pop() }
    }
    return true
  }

  /// Adds one entry of the account, in book order.
  private func take(_ source: Source) throws {
    var amount = source.stream.amount
    var run = source.run
    switch source.kind {
    case .payments:
      if source.isNew { paid.add(amount) }
      amount.negate()
    case .closings: run = AccountBook.since(of: source.stream.note)
    case .run: if source.isRecent { settled.add(amount) }
    case .returns: if source.isNew { returned.add(amount) }
    case .adjustments: if source.isRecent { adjusted.add(amount) }
    }
    let before = balance
    balance.add(amount)
    if balance.isZero {
      since = 0
    } else if before.isZero || before.isNegative != balance.isNegative {
      since = run
    }
    if !source.isRecent { opening.set(balance) }
  }

  // MARK: The heap

  /// Whether a source's entry comes before another's; within one account and currency in book order.
  private func precedes(_ left: Int, _ right: Int) -> Bool {
    let order = sources[left].stream.compare(sources[right].stream.account, sources[right].stream.currency)
    return order == 0 ? left < right : order < 0
  }

  private func push(_ place: Int) {
    heap.append(place)
    var at = heap.count - 1
    while at > 0, precedes(heap[at], heap[(at - 1) / 2]) {
      heap.swapAt(at, (at - 1) / 2)
      at = (at - 1) / 2
    }
  }

  private func pop() {
    heap[0] = heap[heap.count - 1]
    heap.removeLast()
    sink()
  }

  /// Moves the first one to its place.
  private func sink() {
    var at = 0
    while true {
      var least = at
      for child in [2 * at + 1, 2 * at + 2] where child < heap.count && precedes(heap[child], heap[least]) {
        least = child
      }
      if least == at { return }
      heap.swapAt(at, least)
      at = least
    }
  }
}

extension Ledger {
  /// All balances after a run and the payouts made up to it, with returns, adjustments and payments that are not
  /// entered yet.
  ///
  /// - Parameters:
  ///   - payout: the payout before which to stop; nil for the next one.
  ///   - firstRun: the first run that counts, if no payout is entered yet.
  public func balances(
    until run: Int, before payout: PayoutEntry? = nil, returns: AccountEntries? = nil,
    adjustments: AccountEntries? = nil, payments: AccountEntries? = nil, firstRun: Int? = nil
  ) throws(Failure) -> BookReading {
    try database.telling {
      try BookReading(
        database, untilRun: run, before: payout?.place ?? .max, returns: returns, adjustments: adjustments,
        payments: payments, firstRun: firstRun)
    }
  }
}

extension LedgerReading {
  /// All balances as they were for a payout that is entered: after its returns and adjustments, before its payments.
  public func balances(of payout: PayoutEntry) throws(Failure) -> BookReading {
    try database.telling {
      try BookReading(
        database, untilRun: payout.bookedRun, before: payout.place, returnsOf: payout,
        firstRun: payout.firstRun)
    }
  }
}
