import ExactArithmetic
import Failures
import Ledger
import Money
import Records

/// What terms hold of each balance on a day: read along with the balances, from what runs earned (`free.md`).
package final class Holdings {
  /// Where amounts of a place come from.
  private enum Source {
    /// What a run earned.
    case run(Earnings)
    /// What the terms of the last payout delayed, and reserved.
    case delayed, reserved
  }

  /// What a run earned, and how it counts.
  private struct Earnings {
    let day: CalendarDay
    /// The rows for all accounts that are in force on its day, by the place of their currency.
    let general: [Terms.Row?]
    /// Whether it is in what the last payout kept.
    let isKept: Bool

    init(_ run: RunEntry, _ terms: Terms, after kept: PayoutEntry?) {
      let day = BookingOrder.day(of: run)
      self.day = day
      general = Currency.all.map { terms.inForce(0..<0, $0, on: day) }
      isKept = kept.map { run.number <= $0.untilRun } ?? false
    }
  }

  private let terms: Terms
  private let day: CalendarDay
  /// The day of the payout that kept what its terms held.
  private let keptDay: CalendarDay?
  private let sources: [Source]
  private let earned: EarnedReading
  /// What the runs since that payout earned, by number: the changes of balances have the amounts.
  private let since: [(number: Int, run: Earnings)]
  /// The runs of which only rows of single accounts release something since then.
  private let partly: [(lookup: EarnedLookup, run: Earnings)]
  /// What these runs gave the current account and currency.
  private var changes: [(run: Int, amount: ExactDecimal)] = []
  /// Receive what is held, if the ledger is to keep it.
  private let lists: [ListKind: AccountEntries]?

  /// What is held of an account and currency, before it is limited by the balance.
  private struct Sums {
    var (delayed, reserved): (ExactDecimal, ExactDecimal)

    init(_ currency: Currency) {
      let zero = ExactDecimal.zero(at: -currency.settlementExponent)
      (delayed, reserved) = (zero, zero)
    }
  }

  private init(
    _ terms: Terms, on day: CalendarDay, _ runs: [RunEntry], since: [RunEntry] = [], after kept: PayoutEntry? = nil,
    partly: [(EarnedLookup, RunEntry)] = [], _ earned: EarnedReading, lists: [ListKind: AccountEntries]? = nil
  ) {
    (self.terms, self.day, self.earned, self.lists) = (terms, day, earned, lists)
    self.partly = partly.map { ($0, Earnings($1, terms, after: kept)) }
    keptDay = kept.map { CalendarDay($0.identity.date)! }
    sources = runs.map { .run(Earnings($0, terms, after: kept)) } + [.delayed, .reserved]
    self.since = since.map { ($0.number, Earnings($0, terms, after: kept)) }
  }

  /// What terms hold on a day, from the runs that may still hold something then.
  ///
  /// - Parameter runs: those that count in the balances.
  package convenience init(
    _ terms: Terms, on day: CalendarDay, _ runs: [RunEntry], _ reading: LedgerReading
  ) throws(Failure) {
    let holding = Self.holding(runs, terms, on: day)
    self.init(terms, on: day, holding, try reading.earned(in: holding))
  }

  /// What terms hold in a payout. If the terms are those of the last payout, this adds the runs since, and takes off those
  /// released since.
  ///
  /// - Parameters:
  ///   - entered: the payout as it is entered, if it is made again.
  ///   - lists: receive what is held; nil if the ledger has the payout.
  convenience init(
    _ terms: Terms, _ subject: PayoutMaking.Subject, _ ledger: Ledger, lists: [ListKind: AccountEntries]?
  ) throws(Failure) {
    let day = CalendarDay(subject.identity.date)!
    let runs = try ledger.history().runs.filter(subject.counts)
    let holding = Self.holding(runs, terms, on: day)
    if subject.entered == nil, let last = try ledger.lastHolding(),
      last.identity.terms == subject.identity.terms, last.identity.date <= subject.identity.date
    {
      let since = holding.filter { $0.number > last.untilRun }
      let (before, releasing) = (CalendarDay(last.identity.date)!, runs.filter { $0.number <= last.untilRun })
      func isReleased(_ run: RunEntry, _ days: Int) -> Bool {
        Self.isReleased(BookingOrder.day(of: run), days, after: before, until: day)
      }
      let released = releasing.filter { run in terms.generalDays.contains { isReleased(run, $0) } }
      let partly = releasing.filter { run in
        terms.days.contains { isReleased(run, $0) } && !terms.generalDays.contains { isReleased(run, $0) }
      }
      if Self.count(since + released) < Self.count(holding) {
        var lookups: [(EarnedLookup, RunEntry)] = []
        for run in partly { lookups.append((try ledger.earnedLookup(run), run)) }
        self.init(
          terms, on: day, released, since: since, after: last, partly: lookups,
          try ledger.earned(in: released, heldBy: last), lists: lists)
        return
      }
    }
    self.init(terms, on: day, holding, try ledger.earned(in: holding), lists: lists)
  }

  private static func count(_ runs: [RunEntry]) -> Int { runs.reduce(0) { $0 + ($1.balanceCount ?? 0) } }

  /// The runs of which terms may hold something on a day.
  private static func holding(_ runs: [RunEntry], _ terms: Terms, on day: CalendarDay) -> [RunEntry] {
    guard let longest = terms.days.last else { return [] }
    return runs.filter { day.number < BookingOrder.day(of: $0).number + longest }
  }

  /// Whether what was held for some days from a run's on is free on a day, and was not after the last payout.
  private static func isReleased(
    _ earned: CalendarDay, _ days: Int, after before: CalendarDay, until day: CalendarDay
  ) -> Bool {
    days > 0 && before.number < earned.number + days && earned.number + days <= day.number
  }

  // MARK: One balance after the other

  /// Takes a change of a book's current balance.
  func add(_ change: BookReading.Change) {
    if change.kind == .run, !change.amount.isNegative, !since.isEmpty { changes.append((change.run, change.amount)) }
  }

  /// What is held of a book's current balance, once it has the changes. Call in ascending order, for each balance.
  package func held(of book: BookReading) throws(Failure) -> HeldAmounts {
    let (account, currency) = (book.account, book.currency)
    while !earned.isAtEnd, earned.compare(account.span, currency) < 0 { try passOver() }
    var sums = Sums(currency)
    let own = terms.rows(of: account.span, currency)
    if !earned.isAtEnd, earned.compare(account.span, currency) == 0 { try sum(own, to: &sums) }
    try takeOff(account, currency, own, from: &sums)
    for (number, amount) in changes {
      if let place = since.firstIndex(where: { $0.number == number }) {
        add(amount, currency, since[place].run, own, to: &sums)
      }
    }
    changes.removeAll(keepingCapacity: true)
    try keep(sums, account, currency)
    let zero = ExactDecimal.zero(at: -currency.settlementExponent)
    let kept = terms.inForce(own, currency, on: day).map { terms.minimum($0, currency) }
    return HeldAmounts(of: book.closing, reserved: sums.reserved, delayed: sums.delayed, kept: kept ?? zero)
  }

  /// Call after the last balance.
  func finish() throws(Failure) {
    while !earned.isAtEnd { try passOver() }
    for list in (lists ?? [:]).values { try list.finish() }
  }

  /// Keeps what is held of the next account and currency, which has no balance.
  private func passOver() throws(Failure) {
    let (account, currency) = (earned.account, earned.currency)
    var sums = Sums(currency)
    let own = terms.rows(of: account.span, currency)
    try sum(own, to: &sums)
    try takeOff(account, currency, own, from: &sums)
    try keep(sums, account, currency)
  }

  /// Takes off what rows of an account's own have released since the last payout.
  private func takeOff(
    _ account: [UInt8], _ currency: Currency, _ own: Range<Int>, from sums: inout Sums
  ) throws(Failure) {
    if own.isEmpty { return }
    for (lookup, run) in partly {
      guard let row = terms.inForce(own, currency, on: run.day),
        [row.delay, row.reserve].contains(where: { Self.isReleased(run.day, $0, after: keptDay!, until: day) }),
        let amount = try lookup.amount(of: account.span, currency), !amount.isNegative
      else { continue }
      add(amount, currency, run, own, to: &sums)
    }
  }

  /// Adds what is held of the next account and currency, by the rows of its own.
  private func sum(_ own: Range<Int>, to sums: inout Sums) throws(Failure) {
    let currency = earned.currency
    try earned.pass { place, amount in
      switch sources[place] {
      case .delayed: sums.delayed.add(amount)
      case .reserved: sums.reserved.add(amount)
      case .run(let run): if !amount.isNegative { add(amount, currency, run, own, to: &sums) }
      }
    }
  }

  private func keep(_ sums: Sums, _ account: [UInt8], _ currency: Currency) throws(Failure) {
    guard let lists else { return }
    if !sums.delayed.isZero { try lists[.delayed]!.append(account.span, currency, sums.delayed) }
    if !sums.reserved.isZero { try lists[.reserved]!.append(account.span, currency, sums.reserved) }
  }

  /// Adds what terms hold of what a run earned; less what the last payout kept of it.
  private func add(
    _ amount: ExactDecimal, _ currency: Currency, _ run: borrowing Earnings, _ own: Range<Int>, to sums: inout Sums
  ) {
    let (earnedOn, isKept) = (run.day, run.isKept)
    let found = own.isEmpty ? run.general[Int(currency.index)] : terms.inForce(own, currency, on: earnedOn)
    guard let row = found else { return }
    func isHeld(for days: Int, on day: CalendarDay) -> Bool { days > 0 && day.number < earnedOn.number + days }
    let (isReserved, isDelayed) = (isHeld(for: row.reserve, on: day), isHeld(for: row.delay, on: day))
    let wasReserved = isKept && isHeld(for: row.reserve, on: keptDay!)
    let wasDelayed = isKept && isHeld(for: row.delay, on: keptDay!)
    guard isReserved != wasReserved || isDelayed != wasDelayed else { return }
    let part = row.reserve > 0 ? row.reserved(of: amount) : .zero(at: amount.exponent)
    if isReserved != wasReserved { isReserved ? sums.reserved.add(part) : sums.reserved.subtract(part) }
    if isDelayed != wasDelayed { isDelayed ? sums.delayed.add(amount - part) : sums.delayed.subtract(amount - part) }
  }
}

extension PayoutMaking.Subject {
  /// Whether a run counts in its balances.
  func counts(_ run: RunEntry) -> Bool {
    run.number >= firstRun && run.number <= entered?.bookedRun ?? identity.untilRun
  }
}
