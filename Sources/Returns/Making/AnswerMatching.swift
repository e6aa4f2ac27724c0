import Failures
import Ledger

/// Finds the payments of answers in the ledger, and checks each answer, by itself and with the others.
///
/// Answers are taken by their references, all of one payment together, so that the ledger is read once and in order.
final class AnswerMatching {
  let intake: AnswerIntake
  private let ledger: LedgerReading
  private let checks: AnswerChecks
  /// The answers about payments of the ledger, in the order of payments, files and lines.
  private(set) var order: [UInt32] = []
  /// The other answers, in the order of files and lines.
  private(set) var rest: [UInt32] = []
  private(set) var debits: [FileDebit] = []
  /// The debits of files by payout, and by their places among the answers.
  private(set) var debitsOfPayouts: [Int: [Int]] = [:]
  private var debitsOfPlaces: [UInt32: Int] = [:]
  private(set) var booked = BookedReturns()
  /// The answers that turned out not to be about this ledger, by file.
  private(set) var dropped: [Int: Int] = [:]
  /// The places of files whose answers do not count.
  private let leftOut: Set<Int>

  /// - Parameters:
  ///   - leftOut: the places of files whose answers do not count.
  ///   - lacksAnswers: whether a bank's file is left out, which may say that a payment was made.
  init(
    _ intake: AnswerIntake, _ ledger: LedgerReading, leftOut: Set<Int>, lacksAnswers: Bool
  ) throws(Failure) {
    (self.intake, self.ledger, self.leftOut) = (intake, ledger, leftOut)
    checks = AnswerChecks(texts: intake.texts, payouts: intake.payouts)
    try check()
    try checkDebits()
    if let failure = intake.files?.failure { throw failure }
    try checkTogether()
    if lacksAnswers { try holdBack() }
  }

  // MARK: Each answer by itself

  private func check() throws(Failure) {
    let all = intake.sortedByPayment { $0.hasReference && !leftOut.contains(Int($0.file)) }
    let lookup = try ledger.payoutLookup()
    booked = try BookedReturns(lookup, intake.payouts)
    try intake.forEachGroup(all) { places throws(Failure) in try check(places, lookup) }
    for place in 0..<UInt32(intake.answers.count) where !intake.answers[head: place].hasReference {
      let answer = intake.answers[place]
      if leftOut.contains(Int(answer.file)) { continue }
      rest.append(place)
      if answer.kind == .debit {
        debitsOfPayouts[Int(answer.payout), default: []].append(debits.count)
        debitsOfPlaces[place] = debits.count
        debits.append(FileDebit(place, payout: Int(answer.payout)))
      } else {
        setOwnCode(checks.codeWithoutPayment(answer), place)
      }
    }
    rest.sort { intake.answers[head: $0].place < intake.answers[head: $1].place }
  }

  private func check(_ places: ArraySlice<UInt32>, _ lookup: PayoutLookup) throws(Failure) {
    let reference = intake.answers[head: places.first!].reference
    let isKnown = intake.payouts.has(payout: reference.payout)
    let payment = isKnown ? try lookup.payment(reference) : nil
    guard let payment else {
      for place in places {
        guard let code = checks.codeWithoutPayment(intake.answers[place]) else {
          drop(place)
          continue
        }
        setOwnCode(code, place)
        rest.append(place)
      }
      return
    }
    let booked = booked[reference.key]
    let hasPayee = places.contains { intake.answers[head: $0].flags.contains(.hasPayee) }
    let payee = hasPayee ? try lookup.bankAccount(reference) : nil
    for place in places {
      let answer = intake.answers[place]
      if answer.kind == .credit, !checks.isAmount(answer, of: payment) {
        drop(place)
        continue
      }
      if booked != nil { intake.answers[head: place].flags.insert(.isBooked) }
      setOwnCode(checks.code(answer, payment, payee: payee, booked: booked), place)
      order.append(place)
    }
  }

  private func setOwnCode(_ code: AnswerCode?, _ place: UInt32) {
    intake.answers[head: place].checked = code
    intake.answers[head: place].code = code
  }

