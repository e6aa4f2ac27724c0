import ExactArithmetic
import Money
import Payments

/// Where a currency's money went: sums of control amounts, by outcome (`control.csv`), and the settled payments' own
/// figures (`totals.csv`).
public struct CurrencyTotals: Sendable {
  /// Records with a control amount.
  public var records = 0
  /// The sum of control amounts by `Outcome.rawValue`.
  public var byOutcome: (ExactDecimal, ExactDecimal, ExactDecimal, ExactDecimal)
  /// Settled payments.
  public var payments = 0
  /// What senders send, without fees, in settled payments.
  public var senderAmount: ExactDecimal
  /// The fees that senders bear in settled payments.
  public var senderFees: ExactDecimal
  /// What receivers end up with in settled payments.
  public var receiverNet: ExactDecimal
  /// All fees of settled payments.
  public var fees: ExactDecimal

  init(exponent: Int) {
    let zero = ExactDecimal.zero(at: exponent)
    byOutcome = (zero, zero, zero, zero)
    senderAmount = zero
    senderFees = zero
    receiverNet = zero
    fees = zero
  }

  /// The sum of all control amounts.
  public var amount: ExactDecimal { byOutcome.0 + byOutcome.1 + byOutcome.2 + byOutcome.3 }

  /// `sender amount + sender fees - receiver net - fees`, which is zero.
  public var balance: ExactDecimal { senderAmount + senderFees - receiverNet - fees }

  /// The sum of control amounts of one outcome.
  public subscript(outcome: Outcome) -> ExactDecimal {
    switch outcome {
    case .settled: byOutcome.0
    case .pending: byOutcome.1
    case .held: byOutcome.2
    case .rejected: byOutcome.3
    }
  }

  mutating func merge(_ other: CurrencyTotals, sign: Sign) {
    records += sign == .adding ? other.records : -other.records
    payments += sign == .adding ? other.payments : -other.payments
    func merge(_ sum: inout ExactDecimal, _ part: ExactDecimal) {
      if sign == .adding { sum.add(part) } else { sum.subtract(part) }
    }
    merge(&byOutcome.0, other.byOutcome.0)
    merge(&byOutcome.1, other.byOutcome.1)
    merge(&byOutcome.2, other.byOutcome.2)
    merge(&byOutcome.3, other.byOutcome.3)
    merge(&senderAmount, other.senderAmount)
    merge(&senderFees, other.senderFees)
    merge(&receiverNet, other.receiverNet)
    merge(&fees, other.fees)
  }

  /// Whether sums are added or taken out again.
  public enum Sign: Sendable {
    /// Added.
    case adding
    /// Taken out again.
    case removing
  }
}

/// What was read and what became of it: counts and sums of a part of a batch, or of all of it.
///
/// Adding is commutative and exact, so that parts may be summed apart and merged in any order.
public struct ControlTotals: Sendable {
  /// Records other than header and trailer.
  public internal(set) var recordsRead = 0
  /// Records by `Outcome.rawValue`.
  public internal(set) var byOutcome = [0, 0, 0, 0]
  /// Records without a control amount.
  public internal(set) var recordsWithoutControlAmount = 0
  /// How often each error occurred, by `RejectionReason.rawValue`.
  public internal(set) var errors = Array(repeating: 0, count: RejectionReason.allCases.count)
  /// How often each notice was given to records that are not rejected, by `Notice.rawValue`.
  public internal(set) var notices = Array(repeating: 0, count: Notice.allCases.count)
  /// By `Currency.index`.
  public internal(set) var currencies: [CurrencyTotals]

  /// Nothing read.
  public init() {
    currencies = Currency.all.map { CurrencyTotals(exponent: -$0.settlementExponent) }
  }

  /// The number of records of an outcome.
  public subscript(outcome: Outcome) -> Int { byOutcome[Int(outcome.rawValue)] }

  /// Counts the record that the assessor holds the result of.
  public mutating func count(_ assessor: borrowing PaymentAssessor) {
    recordsRead += 1
    byOutcome[Int(assessor.outcome.rawValue)] += 1
    if assessor.outcome == .rejected {
      for finding in assessor.findings { errors[Int(finding.reason.rawValue)] += 1 }
    } else {
      for notice in assessor.noticeCounts.indices where assessor.noticeCounts[notice] != 0 {
        notices[notice] += assessor.noticeCounts[notice]
      }
    }
    guard assessor.hasControlAmount else {
      recordsWithoutControlAmount += 1
      return
    }
    let currency = Int(assessor.currency.unsafelyUnwrapped.index)
    currencies.withUnsafeMutableBufferPointer { all in
      all[currency].records += 1
      switch assessor.outcome {
      case .settled:
        all[currency].byOutcome.0.add(assessor.controlAmount)
        all[currency].payments += 1
        all[currency].senderAmount.add(assessor.senderAmount)
        all[currency].senderFees.add(assessor.senderFees)
        all[currency].receiverNet.add(assessor.receiverNet)
        all[currency].fees.add(assessor.fees)
      case .pending: all[currency].byOutcome.1.add(assessor.controlAmount)
      case .held: all[currency].byOutcome.2.add(assessor.controlAmount)
      case .rejected: all[currency].byOutcome.3.add(assessor.controlAmount)
      }
    }
  }

  /// Adds another part's counts and sums, or takes them out again.
  public mutating func merge(_ other: ControlTotals, sign: CurrencyTotals.Sign = .adding) {
    func merge(_ sum: inout Int, _ part: Int) { sum += sign == .adding ? part : -part }
    merge(&recordsRead, other.recordsRead)
    merge(&recordsWithoutControlAmount, other.recordsWithoutControlAmount)
    for index in byOutcome.indices { merge(&byOutcome[index], other.byOutcome[index]) }
    for index in errors.indices { merge(&errors[index], other.errors[index]) }
    for index in notices.indices { merge(&notices[index], other.notices[index]) }
    for index in currencies.indices { currencies[index].merge(other.currencies[index], sign: sign) }
  }
}
