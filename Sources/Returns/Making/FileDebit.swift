import Ledger

/// A debit of a whole file or block.
struct FileDebit {
  /// Its place among the answers.
  let place: UInt32
  let payout: Int
  /// The numbers of all payments of the file, ascending; empty if it is not known.
  private(set) var numbers: [UInt32] = []
  /// The payments that it confirms, unless it has a code.
  private(set) var confirmed: [UInt32] = []
  /// Whether a debit before it confirms the same payments.
  var isRepeated = false

  /// A debit that was not compared with the sum of its payments yet.
  init(_ place: UInt32, payout: Int) { (self.place, self.payout) = (place, payout) }

  /// Checks a debit.
  ///
  /// - Parameters:
  ///   - checks: the checks of single answers.
  ///   - isRefused: whether the bank refused a payment of the payout.
  /// - Returns: its code; nil if it confirms payments.
  mutating func check(
    _ answer: Answer, _ intake: AnswerIntake, _ checks: AnswerChecks, isRefused: (UInt64) -> Bool
  ) -> AnswerCode? {
    if answer.flags.contains(.conflicts) { return .referenceConflict }
    if intake.payouts.isGivenUp(payout) { return .givenUp }
    guard !answer.flags.contains(.fitsSeveral), let files = intake.files,
      let content = files.content(intake.bankFiles[Int(answer.subject)])
    else { return .fileUnknown }
    (numbers, confirmed) = (content.numbers, content.numbers)
    if answer.accounts & OwnAccount.bit(content.currency) == 0 { return .otherAccount }
    if answer.flags.contains(.hasAmount), answer.amount.value(in: intake.texts) != content.sum {
      let others = content.numbers.filter { number in
        !isRefused(PaymentReference(payout: payout, number: Int(number)).key)
      }
      let sum = files.sum(of: others, payout)
      if sum > .zero, answer.amount.value(in: intake.texts) == sum {
        confirmed = others
        return checks.amountCode(answer, content.currency, sum)
          ?? (checks.isBefore(payout: payout, answer) ? .beforePayout : nil)
      }
    }
    return checks.amountCode(answer, content.currency, content.sum)
      ?? (checks.isBefore(payout: payout, answer) ? .beforePayout : nil)
  }

  /// Whether the payment of a number is one of its file's.
  func covers(_ number: UInt32) -> Bool { Self.contains(number, numbers) }

  /// Whether it confirms the payment of a number, unless it has a code.
  func confirms(_ number: UInt32) -> Bool { Self.contains(number, confirmed) }

  private static func contains(_ number: UInt32, _ numbers: [UInt32]) -> Bool {
    var (lower, upper) = (0, numbers.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if numbers[middle] < number { lower = middle + 1 } else { upper = middle }
    }
    return lower < numbers.count && numbers[lower] == number
  }
}
