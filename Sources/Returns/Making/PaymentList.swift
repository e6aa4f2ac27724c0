import Failures
import Ledger
import Records

/// What answers say of a payment (`returns.md`, The list of payments); the first state that fits counts.
public enum PaymentState: String, CaseIterable, Sendable {
  /// An answer about it, or a debit of its file, has a code.
  case open = "OPEN"
  /// It came back.
  case returned = "RETURNED"
  /// A debit confirms it.
  case confirmed = "CONFIRMED"
  /// Nothing confirms it, and the bank had time enough.
  case notSeen = "NOT_SEEN"
  /// Nothing confirms it yet.
  case inTransit = "IN_TRANSIT"
}

/// The payments whose states are listed: those of payouts dated from a day on.
public struct ConfirmedPeriod: Sendable, Equatable {
  /// The first day of payouts, as `YYYY-MM-DD`.
  public var since: String
  /// The last day of payouts and answers, likewise.
  public var asOf: String
  /// The days after its execution date in which a payment should be seen.
  public var within: Int

  /// The days that a payment may take unless an option says otherwise.
  public static let defaultWithin = 7
  /// The values that `within` may have.
  public static let withinRange = 0...365

  /// The payouts dated from `since` to `asOf`.
  public init(since: String, asOf: String, within: Int = defaultWithin) {
    (self.since, self.asOf, self.within) = (since, asOf, within)
  }
}

/// Writes `payments.csv`.
struct PaymentList {
  private let matching: AnswerMatching
  private let ledger: LedgerReading
  private let period: ConfirmedPeriod
  private let asOf: Int

  init(_ matching: AnswerMatching, _ ledger: LedgerReading, _ period: ConfirmedPeriod) {
    (self.matching, self.ledger, self.period) = (matching, ledger, period)
    asOf = CalendarDay(period.asOf)!.number
  }

  func write(_ tables: AnswerTables, _ counts: inout AnswerCounts) throws(Failure) {
    let payouts = ledger.history.payouts.filter { payout in
      matching.intake.payouts.has(payout: payout.number) && (period.since...period.asOf).contains(payout.identity.date)
    }
    let lookup = try ledger.payoutLookup()
    for payout in payouts.sorted(by: { $0.number < $1.number }) where payout.payments > 0 {
      var next = place(of: PaymentReference(payout: payout.number, number: 1).key)
      let isLate = asOf - CalendarDay(payout.identity.executionDate)!.number > period.within
      for number in 1...payout.payments {
        let reference = PaymentReference(payout: payout.number, number: number)
        let start = next
        while next < matching.order.count, matching.intake.answers[head: matching.order[next]].key == reference.key {
          next += 1
        }
        let payment = try lookup.payment(reference)!
        let (state, answer) = state(of: reference, matching.order[start..<next], isLate: isLate)
        counts.add(payment, state)
        try tables.write(reference, payment, day: payout.identity.date, state, answer)
      }
    }
  }

  /// Where the answers about a payment, or those after it, begin.
  private func place(of key: UInt64) -> Int {
    var (lower, upper) = (0, matching.order.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if matching.intake.answers[head: matching.order[middle]].key < key { lower = middle + 1 } else { upper = middle }
    }
    return lower
  }

  /// The state of a payment, and the first answer that makes it.
  private func state(
    of reference: PaymentReference, _ places: ArraySlice<UInt32>, isLate: Bool
  ) -> (PaymentState, Answer?) {
    let answers = places.map { matching.intake.answers[$0] }.filter(counts)
    let debits = (matching.debitsOfPayouts[reference.payout] ?? []).map { matching.debits[$0] }
      .filter { $0.covers(UInt32(reference.number)) }
      .map { debit in (debit, answer: matching.intake.answers[debit.place]) }.filter { counts($0.answer) }
    let open = answers.filter { $0.code != nil } + debits.map(\.answer).filter { $0.code != nil }
    if let first = first(open) { return (.open, first) }
    let returned = first(answers.filter { $0.kind == .return })
    let isBooked = matching.booked[reference.key].map { Int($0.day) <= asOf } ?? false
    if returned != nil || isBooked { return (.returned, returned) }
    let confirmed =
      answers.filter { $0.kind == .debit }
      + debits.filter { $0.0.confirms(UInt32(reference.number)) }.map(\.answer)
    if let first = first(confirmed) { return (.confirmed, first) }
    return (isLate ? .notSeen : .inTransit, nil)
  }

  /// Whether an answer is not later than the period.
  private func counts(_ answer: Answer) -> Bool { answer.day.map { Int($0) <= asOf } ?? true }

  private func first(_ answers: [Answer]) -> Answer? {
    answers.min { ($0.sortingDay, $0.place) < ($1.sortingDay, $1.place) }
  }
}
