import ExactArithmetic
import Failures
import Ledger
import Money

/// Writes what becomes of each answer, and what the payments of a period came to.
struct AnswerWriting {
  let matching: AnswerMatching
  let ledger: LedgerReading
  let tables: AnswerTables
  private var intake: AnswerIntake { matching.intake }

  func write(confirming period: ConfirmedPeriod?) throws(Failure) -> AnswerCounts {
    var counts = AnswerCounts()
    let lookup = try ledger.payoutLookup()
    try intake.forEachGroup(matching.order) { places throws(Failure) in
      try write(places, lookup.payment(intake.answers[head: places.first!].reference)!, &counts)
    }
    for place in matching.rest {
      let (answer, result) = (intake.answers[place], matching.result(ofRest: place))
      counts.add(result, answer.code)
      try tables.write(answer, nil, result, intake.texts)
    }
    if let period { try PaymentList(matching, ledger, period).write(tables, &counts) }
    return counts
  }

  private func write(
    _ places: ArraySlice<UInt32>, _ payment: AccountAmount, _ counts: inout AnswerCounts
  ) throws(Failure) {
    var changes: [Answer] = []
    for (place, result) in zip(places, matching.results(places)) {
      let answer = intake.answers[place]
      counts.add(result, answer.code)
      if result == .returned {
        counts.add(payment.amount, payment.currency)
        try tables.writeReturned(answer, intake.texts)
      }
      if result == .change { changes.append(answer) }
      try tables.write(answer, payment, result, intake.texts)
    }
    try tables.writeChanges(changes, payment, intake.texts)
  }
}

/// The answers by result and code, what came back, and the payments of a period by currency and state.
struct AnswerCounts {
  /// A number of payments, and their sum.
  struct Sum {
    var payments = 0
    var amount: ExactDecimal

    init(_ currency: Currency) { amount = .zero(at: -currency.settlementExponent) }

    mutating func add(_ amount: ExactDecimal) {
      payments += 1
      self.amount = self.amount + amount
    }
  }

  private(set) var results: [AnswerResult: Int] = [:]
  private(set) var codes: [AnswerCode: Int] = [:]
  private(set) var returned: [Currency: Sum] = [:]
  private(set) var states: [Currency: [PaymentState: Sum]] = [:]

  mutating func add(_ result: AnswerResult, _ code: AnswerCode?) {
    results[result, default: 0] += 1
    if let code { codes[code, default: 0] += 1 }
  }

  mutating func add(_ amount: ExactDecimal, _ currency: Currency) {
    returned[currency, default: Sum(currency)].add(amount)
  }

  mutating func add(_ payment: AccountAmount, _ state: PaymentState) {
    states[payment.currency, default: [:]][state, default: Sum(payment.currency)].add(payment.amount)
  }

  /// The payments of a period by currency and state, in the order of `returns.json`.
  var payments: [(currency: Currency, state: PaymentState, sum: Sum)] {
    states.sorted { $0.key < $1.key }.flatMap { currency, states in
      states.sorted { $0.key.rawValue < $1.key.rawValue }.map { (currency, $0.key, $0.value) }
    }
  }
}