  private func drop(_ place: UInt32) { dropped[Int(intake.answers[head: place].file), default: 0] += 1 }

  // MARK: Debits of whole files

  private func checkDebits() throws(Failure) {
    if debits.isEmpty { return }
    var refused: [UInt64: Bool] = [:]
    try intake.forEachGroup(order) { places throws(Failure) in
      let key = intake.answers[head: places.first!].key
      guard debitsOfPayouts[Int(key >> 32)] != nil else { return }
      var rules = rules(places, [], key)
      rules.checkContradictions()
      refused[key] = rules.isRefused
    }
    for number in debits.indices {
      let answer = intake.answers[debits[number].place]
      let code = debits[number].check(answer, intake, checks) { refused[$0] ?? (booked[$0] != nil) }
      setOwnCode(code, debits[number].place)
    }
  }

  private func rules(_ places: ArraySlice<UInt32>, _ debits: [Int], _ key: UInt64) -> PaymentRules {
    PaymentRules(
      group: places.map { intake.answers[$0] }, fileDebits: debits.map { intake.answers[self.debits[$0].place] },
      isBooked: booked[key] != nil, texts: intake.texts)
  }

  // MARK: All answers about a payment

  private func checkTogether() throws(Failure) {
    let confirmed = keysOfConfirmed()
    try forEachPayment(confirmed) { key, places, debits throws(Failure) in
      var rules = rules(places, debits, key)
      rules.checkContradictions()
      keep(rules, places)
      for (number, answer) in zip(debits, rules.fileDebits) where answer.code != nil {
        intake.answers[head: self.debits[number].place].code = answer.code
      }
    }
    // A debit of a file has the code if one of its payments has, which changes nothing for the others.
    var again: Set<Int> = []
    try forEachPayment(confirmed) { key, places, debits throws(Failure) in
      var rules = rules(places, debits, key)
      rules.checkRepetitions()
      keep(rules, places)
      for (number, answer) in zip(debits, rules.fileDebits) where answer.code == .debitedAgain { again.insert(number) }
    }
    for number in again { intake.answers[head: debits[number].place].code = .debitedAgain }
    try findRepeated(confirmed)
  }

  private func keep(_ rules: PaymentRules, _ places: ArraySlice<UInt32>) {
    for (place, answer) in zip(places, rules.group) { intake.answers[head: place].code = answer.code }
  }

  /// Finds the debits of files that others confirm already.
  private func findRepeated(_ confirmed: [UInt64]) throws(Failure) {
    for numbers in debitsOfPayouts.values where numbers.count > 1 {
      for number in numbers {
        debits[number].isRepeated = numbers.contains { other in
          isConfirming(other) && debits[other].confirmed == debits[number].confirmed
            && precedes(intake.answers[debits[other].place], intake.answers[debits[number].place])
        }
      }
    }
    try forEachPayment(confirmed) { _, places, debits throws(Failure) in
      for number in debits where self.debits[number].confirmed.count == 1 {
        let debit = intake.answers[self.debits[number].place]
        if places.contains(where: { isConfirming(intake.answers[$0]) && precedes(intake.answers[$0], debit) }) {
          self.debits[number].isRepeated = true
        }
      }
    }
  }

  private func isConfirming(_ number: Int) -> Bool { intake.answers[head: debits[number].place].code == nil }

  private func isConfirming(_ answer: Answer) -> Bool { answer.kind == .debit && answer.code == nil }

  /// Whether a debit comes before another one.
  private func precedes(_ left: Answer, _ right: Answer) -> Bool {
    (left.asFormat.rank, left.sortingDay, left.place) < (right.asFormat.rank, right.sortingDay, right.place)
  }

  /// Leaves returns open that only pain.002 reports: a file that was left out may say that the payment was made.
  private func holdBack() throws(Failure) {
    try intake.forEachGroup(order) { places throws(Failure) in
      let returns = places.filter { place in
        let answer = intake.answers[place]
        return answer.kind == .return && answer.code == nil && !answer.flags.contains(.isBooked)
      }
      guard returns.allSatisfy({ intake.answers[$0].asFormat.isStatus }) else { return }
      for place in returns { intake.answers[head: place].code = .notAllRead }
    }
  }

