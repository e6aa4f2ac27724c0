import ExactArithmetic
import Money
import Postings
import Records

/// A currency's totals: sums of control amounts by outcome (`control.csv`), and what settled payments and refunds moved
/// (`totals.csv`).
public struct CurrencyTotals: Sendable {
  /// Records with a control amount.
  public var records = 0
  /// The sum of control amounts by `Outcome.number`.
  public var byOutcome: (ExactDecimal, ExactDecimal, ExactDecimal, ExactDecimal)
  /// Refunds with a control amount.
  public var refundRecords = 0
  /// The sum of these control amounts, whatever the refunds' outcomes.
  public var refundControl: ExactDecimal
  /// What was moved.
  public var moved: TrialBalance

  init(exponent: Int) {
    let zero = ExactDecimal.zero(at: exponent)
    byOutcome = (zero, zero, zero, zero)
    refundControl = zero
    moved = TrialBalance(exponent: exponent)
  }

  /// The sum of all control amounts.
  public var amount: ExactDecimal { byOutcome.0 + byOutcome.1 + byOutcome.2 + byOutcome.3 }

  /// Whether any record contributes to the sums; otherwise all sums are zero. When records are judged again, the
  /// changes contribute 0 records in total but nonzero sums.
  var isTouched: Bool {
    records != 0 || refundRecords != 0 || moved.refunds != 0 || moved.payments != 0 || !byOutcome.3.isZero
  }

  /// The sum of control amounts of one outcome.
  public subscript(outcome: Outcome) -> ExactDecimal {
    switch outcome {
    case .settled: byOutcome.0
    case .pending: byOutcome.1
    case .held: byOutcome.2
    case .rejected: byOutcome.3
    case .refunded, .agreed: preconditionFailure("refunds and agreements have no part in the control amounts")
    }
  }

  mutating func merge(_ other: CurrencyTotals) {
    records += other.records
    byOutcome.0.add(other.byOutcome.0)
    byOutcome.1.add(other.byOutcome.1)
    byOutcome.2.add(other.byOutcome.2)
    byOutcome.3.add(other.byOutcome.3)
    refundRecords += other.refundRecords
    refundControl.add(other.refundControl)
    moved.add(other.moved)
  }
}

extension PostingSign {
  @inline(__always)
  fileprivate func apply(_ figure: ExactDecimal, to sum: inout ExactDecimal) {
    if self == .adding { sum.add(figure) } else { sum.subtract(figure) }
  }
}

/// Counts and sums of all or part of a batch.
///
/// Merging is commutative and exact, so parts may be summed separately and merged in any order.
public struct ControlTotals: Sendable {
  /// All records except header and trailer.
  public var recordsRead = 0
  /// Records by `Outcome.number`.
  public var byOutcome = Array(repeating: 0, count: Outcome.allCases.count)
  /// Records without a control amount, not counting refunds and agreements.
  public var recordsWithoutControlAmount = 0
  /// Refunds and records of agreements, whatever their outcomes.
  public var otherRecords = 0
  /// Payments whose `card` has a number or a `cvv2`, whatever their outcome.
  public var recordsWithCardSecrets = 0
  /// How often each error occurred, by `RejectionReason.rawValue`.
  public var errors = Array(repeating: 0, count: RejectionReason.allCases.count)
  /// How often each notice was given to records that are not rejected, by `Notice.number`.
  public var notices = Array(repeating: 0, count: Notice.allCases.count)
  /// By `Currency.index`.
  public var currencies: [CurrencyTotals]
  /// The fees by name; empty if the night shows no names.
  public var named = NamedFeeTotals()

  public init() { currencies = Currency.all.map { CurrencyTotals(exponent: -$0.settlementExponent) } }

  public subscript(outcome: Outcome) -> Int { byOutcome[Int(outcome.number)] }

  /// The rejected records that are not JSON objects.
  var recordsWithoutObject: Int {
    [RejectionReason.invalidUTF8, .malformedJSON, .notAnObject].reduce(0) { $0 + errors[Int($1.rawValue)] }
  }

