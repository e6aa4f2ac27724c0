import ExactArithmetic
import Failures
import Ledger
import Money

/// The checks of one answer, without what other answers say (`returns.md`, Checks).
struct AnswerChecks {
  let texts: AnswerTexts
  let payouts: AnswerablePayouts

  /// The first check that fails of an answer whose payment the ledger has.
  ///
  /// - Parameters:
  ///   - payee: the payment's bank account; nil if the ledger does not know it.
  ///   - booked: the return that a payout has booked; nil without one.
  func code(
    _ answer: Answer, _ payment: AccountAmount, payee: BankAccountDigest?, booked: BookedReturn?
  ) -> AnswerCode? {
    // A person made the list.
    if answer.asFormat.isList { return nil }
    switch answer.kind {
    case .status, .whole: return PaymentStatus.code(texts[answer.status])
    case .return where booked != nil && !answer.flags.contains(.hasTwoReferences):
      // No one has decided about a reason that needs a person.
      return booked!.needsPerson ? nil : AnswerReason.code(texts[answer.reason])
    default: break
    }
    if !answer.flags.isDisjoint(with: [.conflicts, .hasForeignIDs]) { return .referenceConflict }
    if answer.kind == .reversal || answer.kind == .credit { return .unclear }
    if answer.accounts & OwnAccount.bit(payment.currency) == 0 { return .otherAccount }
    if answer.flags.contains(.hasPayee), let payee, answer.subject != payee.value { return .otherPayee }
    if let code = amountCode(answer, payment.currency, payment.amount) { return code }
    if isBefore(payout: Int(answer.payout), answer) { return .beforePayout }
    guard answer.kind == .return else { return nil }
    return AnswerReason.code(texts[answer.reason])
      ?? (answer.flags.contains(.isRefusedAsWhole) ? .fileRefused : nil)
  }

  /// The code of an answer whose payment the ledger does not have; nil if it is about another ledger's.
  func codeWithoutPayment(_ answer: Answer) -> AnswerCode? {
    guard answer.hasReference else {
      switch answer.kind {
      case .return: return .noReference
      case .whole:
        let status = texts[answer.status]
        guard PaymentStatus.isRefused(status) else { return PaymentStatus.code(status) }
        return AnswerReason.code(texts[answer.reason]) == .sentTwice ? .sentTwice : .fileRefused
      default: return .unclear
      }
    }
    if answer.kind == .credit || answer.flags.contains(.hasForeignIDs) { return nil }
    if answer.kind != .status, answer.flags.contains(.conflicts) { return .referenceConflict }
    return payouts.isGivenUp(Int(answer.payout)) ? .givenUp : .unknownReference
  }

  /// Whether money that came in without a word of a return is a payment's.
  func isAmount(_ answer: Answer, of payment: AccountAmount) -> Bool {
    texts[answer.currency].elementsEqual(payment.currency.code.utf8) && answer.amount.value(in: texts) == payment.amount
  }

  /// - Parameter sum: what the answer must state.
  func amountCode(_ answer: Answer, _ currency: Currency, _ sum: ExactDecimal) -> AnswerCode? {
    let isStatus = answer.asFormat.isStatus
    guard answer.flags.contains(.hasAmount) else {
      return isStatus && answer.flags.contains(.hasFileID) ? nil : .amountDiffers
    }
    guard texts[answer.currency].elementsEqual(currency.code.utf8) else { return .currencyDiffers }
    if answer.kind == .change { return nil }
    guard let value = answer.amount.value(in: texts) else { return .amountDiffers }
    if value == sum { return answer.flags.contains(.hasOtherSum) ? .charged : nil }
    let isCharged = answer.kind == .debit ? value > sum : value < sum && value > .zero
    return isCharged && !isStatus ? .charged : .amountDiffers
  }

  /// Whether an answer is more than a day older than its payout.
  func isBefore(payout: Int, _ answer: Answer) -> Bool {
    answer.day.map { Int($0) < payouts.day(of: payout) - 1 } ?? false
  }
}

/// The returns that payouts have booked, by reference.
struct BookedReturns {
  private var all: [BookedReturn] = []

  init() {}

  /// - Parameter payouts: the payouts that count.
  init(_ lookup: PayoutLookup, _ payouts: AnswerablePayouts) throws(Failure) {
    var all: [BookedReturn] = []
    try lookup.forEach(ReturnNote.self) { booked in
      let (note, payout) = (booked.change.note, booked.payout)
      // A payout that came after the answers were read does not count when they are read again.
      guard payouts.has(payout: payout) else { return }
      let needsPerson = AnswerReason.code(Array(note.reason.utf8)) != nil
      all.append(BookedReturn(key: note.reference.key, day: Int32(payouts.day(of: payout)), needsPerson: needsPerson))
    }
    self.all = all.sorted { $0.key < $1.key }
  }

  subscript(key: UInt64) -> BookedReturn? {
    var (lower, upper) = (0, all.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if all[middle].key < key { lower = middle + 1 } else { upper = middle }
    }
    return lower < all.count && all[lower].key == key ? all[lower] : nil
  }
}

/// A return that a payout has booked.
struct BookedReturn {
  let key: UInt64
  /// The day of the payout that booked it.
  let day: Int32
  /// Whether the reason is one that a person must decide about.
  let needsPerson: Bool
}

extension PaymentReference {
  /// Sorts as the reference does.
  var key: UInt64 { UInt64(payout) << 32 | UInt64(number) }

  init(key: UInt64) { self.init(payout: Int(key >> 32), number: Int(key & 0xFFFF_FFFF)) }
}
