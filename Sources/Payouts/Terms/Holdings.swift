import Bookkeeping
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
    /// Whether what the last payout kept has it.
    let isKept: Bool
  }

  private let terms: Terms
  private let day: CalendarDay
  /// The day of the payout that kept what its terms held.
  private let keptDay: CalendarDay?
  private let sources: [Source]
  private let earned: EarnedReading
  /// Receive what is held, if the ledger is to keep it.
  private let lists: [ListKind: AccountEntries]?
  private var (delayed, reserved) = (ExactDecimal.zero, ExactDecimal.zero)

  private init(
    _ terms: Terms, on day: CalendarDay, _ runs: [RunEntry], after kept: PayoutEntry? = nil, _ earned: EarnedReading,
    lists: [ListKind: AccountEntries]? = nil
  ) {
    (self.terms, self.day, self.earned, self.lists) = (terms, day, earned, lists)
    keptDay = kept.map { CalendarDay($0.identity.date)! }
    sources =
      runs.map { run in
        let day = BookingOrder.day(of: run)
        return .run(
          Earnings(
            day: day, general: Currency.all.map { terms.inForce(0..<0, $0, on: day) },
            isKept: kept.map { run.number <= $0.untilRun } ?? false))
      } + [.delayed, .reserved]
    terms.startAgain()
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
      let changing = Self.changing(runs, terms, since: last, until: day)
      if Self.count(changing) < Self.count(holding) {
        self.init(
          terms, on: day, changing, after: last, try ledger.earned(in: changing, heldBy: last), lists: lists)
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

  /// The runs of which terms may hold more or less on a day than after the last payout.
  private static func changing(
    _ runs: [RunEntry], _ terms: Terms, since last: PayoutEntry, until day: CalendarDay
  ) -> [RunEntry] {
    let before = CalendarDay(last.identity.date)!.number
    return holding(runs.filter { $0.number > last.untilRun }, terms, on: day)
      + runs.filter { run in
        let earned = BookingOrder.day(of: run).number
        return run.number <= last.untilRun && terms.days.contains { before < earned + $0 && earned + $0 <= day.number }
      }
  }

  // MARK: One balance after the other

  /// What is held of a book's current balance. Call in ascending order.
  package func held(of book: BookReading) throws(Failure) -> HeldAmounts {
    let account = book.account
    while !earned.isAtEnd, earned.compare(account.span, book.currency) < 0 { try sum() }
    if !earned.isAtEnd, earned.compare(account.span, book.currency) == 0 {
      try sum()
    } else {
      let zero = ExactDecimal.zero(at: -book.currency.settlementExponent)
      (delayed, reserved) = (zero, zero)
    }
    let own = terms.rows(of: account.span, book.currency)
    let kept = terms.inForce(own, book.currency, on: day)?.minimum
    return HeldAmounts(
      of: book.closing, reserved: reserved, delayed: delayed,
      kept: kept ?? .zero(at: -book.currency.settlementExponent))
  }

  /// Call after the last balance.
  func finish() throws(Failure) {
    while !earned.isAtEnd { try sum() }
    for list in (lists ?? [:]).values { try list.finish() }
  }

  /// Sums up what is held of the next account and currency.
  private func sum() throws(Failure) {
    let (account, currency) = (earned.account, earned.currency)
    let zero = ExactDecimal.zero(at: -currency.settlementExponent)
    (delayed, reserved) = (zero, zero)
    let own = terms.rows(of: account.span, currency)
    try earned.pass { place, amount in
      switch sources[place] {
      case .delayed: delayed.add(amount)
      case .reserved: reserved.add(amount)
      case .run(let run):
        if amount.isNegative { return }
        let row = own.isEmpty ? run.general[Int(currency.index)] : terms.inForce(own, currency, on: run.day)
        if let row { add(amount, run, row) }
      }
    }
    guard let lists else { return }
    if !delayed.isZero { try lists[.delayed]!.append(account.span, currency, delayed) }
    if !reserved.isZero { try lists[.reserved]!.append(account.span, currency, reserved) }
  }

  /// Adds what a row holds of what a run earned; less what the last payout kept of it.
  private func add(_ amount: ExactDecimal, _ run: Earnings, _ row: Terms.Row) {
    func isHeld(for days: Int, on day: CalendarDay) -> Bool { days > 0 && day.number < run.day.number + days }
    let (isReserved, isDelayed) = (isHeld(for: row.reserve, on: day), isHeld(for: row.delay, on: day))
    let was = run.isKept ? keptDay! : day
    let wasReserved = run.isKept && isHeld(for: row.reserve, on: was)
    let wasDelayed = run.isKept && isHeld(for: row.delay, on: was)
    guard isReserved != wasReserved || isDelayed != wasDelayed else { return }
    let part = row.reserve > 0 ? row.reserved(of: amount) : .zero(at: amount.exponent)
    if isReserved != wasReserved { isReserved ? reserved.add(part) : reserved.subtract(part) }
    if isDelayed != wasDelayed { isDelayed ? delayed.add(amount - part) : delayed.subtract(amount - part) }
  }
}

extension PayoutMaking.Subject {
  /// Whether a run counts in its balances.
  func counts(_ run: RunEntry) -> Bool {
    run.number >= firstRun && run.number <= entered?.bookedRun ?? identity.untilRun
  }
}