  /// Counts the record that a judge judged last, or removes it from the counts. The judge does not change.
  public mutating func count(_ judge: inout RecordJudge, sign: PostingSign = .adding) {
    let one = sign == .adding ? 1 : -1
    recordsRead += one
    byOutcome[Int(judge.judgement.outcome.number)] += one
    if judge.judgement.outcome == .rejected {
      for finding in judge.judgement.record.findings.errors { errors[Int(finding.reason.rawValue)] += one }
    } else if judge.judgement.record.findings.noticed > 0 {
      for notice in notices.indices { notices[notice] += one * judge.judgement.record.findings.counts[notice] }
    }
    guard judge.judgement.recordType == .payment else { return countOther(&judge, sign: sign) }
    if judge.judgement.record.hasCardSecret { recordsWithCardSecrets += one }
    guard judge.judgement.hasControlAmount else {
      recordsWithoutControlAmount += one
      return
    }
    let currency = Int(judge.judgement.currency!.index)
    // A span asks once whether the array is shared.
    var totals = currencies.mutableSpan
    totals[currency].records += one
    switch judge.judgement.outcome {
    case .settled:
      totals[currency].moved.payments += one
      sign.apply(judge.judgement.controlAmount, to: &totals[currency].byOutcome.0)
      sign.apply(judge.judgement.senderAmount, to: &totals[currency].moved.senderAmount)
      sign.apply(judge.judgement.senderFees, to: &totals[currency].moved.senderFees)
      sign.apply(judge.judgement.receiverNet, to: &totals[currency].moved.receiverNet)
      sign.apply(judge.judgement.fees, to: &totals[currency].moved.fees)
      if judge.judgement.receivers.chargedCount > 0 { named.count(&judge, sign) }
    case .pending: sign.apply(judge.judgement.controlAmount, to: &totals[currency].byOutcome.1)
    case .held: sign.apply(judge.judgement.controlAmount, to: &totals[currency].byOutcome.2)
    case .rejected: sign.apply(judge.judgement.controlAmount, to: &totals[currency].byOutcome.3)
    case .refunded, .agreed: preconditionFailure("no payment has this outcome")
    }
  }

  private mutating func countOther(_ judge: inout RecordJudge, sign: PostingSign) {
    let one = sign == .adding ? 1 : -1
    otherRecords += one
    guard judge.judgement.hasControlAmount else { return }
    let currency = Int(judge.judgement.currency!.index)
    currencies[currency].refundRecords += one
    sign.apply(judge.judgement.controlAmount, to: &currencies[currency].refundControl)
  }

  /// Counts what a refund moved.
  ///
  /// - Parameter showsNames: whether the night shows the names of fees.
  public mutating func count(_ refund: MadeRefund, showsNames: Bool) {
    if showsNames {
      for returned in refund.returned { named.add(returned.sums, of: .init(refund.payment.currency, returned.name)) }
    }
    let (fees, senders) = (refund.feesReturned, refund.feesReturned(to: nil))
    addRefund(
      refund.payment.currency, refunded: refund.amount + senders, receiverDebit: refund.amount - (fees - senders),
      feesReturned: fees)
  }

  mutating func addRefund(
    _ currency: Currency, refunded: ExactDecimal, receiverDebit: ExactDecimal, feesReturned: ExactDecimal
  ) {
    let currency = Int(currency.index)
    currencies[currency].moved.refunds += 1
    currencies[currency].moved.refunded.add(refunded)
    currencies[currency].moved.receiverDebit.add(receiverDebit)
    currencies[currency].moved.feesReturned.add(feesReturned)
  }

  /// Adds another part's counts and sums.
  public mutating func merge(_ other: ControlTotals) {
    recordsRead += other.recordsRead
    recordsWithoutControlAmount += other.recordsWithoutControlAmount
    otherRecords += other.otherRecords
    recordsWithCardSecrets += other.recordsWithCardSecrets
    for index in byOutcome.indices { byOutcome[index] += other.byOutcome[index] }
    for index in errors.indices { errors[index] += other.errors[index] }
    for index in notices.indices { notices[index] += other.notices[index] }
    for index in currencies.indices where other.currencies[index].isTouched {
      currencies[index].merge(other.currencies[index])
    }
    named.merge(other.named)
  }
}
