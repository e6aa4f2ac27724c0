import Claims
import Failures
import Rules

/// Judges claims (`rules.md`, "Claims"): on keys, on agreements and on refunded payments. Claims on the same key must
/// come in batch order, whatever comes between them. A run judges claims as it commits them, shards judge them key by
/// key.
package struct ClaimJudge: ~Copyable {
  /// The keys claimed so far.
  package private(set) var keys = ClaimRegister()
  /// The agreements claimed so far.
  package private(set) var agreements: AgreementRegister
  package var payments = RefundedPayments()
  private let schedule: FeeSchedule
  /// Records what some claims meet, if a caller asks for it.
  package var trace: ClaimTrace?

  /// - Parameter earlier: knows what earlier runs settled.
  package init(earlier: SettlementLookup?, _ schedule: FeeSchedule) {
    agreements = AgreementRegister(earlier: earlier)
    self.schedule = schedule
  }

  // MARK: Keys

  /// Whether a record is the first that claims its key.
  @inline(__always)
  package mutating func grants(_ claim: Claim) -> Bool { keys.grants(claim) }

  /// Removes and returns the claimed pay keys, to enter the settled ones, once the batch has ended.
  package mutating func removePayKeys() -> ClaimedKeys { keys.removePayKeys() }

  /// Forgets agreements and payments; all claims on them are judged.
  package mutating func forget() {
    agreements.removeAll()
    payments = RefundedPayments()
  }

  // MARK: Agreements

  /// Judges a claim on an agreement, and applies its record if it is granted.
  ///
  /// - Parameters:
  ///   - claim: the record's claim on its pay key, which is released if this one is refused; nil in a shard.
  ///   - place: the record's place, for the trace.
  /// - Returns: why it is refused; empty if it is granted.
  package mutating func judge(
    _ later: LaterClaim, of claim: Claim? = nil, at place: ClaimTrace.Place? = nil
  ) throws(Failure) -> [ClaimRefusal] {
    let isTraced = isTraced(place)
    let before = isTraced ? try agreements.agreement(of: later) : nil
    let refusals = try agreements.judge(later)
    if isTraced {
      let payment: AgreementPayment? = if case .payment(let payment) = later.subject { payment } else { nil }
      let after = agreements.named[later.key]?.agreement
      trace!.note(.agreement(before: before, after: after, payment), refusals, at: place!)
    }
    if let claim, claim.isSettled, !refusals.isEmpty { keys.unsettle(claim.key) }
    return refusals
  }

  // MARK: Refunds

  /// Judges the next refund of a payment, and deducts it if it is made.
  ///
  /// - Parameter place: the record's place, for the trace.
  package mutating func judge(_ terms: RefundTerms, of payment: Fingerprint, at place: ClaimTrace.Place? = nil)
    -> RefundVerdict
  {
    let isTraced = isTraced(place)
    let before = isTraced ? payments.state(of: payment).payment : nil
    let verdict = payments.judge(terms, of: payment, schedule)
    if isTraced {
      switch verdict {
      case .refused(let refusals): trace!.note(.payment(before, nil), refusals, at: place!)
      case .made(let refund, _): trace!.note(.payment(before, refund), [], at: place!)
      }
    }
    return verdict
  }

  private func isTraced(_ place: ClaimTrace.Place?) -> Bool { place.map { trace?.asks(for: $0) == true } ?? false }
}
