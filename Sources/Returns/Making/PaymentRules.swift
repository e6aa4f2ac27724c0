/// The checks of all answers about one payment (`returns.md`, All answers about a payment).
struct PaymentRules {
  /// The answers about the payment, in the order of their files and lines.
  var group: [Answer]
  /// The debits of files that confirm the payment, as answers.
  var fileDebits: [Answer]
  let isBooked: Bool
  let texts: AnswerTexts

  /// Gives each answer its code: that of its own checks, or that another answer contradicts it.
  mutating func checkContradictions() {
    for place in group.indices { group[place].code = group[place].checked }
    let returns = group.indices.filter { group[$0].kind == .return && group[$0].checked == nil && counts(group[$0]) }
    if returns.isEmpty, !isBooked { return }
    let cameBack = returns.map { group[$0] }.filter { !$0.asFormat.isStatus }
    func isContradicted(_ paid: Answer) -> Bool {
      paid.checked == nil
        && !cameBack.contains { back in back.day.map { day in paid.day.map { day >= $0 } ?? true } ?? true }
    }
    var isReturnedInVain = false
    for place in group.indices where isPaid(group[place]) && isContradicted(group[place]) {
      (group[place].code, isReturnedInVain) = (.contradiction, true)
    }
    for place in fileDebits.indices where isContradicted(fileDebits[place]) {
      (fileDebits[place].code, isReturnedInVain) = (.contradiction, true)
    }
    let isDoubted = !isBooked && group.contains { counts($0) && isDoubt($0) }
    let otherDocuments = isBooked ? [] : Set(group.filter { counts($0) && $0.kind == .status }.map(\.document))
    for place in returns where !group[place].asFormat.isList {
      let answer = group[place]
      if isReturnedInVain || isDoubted || answer.asFormat.isStatus && otherDocuments.contains(answer.document) {
        group[place].code = .contradiction
      }
    }
  }

  /// Finds what happened on a second day, or twice on one.
  mutating func checkRepetitions() {
    let entries = group.indices.filter { place in
      let answer = group[place]
      return answer.kind == .return && answer.code == nil && answer.asFormat.isEntry && counts(answer)
    }
    if let first = entries.compactMap({ group[$0].day }).min() {
      for place in entries where group[place].day.map({ $0 > first }) ?? false { group[place].code = .returnedAgain }
    }
    let own = group.indices.filter { group[$0].kind == .debit && group[$0].code == nil && counts(group[$0]) }
    let files = fileDebits.indices.filter { fileDebits[$0].code == nil }
    if own.count + files.count < 2 { return }
    let all = own.map { group[$0] } + files.map { fileDebits[$0] }
    let firstDay = all.compactMap(\.day).min()
    func isAgain(_ debit: Answer) -> Bool {
      if let day = debit.day, let firstDay, day > firstDay { return true }
      return debit.asFormat.isEntry && all.contains { $0.document == debit.document && $0.place < debit.place }
    }
    for place in own where isAgain(group[place]) { group[place].code = .debitedAgain }
    for place in files where isAgain(fileDebits[place]) { fileDebits[place].code = .debitedAgain }
  }

  /// Whether the payment was debited and the money is back.
  var cameBack: Bool {
    group.contains { $0.kind == .return && $0.checked == nil && !$0.asFormat.isStatus && counts($0) }
  }

  /// Whether the bank refused the payment, so that it is not part of what it debits.
  var isRefused: Bool {
    let isRefused = group.contains { $0.kind == .return && $0.code == nil && $0.asFormat.isStatus && counts($0) }
    return (isRefused || isBooked) && !cameBack
  }

  /// Whether an answer names only this payment.
  private func counts(_ answer: Answer) -> Bool { !answer.flags.contains(.hasTwoReferences) }

  private func isPaid(_ answer: Answer) -> Bool {
    guard answer.checked == nil, counts(answer) else { return false }
    return answer.kind == .debit || answer.kind == .status && PaymentStatus.isExecuted(texts[answer.status])
  }

  /// Whether an answer casts doubt on every return of the payment.
  private func isDoubt(_ answer: Answer) -> Bool {
    answer.kind == .reversal
      || answer.kind == .return && !answer.asFormat.isList && AnswerReason.code(texts[answer.reason]) != nil
  }
}
