import Claims
import ExactArithmetic
import Records
import Rules

/// The payments that a batch's refunds are of: how they stood before the batch, and what its refunds took of them so far.
struct RefundedPayments {
  /// What is to be known of a payment.
  private struct Known {
    /// Where its `RefundablePayment` stands in the text.
    let start: Int
    let length: UInt32
    /// The run that settled it; 0 if the batch does.
    let run: UInt32
    /// What was taken of each receiver; empty if nothing was.
    var taken: [ExactDecimal] = []
  }

  private enum State {
    case known(Known)
    /// It was settled too long ago, or what a refund needs of it is not kept any more.
    case overWindow
  }

  private var states: [Fingerprint: State] = [:]
  /// What refunds need of the payments, one after the other: an array of each would take as much again.
  private var text: [UInt8] = []

  /// - Parameters:
  ///   - keys: the keys of the payments.
  ///   - claims: tells which of them the batch settles.
  ///   - refundables: what refunds need of these.
  ///   - earlier: tells of payments that earlier runs settled.
  ///   - threads: the threads on which these are looked up.
  ///   - day: the run's day; nil if it has none.
  ///   - window: the most days after the day of the run that settled a payment.
  init(
    _ keys: [Fingerprint], claims: borrowing ClaimRegister, refundables: RefundablePayments,
    earlier: EarlierSettlements?, threads: Int, day: CalendarDay?, window: Int
  ) throws(RunFailure) {
    var own: Set<Fingerprint> = []
    var others: Set<Fingerprint> = []
    for key in keys {
      if claims.isSettled(key) { own.insert(key) } else { others.insert(key) }
    }
    states.reserveCapacity(own.count + others.count)
    if !own.isEmpty {
      try refundables.forEach { key, bytes in
        if own.contains(key) { states[key] = .known(add(bytes, run: 0)) }
      }
    }
    guard let earlier, !others.isEmpty else { return }
    try earlier.forEachPayment(of: others.sorted(), threads: threads) { key, payment throws(RunFailure) in
      guard let bytes = try payment.bytes(on: day, window: window) else {
        states[key] = .overWindow
        return
      }
      var known = bytes.withUnsafeBytes { add($0, run: payment.run) }
      for refund in payment.refunds { Self.add(refund.parts, to: &known.taken) }
      states[key] = .known(known)
    }
  }

  private mutating func add(_ payment: UnsafeRawBufferPointer, run: Int) -> Known {
    text += payment
    return Known(start: text.count - payment.count, length: UInt32(payment.count), run: UInt32(run))
  }

  private static func add(_ parts: [ExactDecimal], to taken: inout [ExactDecimal]) {
    taken = taken.isEmpty ? parts : zip(taken, parts).map(+)
  }

  /// A payment as refunds left it so far; nil if nothing of it can be refunded.
  func payment(_ key: Fingerprint) -> RefundedPayment? {
    if case .known(let known) = states[key] { payment(known) } else { nil }
  }

  private func payment(_ known: Known) -> RefundedPayment {
    let range = known.start..<known.start + Int(known.length)
    guard let payment = text.withUnsafeBytes({ RefundablePayment(UnsafeRawBufferPointer(rebasing: $0[range])) }) else {
      preconditionFailure("what was kept of a payment is not what was written")
    }
    return RefundedPayment(payment, run: Int(known.run), taken: known.taken)
  }

  /// Judges the next refund of a payment, and takes what it takes if it is made.
  mutating func judge(_ terms: RefundTerms, of key: Fingerprint, _ schedule: FeeSchedule) -> RefundVerdict {
    guard let index = states.index(forKey: key) else { return .notSettled }
    guard case .known(var known) = states.values[index] else { return .windowPassed }
    var refunded = payment(known)
    let verdict = refunded.judge(terms, schedule)
    if case .made = verdict {
      known.taken = refunded.taken
      states.values[index] = .known(known)
    }
    return verdict
  }
}
