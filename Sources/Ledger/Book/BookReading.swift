import ExactArithmetic
import Failures
import FileSystem
import Money
import SQLite

/// All balances as of a place in book order (`payouts.md`), one by one in the order of account and currency.
///
/// Balances are not stored one by one: each run and payout has a sorted list of what it changed, and the last payouts
/// have a list of the balances that they left. Reading merges the lists, beginning with the last of those balances. The
/// ledger must not be written meanwhile.
public final class BookReading {
  /// The current account; valid until the next one.
  public private(set) var account: [UInt8] = []
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

  /// The adjustments that are not entered yet and that turned the balance from above zero to below, or back.
  public private(set) var crossings: [(note: AdjustmentNote, before: ExactDecimal, after: ExactDecimal)] = []

  private struct Source {
    let kind: AccountList.Kind
    let run: Int
    /// Whether it comes after the previous payout, and whether it is entered.
    let (isRecent, isNew): (Bool, Bool)
  }

  private let database: Database
  private let sources: [Source]
  /// Within one account and currency, entries come in book order.
  private var merge: Merge<AccountStream>

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
    var streams: [AccountStream] = []
    var kinds: [Source] = []
    func add(_ stream: AccountStream, _ kind: AccountList.Kind, _ run: Int, isRecent: Bool, isNew: Bool) {
      streams.append(stream)
      kinds.append(Source(kind: kind, run: run, isRecent: isRecent, isNew: isNew))
    }
    let changes = try BookedChange.all(database)
    let earlier = changes.filter { $0.run <= last && $0.place < end }
    let base = fromStart ? nil : try earlier.last { try $0.payout.map { try Self.isKept(database, $0) } ?? false }
    let payouts = changes.compactMap(\.payout)
    let first =
      try base.map { $0.run + 1 } ?? (payouts.isEmpty ? firstRun : nil) ?? Self.firstRun(database, payouts)
    if let base, let carried = base.payout?.carried, carried > 0 {
      let list = AccountList(kind: .closings, number: base.number)
      add(try AccountStream(database, list, count: carried), list.kind, 0, isRecent: false, isNew: false)
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
      let stream = try AccountStream(database, list.list, count: list.count)
      add(stream, list.list.kind, list.run, isRecent: isRecent, isNew: false)
    }
    if let entered {
      for (kind, count) in BookedChange(entered).lists where kind != .payments && count > 0 {
        let list = AccountList(kind: kind, number: entered.number)
        add(try AccountStream(database, list, count: count), kind, last, isRecent: true, isNew: true)
      }
    }
    for entries in [returns, adjustments, payments].compactMap(\.self) {
      add(AccountStream(entries), entries.kind, last, isRecent: true, isNew: true)
    }
    sources = kinds
    merge = try Merge(streams)
  }

  /// Whether the balances that a payout left are stored.
  static func isKept(_ database: Database, _ payout: PayoutEntry) throws -> Bool {
    try AccountList(kind: .closings, number: payout.number).isKept(database, count: payout.carried)
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
    guard let (_, first) = merge.next else { return false }
    account.replaceSubrange(account.indices, with: first.account)
    currency = first.currency
    let zero = ExactDecimal.zero(at: -currency.settlementExponent)
    (opening, settled, returned, adjusted, balance, paid, since) = (zero, zero, zero, zero, zero, zero, 0)
    crossings.removeAll()
    while let (place, stream) = merge.next, stream.compare(account.span, currency) == 0 {
      try add(stream, sources[place])
      try merge.advance()
    }
    return true
  }

  /// Adds one entry of the account, in book order.
  private func add(_ stream: AccountStream, _ source: Source) throws {
    var amount = stream.amount
    var run = source.run
    switch source.kind {
    case .payments:
      if source.isNew { paid.add(amount) }
      amount.negate()
    case .closings: run = AccountBook.since(of: stream.note)
    case .run: if source.isRecent { settled.add(amount) }
    case .returns: if source.isNew { returned.add(amount) }
    case .adjustments: if source.isRecent { adjusted.add(amount) }
    case .refusals: preconditionFailure("refusals change no balance")
    }
    let before = balance
    balance.add(amount)
    if balance.isZero {
      since = 0
    } else if before.isZero || before.isNegative != balance.isNegative {
      since = run
    }
    if source.isNew, source.kind == .adjustments, !before.isZero, !balance.isZero,
      before.isNegative != balance.isNegative
    {
      crossings.append((try AdjustmentNote(stream.note), before, balance))
    }
    if !source.isRecent { opening.set(balance) }
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
