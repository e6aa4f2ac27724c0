import BatchRun
import ExactArithmetic
import Failures
import Ledger
import Money
import Payouts

/// Finds the payments of answers in the ledger, checks each answer, and writes what becomes of it.
///
/// Answers are taken by their references, all of one payment together, so that the ledger is read once and in order.
final class AnswerMatching {
  private let intake: AnswerIntake
  private let lookup: PaymentLookup
  private let tables: AnswerTables?
  private let leftOut: Set<Int>
  private let lacksAnswers: Bool
  /// The references whose returns are booked, sorted.
  private var booked: [UInt64] = []
  private var nextBooked = 0
  /// Answers without a known payment, which come last.
  private var rest: [UInt32] = []
  private(set) var counts = AnswerCounts()
  /// The faults of rows of lists, by file.
  private(set) var faults: [Int: [InputFault]] = [:]

  /// - Parameters:
  ///   - tables: nil to find only the faults of lists.
  ///   - leftOut: the places of files whose answers do not count.
  ///   - lacksAnswers: whether a bank's file is left out, which may say that a payment was made.
  init(
    _ intake: AnswerIntake, _ lookup: PaymentLookup, tables: AnswerTables?, leftOut: Set<Int>, lacksAnswers: Bool
  ) {
    (self.intake, self.lookup, self.tables) = (intake, lookup, tables)
    (self.leftOut, self.lacksAnswers) = (leftOut, lacksAnswers)
  }

  func match() throws(Failure) {
    let answers = intake.answers
    var order: [UInt32] = []
    for place in 0..<UInt32(answers.count) where !leftOut.contains(Int(answers[place].file)) {
      if answers[place].flags.contains(.hasReference) { order.append(place) } else { rest.append(place) }
    }
    order.sort { left, right in
      let (left, right) = (answers[left], answers[right])
      return (left.key, left.file, left.sequence) < (right.key, right.file, right.sequence)
    }
    if !order.isEmpty { try readBooked() }
    var start = 0
    while start < order.count {
      let key = answers[order[start]].key
      var end = start + 1
      while end < order.count, answers[order[end]].key == key { end += 1 }
      try take(order[start..<end])
      start = end
    }
    rest.sort { left, right in
      let (left, right) = (answers[left], answers[right])
      return (left.file, left.sequence) < (right.file, right.sequence)
    }
    for place in rest { try write(answers[place], payment: nil, judgeWithoutPayment(answers[place])) }
  }

  private func readBooked() throws(Failure) {
    var booked: [UInt64] = []
    try lookup.forEachReturn { [last = intake.payouts.last] note, _, payout in
      // A payout that came after the answers were read does not count when they are read again.
      if payout <= last { booked.append(UInt64(note.reference.payout) << 32 | UInt64(note.reference.number)) }
    }
    booked.sort()
    self.booked = booked
  }

  /// Whether the payment of the next reference has come back already. Asked in ascending order.
  private func isBooked(_ key: UInt64) -> Bool {
    while nextBooked < booked.count, booked[nextBooked] < key { nextBooked += 1 }
    return nextBooked < booked.count && booked[nextBooked] == key
  }

  // MARK: The answers about one payment

  private func take(_ places: ArraySlice<UInt32>) throws(Failure) {
    let group = places.map { intake.answers[$0] }
    let reference = PaymentReference(payout: Int(group[0].payout), number: Int(group[0].number))
    var payment: BookedPayment?
    if intake.payouts.has(payout: reference.payout) {
      payment = try lookup.payment(reference)
    }
    checkRows(group, isKnown: payment != nil)
    guard let payment else { return rest += places }
    var verdicts = AnswerJudgement(
      group, payment: payment, day: intake.payouts.day(of: reference.payout), isBooked: isBooked(group[0].key),
      texts: intake.texts
    ).verdicts
    if lacksAnswers { Self.holdBack(group, &verdicts) }
    if let first = Self.firstToBook(group, verdicts, intake.texts) {
      verdicts[first].result = .returned
      counts.add(payment.amount, payment.currency)
      try tables?.writeReturned(group[first], intake.texts)
    }
    for (answer, verdict) in zip(group, verdicts) { try write(answer, payment: payment, verdict) }
    try tables?.writeChanges(
      zip(group, verdicts).filter { $1.result == .change }.map(\.0), payment, intake.texts)
  }

