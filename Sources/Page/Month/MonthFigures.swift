import ExactArithmetic
import Failures
import Ledger
import Money
import Postings
import Records

/// The figures of a period of a ledger: what its runs and payouts were, and what they changed. No directory is read.
struct MonthFigures {
  /// The records of the runs that are booked on a day.
  struct Day {
    let day: CalendarDay
    var runs = 0
    /// The number of records by outcome, in the order of ``MonthFigures/outcomes``.
    var records = Array(repeating: 0, count: MonthFigures.outcomes.count)
    var payouts = 0

    var count: Int { records.reduce(0, +) }
  }

  /// What happened in a currency.
  struct Sums {
    let currency: Currency
    /// What the runs moved.
    var moved: TrialBalance
    /// All balances before the period, what changed them, and all balances after it.
    var (opening, earned, returned, adjusted, paid, closing):
      (
        ExactDecimal, ExactDecimal, ExactDecimal, ExactDecimal, ExactDecimal, ExactDecimal
      )
    var (payments, returns) = (0, 0)
    /// The balances after the period that are above and below zero.
    var (owed, owing): (ExactDecimal, ExactDecimal)
    var (accountsOwed, accountsOwing) = (0, 0)

    init(_ currency: Currency) {
      self.currency = currency
      let zero = ExactDecimal.zero(at: -currency.settlementExponent)
      moved = TrialBalance(exponent: -currency.settlementExponent)
      (opening, earned, returned, adjusted, paid, closing) = (zero, zero, zero, zero, zero, zero)
      (owed, owing) = (zero, zero)
    }

    /// Whether the currency has anything to show.
    var isUsed: Bool {
      moved.isUsed || payments + returns + accountsOwed + accountsOwing > 0 || !opening.isZero || !adjusted.isZero
    }
  }

  /// The adjustments of a currency with the same reason.
  struct Adjustments {
    let (currency, reason): (Currency, String)
    var count: Int
    var amount: ExactDecimal
  }

  /// The outcomes of records, in the order of bars.
  static let outcomes: [Outcome] = [.settled, .refunded, .agreed, .pending, .held, .rejected]

  /// Every day of the period, at most until the last one on which something is booked.
  private(set) var days: [Day]
  /// The currencies, by code.
  private(set) var currencies: [Sums]
  /// By currency and reason.
  private(set) var adjustments: [Adjustments] = []
  let (since, until): (CalendarDay, CalendarDay)
  private(set) var (runs, payouts) = (0, 0)

  /// Reads the ledger once. Memory does not grow with the accounts.
  init(_ ledger: LedgerReading, since: CalendarDay, until: CalendarDay) throws(Failure) {
    (self.since, self.until) = (since, until)
    let order = ledger.order
    let places = order.places(since: since, until: until)
    let last = max(since, places.isEmpty ? since : order.days[places.upperBound - 1])
    days = (since.number...min(until, last).number).map { Day(day: CalendarDay(number: $0)) }
    var sums = Currency.all.map(Sums.init)
    for place in places where order.bookings[place].counts {
      let day = order.days[place].number - since.number
      switch order.bookings[place].id.kind {
      case .run:
        let run = order.run(at: place)!
        runs += 1
        days[day].runs += 1
        for (outcome, count) in Self.records(run.records).enumerated() { days[day].records[outcome] += count }
        for total in run.totals {
          guard let currency = Currency(code: total.currency) else { continue }
          sums[Int(currency.index)].moved.add(total.moved)
        }
      case .payout:
        payouts += 1
        days[day].payouts += 1
      case .givenUp: break
      }
    }
    var reasons: [String: [Currency: Adjustments]] = [:]
    let book = try ledger.period(places)
    while try book.next() {
      Self.add(book, &sums[Int(book.currency.index)], &reasons)
    }
    try ledger.expectUnchanged()
    currencies = sums.filter(\.isUsed)
    adjustments = reasons.values.flatMap(\.values).sorted {
      ($0.currency.code, $0.reason) < ($1.currency.code, $1.reason)
    }
    for sums in currencies {
      precondition(
        sums.opening + sums.earned + sums.returned + sums.adjusted - sums.paid == sums.closing,
        "the balances of a period do not add up")
    }
  }

  private static func records(_ records: RecordCounts) -> [Int] {
    [
      records.settled, records.refunded, records.preapprovals, records.pending, records.held, records.rejected,
    ]
  }

  /// Adds what changed one account and currency.
  private static func add(
    _ book: BookReading, _ sums: inout Sums, _ reasons: inout [String: [Currency: Adjustments]]
  ) {
    sums.opening.add(book.opening)
    sums.closing.add(book.closing)
    if book.closing.isNegative {
      sums.owing.subtract(book.closing)
      sums.accountsOwing += 1
    } else if !book.closing.isZero {
      sums.owed.add(book.closing)
      sums.accountsOwed += 1
    }
    for change in book.changes {
      switch change.note {
      case .run: sums.earned.add(change.amount)
      case .returned:
        sums.returned.add(change.amount)
        sums.returns += 1
      case .payment:
        sums.paid.subtract(change.amount)
        sums.payments += 1
      case .adjusted(let note):
        sums.adjusted.add(change.amount)
        let none = Adjustments(
          currency: sums.currency, reason: note.reason, count: 0,
          amount: .zero(at: -sums.currency.settlementExponent))
        reasons[note.reason, default: [:]][sums.currency, default: none].count += 1
        reasons[note.reason, default: [:]][sums.currency, default: none].amount.add(change.amount)
      }
    }
  }
}
