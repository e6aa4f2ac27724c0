import TestSupport

/// Draws the nights of a course: payments, refunds and agreements that refer to each other, some with a defect.
struct DrawnCourse {
  /// Whether no key is repeated and a refund follows its payment, so that the nights may also be one batch.
  let isPlain: Bool
  private var random: SeededGenerator
  private var night = CourseNight()
  private var payments: [CourseRecord.Payment] = []
  private var agreements: [CourseRecord.Preapproval] = []
  private var drawn = 0

  init(_ random: SeededGenerator, isPlain: Bool = false) {
    self.random = random
    self.isPlain = isPlain
    night.day = CourseDay(number: number(300...700))
    night.rate = pick([0, 29, 29, 333, 900])
    night.returnsFees = chance(60)
    night.window = 36_500
  }

  private mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }
  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(0...elements.count - 1)] }

  /// The next night.
  ///
  /// - Parameter oracle: the state of the course before it.
  mutating func drawNight(after oracle: CourseOracle) -> CourseNight {
    night.records = []
    if !isPlain {
      night.day = chance(15) ? nil : CourseDay(number: (night.day?.number ?? 500) + number(0...3))
      night.rate = pick([29, night.rate])
      night.returnsFees = chance(60)
      night.window = pick([36_500, 36_500, 2, 0])
    }
    for _ in 0..<number(5...40) {
      let lot = number(0...99)
      drawn += 1
      if lot < 35 {
        night.records.append(.payment(payment()))
      } else if lot < 75 {
        night.records.append(.refund(refund(oracle)))
      } else {
        night.records.append(.preapproval(preapproval()))
      }
    }
    return night
  }

  private mutating func key(_ letter: String, below count: Int) -> String? {
    isPlain ? "\(letter)\(drawn)" : chance(2) ? nil : "\(letter)\(number(0...count - 1))"
  }

  private mutating func amount() -> Int { chance(3) ? number(-1...0) : pick([number(1...50), number(1...50_000)]) }

  // MARK: Payments

  private mutating func payment() -> CourseRecord.Payment {
    var payment = CourseRecord.Payment()
    payment.key = key("P", below: 25)
    payment.status = pick([nil, nil, nil, nil, "COMPLETED", "CREATED", "OTHER"])
    payment.currency = pick(["USD", "USD", "JPY"])
    if chance(80) { payment.time = time(CourseDay(number: number(300...700))) }
    if chance(70) { payment.sender = pick(["payer@a.example", "other@a.example"]) }
    payment.isByCard = chance(40)
    let count = number(1...6)
    let primary = count > 1 && chance(50) ? number(0...count - 1) : nil
    payment.isPersonal = primary == nil && chance(30)
    for place in 0..<count {
      let country = chance(20) ? pick(["IN", "DE", "US"]) : nil
      payment.receivers.append(("r\(9 - place)@\(pick(["a", "b"])).example", amount(), false, country))
    }
    if let primary {
      payment.receivers[primary].isPrimary = true
      let secondaries = payment.receivers.reduce(0) { $0 + ($1.isPrimary ? 0 : max(0, $1.amount)) }
      payment.receivers[primary].amount = max(1, secondaries + pick([0, 1, 40, secondaries, -number(0...3)]))
    }
    if chance(60) {
      payment.feePayer = primary == nil ? pick(["SENDER", "EACHRECEIVER"]) : pick(["PRIMARYRECEIVER", "EACHRECEIVER"])
      if count == 2, primary != nil, chance(50) { payment.feePayer = "SECONDARYONLY" }
      if chance(4) { payment.feePayer = pick(["SENDER", "PRIMARYRECEIVER", "SECONDARYONLY"]) }
    }
    if chance(60) { agree(&payment) }
    payments.append(payment)
    return payment
  }

  /// Puts a payment under an agreement, mostly within its terms.
  private mutating func agree(_ payment: inout CourseRecord.Payment) {
    guard !agreements.isEmpty, chance(95) else { return payment.agreement = "A9" }
    let terms = pick(agreements)
    payment.agreement = terms.key
    if chance(96) { payment.sender = payment.sender ?? "payer@a.example" }
    if chance(95), let sender = terms.sender { payment.sender = sender }
    if chance(95) { payment.currency = terms.currency ?? "USD" }
    if chance(50) { payment.feePayer = terms.feesPayer }
    payment.pin = pick([nil, true, true, true, false])
    guard chance(95) else { return }
    let first = terms.first?.number ?? 500
    let last = max(first, terms.last?.number ?? first)
    var day = CourseDay(number: number(max(0, first - (chance(5) ? 9 : 0))...min(last + (chance(5) ? 3 : 0), 1400)))
    // The first day that fits the terms, if one is near.
    for next in day.number..<min(day.number + 40, 1400) where chance(97) {
      let found = CourseDay(number: next)
      let date = terms.dateOfMonth ?? 0
      if found.weekday == terms.weekday ?? found.weekday, date == 0 || found.day == date || found.isLastOfMonth {
        day = found
        break
      }
    }
    payment.time = time(day)
  }

  private mutating func time(_ day: CourseDay) -> CourseTime {
    let seconds = pick([0, 86_399, number(0...86_399)])
    return CourseTime(
      seconds: day.number * 86_400 + seconds, offset: pick([0, 0, 60, -330, 1439, -1439]), hasFraction: chance(20))
  }

  // MARK: Refunds

  private mutating func refund(_ oracle: CourseOracle) -> CourseRecord.Refund {
    var refund = CourseRecord.Refund()
    refund.key = key("R", below: 60)
    guard !payments.isEmpty, chance(95) else {
      refund.payKey = isPlain || chance(50) ? "Q0" : nil
      return refund
    }
    let payment = pick(Array(payments.suffix(chance(60) ? 4 : 40)))
    refund.payKey = payment.key
    let settled = payment.key.flatMap { oracle.settled[$0] }
    let whole = payment.receivers.reduce(0) { $0 + ($1.isPrimary || payment.primary == nil ? $1.amount : 0) }
    if chance(85) { refund.currency = settled?.currency ?? payment.currency }
    if chance(3) { refund.currency = pick(["USD", "JPY", "XXX"]) }
    if chance(20) { return refund }
    if chance(55) {
      let left = settled?.remaining ?? whole
      refund.amount = pick([left, left, whole, number(1...max(1, whole)), number(1...max(1, left)), 1, whole + 1])
      if chance(3) { refund.amount = amount() }
    }
    if refund.amount == nil || chance(3) {
      refund.receivers = receivers(of: payment, settled)
    }
    return refund
  }

  private mutating func receivers(
    of payment: CourseRecord.Payment, _ settled: CourseOracle.Settled?
  ) -> [(account: String?, amount: Int?)] {
    var parts: [(account: String?, amount: Int?)] = []
    for place in payment.receivers.indices.shuffled(using: &random) where chance(60) {
      let kept = settled.flatMap { $0.receivers.count > place ? $0.remaining(place) : nil }
      let whole = kept ?? payment.receivers[place].amount
      parts.append((payment.receivers[place].account, max(1, pick([whole, number(0...max(0, whole)), whole + 1]))))
    }
    if chance(10) {
      parts.append(pick([("x@a.example", 1), ("nobody", 1), (nil, 1), (payment.receivers[0].account, nil)]))
    }
    if chance(2) { parts += (0..<7).map { ("s\($0)@a.example", 1) } }
    return parts
  }

  // MARK: Agreements

  private mutating func preapproval() -> CourseRecord.Preapproval {
    var record = CourseRecord.Preapproval()
    if !agreements.isEmpty, chance(70) {
      let terms = pick(agreements)
      record.key = terms.key
      record.action = pick(["CONFIRM", "CONFIRM", "CONFIRM", "CONFIRM", "CANCEL"])
      record.sender = pick([terms.sender, terms.sender, nil, "payer@a.example"])
      if record.action == "CONFIRM", let created = terms.time?.seconds {
        let wait = chance(80) ? number(0...10_800) : pick([-1, 0, 10_800, 10_801, 86_400])
        record.time = CourseTime(seconds: created + wait, hasFraction: chance(50))
      } else {
        record.time = time(CourseDay(number: number(300...700)))
      }
    } else {
      record = creation()
    }
    // What the key belongs to does not matter here: the first record that creates it decides.
    if chance(2) { record.action = "PAUSE" }
    if chance(2) { record.time = nil }
    if chance(2) { record.sender = "nobody" }
    return record
  }

  private mutating func creation() -> CourseRecord.Preapproval {
    var record = CourseRecord.Preapproval()
    record.key = isPlain ? "A\(drawn)" : key("A", below: 6)
    record.action = pick([nil, "CREATE"])
    let day = pick([CourseDay(number: number(300...700)), CourseDay(number: 59), CourseDay(number: 424)])
    record.time = CourseTime(seconds: day.number * 86_400 + number(0...86_399), hasFraction: chance(50))
    record.sender = chance(60) ? pick(["payer@a.example", "other@a.example"]) : nil
    let first = day.number + (chance(3) ? -1 : pick([0, 0, number(0...20)]))
    record.first = CourseDay(number: first)
    record.last = CourseDay(
      number: first + pick([0, 20, 100, 364, 365, 365, chance(50) ? 366 : 7, chance(20) ? -1 : 30]))
    record.currency = pick(["USD", "USD", "JPY"])
    record.total = pick([amount(), 100_000, 1_000_000, 10_000_000])
    if chance(30) { record.perPayment = pick([amount(), number(1...50_000)]) }
    if chance(30) { record.count = number(chance(10) ? 0...1 : 1...4) }
    if chance(60) { record.perPeriod = number(chance(10) ? 0...1 : 1...2) }
    record.period = pick([
      nil, "NO_PERIOD_SPECIFIED", "DAILY", "WEEKLY", "BIWEEKLY", "SEMIMONTHLY", "MONTHLY", "ANNUALLY",
    ])
    if chance(15) { record.dateOfMonth = pick([0, 15, 29, 30, 31, 31, chance(30) ? 32 : 1]) }
    if chance(15) { record.weekday = number(0...6) }
    record.needsPIN = chance(15)
    record.feesPayer = pick([nil, nil, "EACHRECEIVER", "SENDER", "PRIMARYRECEIVER"])
    if chance(2) { record.last = nil }
    // Reading an amount without its currency is tested elsewhere.
    if chance(2), record.perPayment == nil { record.currency = nil }
    for _ in 0..<3 { agreements.append(record) }
    if agreements.count > 12 { agreements.removeFirst(3) }
    return record
  }
}
