import Claims
import ExactArithmetic
import Failures
import Records
import Rules

/// The payments that refunds name: their state before the batch, and what its refunds took from them so far.
package struct RefundedPayments {
  /// What is known of a payment.
  private struct Known {
    /// Where its `RefundablePayment` begins in the text.
    let start: Int
    let length: UInt32
    /// The run that settled it; 0 for this batch.
    let run: UInt32
    /// What was taken from each receiver; empty if nothing was.
    var taken: [ExactDecimal] = []
  }

  /// The settled ones; nil if the refund window of a payment has passed.
  private var known: [Fingerprint: Known?] = [:]
  /// The refund data of the payments, one after the other: one array each would take twice the memory.
  private var text: [UInt8] = []

  /// Reserves room for `count` payments.
  package mutating func reserve(_ count: Int) { known.reserveCapacity(count) }

  /// Adds a payment that the batch settles.
  ///
  /// - Parameter payment: a `RefundablePayment`.
  package mutating func add(_ payment: Span<UInt8>, of key: Fingerprint) {
    known[key] = append(payment, run: 0)
  }

  private mutating func append(_ payment: Span<UInt8>, run: Int) -> Known {
    text.append(payment)
    return Known(start: text.count - payment.count, length: UInt32(payment.count), run: UInt32(run))
  }

  /// Adds a payment that an earlier run settled.
  ///
  /// - Parameters:
  ///   - day: the run's day; nil if it has none.
  ///   - rules: say how long payments can be refunded.
  package mutating func add(
    _ payment: SettlementLookup.Payment, of key: Fingerprint, day: CalendarDay?, _ rules: SettlementRules
  ) throws(Failure) {
    guard let bytes = try payment.bytes(on: day, rules) else {
      known[key] = .some(nil)
      return
    }
    var found = append(bytes.span, run: payment.run)
    for refund in payment.refunds {
      found.taken = found.taken.isEmpty ? refund.parts : zip(found.taken, refund.parts).map(+)
    }
    known[key] = found
  }

  /// The state of a payment after the refunds so far.
  package func state(of key: Fingerprint) -> RefundState {
    guard let known = known[key] else { return .unknown }
    guard let known else { return .overWindow }
    let payment = RefundablePayment(Array(bytes(of: known)))
    guard let payment else { preconditionFailure("the refund data of a payment is malformed") }
    return .known(RefundedPayment(payment, run: Int(known.run), taken: known.taken))
  }

  /// A payment's `RefundablePayment`; empty if the payment is not known.
  package func bytes(of key: Fingerprint) -> [UInt8] {
    if case .some(.some(let known)) = known[key] { Array(bytes(of: known)) } else { [] }
  }

  private func bytes(of known: Known) -> ArraySlice<UInt8> { text[known.start..<known.start + Int(known.length)] }

  /// Judges the next refund of a payment, and deducts it if it is made.
  package mutating func judge(_ terms: RefundTerms, of key: Fingerprint, _ schedule: FeeSchedule) -> RefundVerdict {
    var state = state(of: key)
    let verdict = state.judge(terms, schedule)
    if case .made = verdict, case .known(let payment) = state { known[key]!!.taken = payment.taken }
    return verdict
  }
}