  /// The payments of debits of files whose own checks found nothing, ascending.
  private func keysOfConfirmed() -> [UInt64] {
    var keys: [UInt64] = []
    for debit in debits where intake.answers[head: debit.place].checked == nil {
      keys += debit.confirmed.map { UInt64(debit.payout) << 32 | UInt64($0) }
    }
    keys.sort()
    return keys
  }

  /// Passes on each payment that answers are about, or that debits of files confirm.
  ///
  /// - Parameter confirmed: these payments, ascending; one may be there several times.
  private func forEachPayment(
    _ confirmed: [UInt64],
    _ take: (_ key: UInt64, _ places: ArraySlice<UInt32>, _ debits: [Int]) throws(Failure) -> Void
  ) throws(Failure) {
    var next = 0
    func passConfirmed(before end: UInt64) throws(Failure) {
      while next < confirmed.count, confirmed[next] < end {
        let key = confirmed[next]
        try take(key, [], confirming(key))
        while next < confirmed.count, confirmed[next] == key { next += 1 }
      }
    }
    try intake.forEachGroup(order) { places throws(Failure) in
      let key = intake.answers[head: places.first!].key
      try passConfirmed(before: key)
      while next < confirmed.count, confirmed[next] == key { next += 1 }
      try take(key, places, confirming(key))
    }
    try passConfirmed(before: .max)
  }

  /// The debits of files with a payment whose own checks found nothing.
  private func confirming(_ key: UInt64) -> [Int] {
    guard let debits = debitsOfPayouts[Int(key >> 32)] else { return [] }
    return debits.filter { number in
      intake.answers[head: self.debits[number].place].checked == nil
        && self.debits[number].confirms(UInt32(truncatingIfNeeded: key))
    }
  }

  // MARK: Results

  /// What becomes of the answers about a payment.
  func results(_ places: ArraySlice<UInt32>) -> [AnswerResult] {
    let group = places.map { intake.answers[$0] }
    let debits = confirming(group[0].key).map { intake.answers[self.debits[$0].place] }
    var results = group.map { answer in result(of: answer, group, debits) }
    let first = group.indices.filter { results[$0] == .repeated && group[$0].kind == .return }.min { left, right in
      isBooked(group[left], before: group[right])
    }
    if let first { results[first] = .returned }
    return results
  }

  /// A return that may be booked is repeated until one of them is chosen.
  private func result(of answer: Answer, _ group: [Answer], _ debits: [Answer]) -> AnswerResult {
    if answer.code != nil { return .open }
    switch answer.kind {
    case .return: return answer.flags.contains(.isBooked) ? .booked : .repeated
    case .change: return .change
    case .debit:
      let isRepeated = (group + debits).contains { isConfirming($0) && precedes($0, answer) }
      return isRepeated ? .repeated : .confirmed
    default: return .noted
    }
  }

  /// Which of two answers that return a payment counts.
  private func isBooked(_ left: Answer, before right: Answer) -> Bool {
    let (rank, otherRank) = (left.asFormat.rank, right.asFormat.rank)
    if (rank, left.sortingDay) != (otherRank, right.sortingDay) {
      return (rank, left.sortingDay) < (otherRank, right.sortingDay)
    }
    if left.reason != right.reason {
      return intake.texts[left.reason].lexicographicallyPrecedes(intake.texts[right.reason])
    }
    return left.place < right.place
  }

  /// What becomes of an answer without a payment of the ledger.
  func result(ofRest place: UInt32) -> AnswerResult {
    guard intake.answers[head: place].code == nil else { return .open }
    return debits[debitsOfPlaces[place]!].isRepeated ? .repeated : .confirmed
  }
}

extension AnswerHead {
  var reference: PaymentReference { PaymentReference(payout: Int(payout), number: Int(number)) }
}
