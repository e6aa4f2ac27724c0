import Claims
import ExactArithmetic
import Failures
import Ledger
import Rules

/// The agreements that a batch names: judges claims on them in batch order.
///
/// Memory holds the state of each, and what this batch did with it.
package struct AgreementRegister {
  /// An agreement that the batch names.
  package struct Named {
    package let key: [UInt8]
    /// Its state; nil if no agreement has that key.
    package var agreement: Agreement?
    /// The accepted records of this batch.
    package var records: [AgreementRecord] = []
    /// What the settled payments of this batch used, by period.
    package var uses: [Int: (payments: Int, amount: ExactDecimal)] = [:]

    /// Whether `preapprovals.csv` has a row for it.
    var isReported: Bool { !records.isEmpty || !uses.isEmpty }

    /// What a ledger keeps of it.
    package var entry: AgreementEntry {
      AgreementEntry(
        preapprovalKey: String(decoding: key, as: UTF8.self),
        records: records.map { record in
          var writer = ByteWriter()
          writer.agreementRecord(record)
          return writer.bytes
        },
        uses: uses.sorted { $0.key < $1.key }.map {
          AgreementEntry.Use(period: Int64($0.key), payments: $0.value.payments, amount: "\($0.value.amount)")
        })
    }
  }

  private let earlier: SettlementLookup?
  package private(set) var named: [Fingerprint: Named] = [:]

  /// - Parameter earlier: knows the state of agreements before the batch.
  package init(earlier: SettlementLookup?) { self.earlier = earlier }

  /// Forgets all agreements of this batch.
  package mutating func removeAll() { named.removeAll() }

  /// The state of the agreement that a claim names; nil if there is no such agreement.
  package mutating func agreement(of claim: LaterClaim) throws(Failure) -> Agreement? {
    let entry = try release(claim)
    named[claim.key] = entry
    return entry.agreement
  }

  /// Takes the agreement that a claim names out of `named`, and returns it.
  private mutating func release(_ claim: LaterClaim) throws(Failure) -> Named {
    if let known = named.removeValue(forKey: claim.key) { return known }
    return Named(key: claim.keyText, agreement: try earlier?.agreement(of: claim.keyText)?.agreement)
  }

  /// Judges a claim on an agreement, and applies its record unless it is refused.
  ///
  /// - Returns: why it is refused; empty if it is granted.
  package mutating func judge(_ claim: LaterClaim) throws(Failure) -> [ClaimRefusal] {
    var entry = try release(claim)
    defer { named[claim.key] = entry }
    switch claim.subject {
    case .agreement(let record):
      let refusals = Agreement.apply(record, on: &entry.agreement)
      if refusals.isEmpty { entry.records.append(record) }
      return refusals
    case .payment(let payment):
      let refusals = Agreement.apply(payment, on: &entry.agreement)
      if refusals.isEmpty, payment.isSettled, let agreement = entry.agreement {
        let period = agreement.period(of: payment.day)
        let used = entry.uses[period]
        entry.uses[period] = ((used?.payments ?? 0) + 1, used.map { $0.amount + payment.amount } ?? payment.amount)
      }
      return refusals
    case .refund: preconditionFailure("a refund claims no agreement")
    }
  }

  /// The agreements with a row in `preapprovals.csv`, sorted by the bytes of their keys.
  package var reported: [Named] {
    named.values.filter(\.isReported).sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }
}