  /// Leaves a return open that only pain.002 reports: a file that was left out may say that the payment was made.
  private static func holdBack(_ group: [Answer], _ verdicts: inout [AnswerVerdict]) {
    let places = group.indices.filter { verdicts[$0].result == .repeated }
    guard places.allSatisfy({ group[$0].format == AnswerFormat.pain }) else { return }
    for place in places { verdicts[place] = AnswerVerdict(result: .open, code: .notAllRead) }
  }

  /// Which of the answers that return the payment counts.
  private static func firstToBook(
    _ group: [Answer], _ verdicts: [AnswerVerdict], _ texts: AnswerTexts
  ) -> Int? {
    group.indices.filter { verdicts[$0].result == .repeated }.min { left, right in
      let (left, right) = (group[left], group[right])
      let (day, otherDay) = (left.day ?? .min, right.day ?? .min)
      if (left.format, day) != (right.format, otherDay) { return (left.format, day) < (right.format, otherDay) }
      if left.reason != right.reason {
        return texts[left.reason].lexicographicallyPrecedes(texts[right.reason])
      }
      return (left.file, left.sequence) < (right.file, right.sequence)
    }
  }

  private func judgeWithoutPayment(_ answer: Answer) -> AnswerVerdict {
    if answer.flags.contains(.hasReference) {
      let conflicts = answer.flags.isSuperset(of: [.conflicts, .returns])
      return AnswerVerdict(result: .open, code: conflicts ? .referenceConflict : .unknownReference)
    }
    guard answer.flags.contains(.isWhole) else { return AnswerVerdict(result: .open, code: .noReference) }
    let status = intake.texts[answer.status]
    guard PaymentStatus.isRefused(status) else {
      return AnswerVerdict(result: .open, code: PaymentStatus.code(status)!)
    }
    let isSentTwice = AnswerReason.sentTwice.contains(intake.texts[answer.reason])
    return AnswerVerdict(result: .open, code: isSentTwice ? .sentTwice : .fileRefused)
  }

  /// Finds the faults of rows of lists.
  private func checkRows(_ group: [Answer], isKnown: Bool) {
    var first: Answer?
    var lastFile: UInt32?
    for row in group where row.format == AnswerFormat.csv {
      var code: InputFault.Code?
      if let first {
        let differs =
          !first.flags.contains(.lacksReason) && !row.flags.contains(.lacksReason) && first.reason != row.reason
        if lastFile == row.file || differs { code = .duplicateReference }
      } else {
        first = row
        if !isKnown { code = .unknownReference }
      }
      lastFile = row.file
      if let code {
        faults[Int(row.file), default: []].append(InputFault(line: Int(row.line), column: 0, code: code))
      }
    }
  }

  private func write(_ answer: Answer, payment: BookedPayment?, _ verdict: AnswerVerdict) throws(Failure) {
    counts.add(verdict)
    try tables?.write(answer, payment, verdict, intake.texts)
  }
}

/// What becomes of an answer.
struct AnswerVerdict {
  var result: AnswerResult
  var code: AnswerCode?
}

/// The answers by result and code, and what came back.
struct AnswerCounts {
  private(set) var results: [AnswerResult: Int] = [:]
  private(set) var codes: [AnswerCode: Int] = [:]
  private(set) var returned: [Currency: (payments: Int, amount: ExactDecimal)] = [:]

  mutating func add(_ verdict: AnswerVerdict) {
    results[verdict.result, default: 0] += 1
    if let code = verdict.code { codes[code, default: 0] += 1 }
  }

  mutating func add(_ amount: ExactDecimal, _ currency: Currency) {
    var sum = returned[currency] ?? (0, .zero(at: -currency.settlementExponent))
    sum.payments += 1
    sum.amount = sum.amount + amount
    returned[currency] = sum
  }
}
