import BatchRun
import Input
import Rules

/// Settles payments one at a time, given as JSON in memory: no report is written, and no earlier payment remembered.
///
/// A settler is for one thread at a time. Making one costs much more than settling a payment with it.
public struct PaymentSettler: ~Copyable {
  private var assessor: RecordAssessor

  /// A settler by options, whose files are read; what they say of trailers, ledgers and threads means nothing here.
  public init(options: SettlementOptions = SettlementOptions()) throws(SettlementFailure) {
    assessor = RecordAssessor(rules: try options.runOptions(for: []).rules, listsNotices: true)
  }

  /// Settles a payment: checks it, works out who gets how much and who bears which fee, and proves that the books
  /// balance.
  ///
  /// The result is that of a batch of this record alone. So a payment under a preapproval is rejected, as nobody agreed
  /// to it, and so is a refund, as no payment is settled.
  /// - Parameter payment: a payment object on one line, as batches have it.
  /// - Returns: the postings of a settled payment, or why it is rejected; nil of a batch's header or trailer.
  public mutating func settle(_ payment: String) -> PaymentResult? {
    let length = payment.utf8.count
    let text = Array(payment.utf8) + [UInt8](repeating: UInt8(ascii: "\n"), count: TextChunk.padding)
    return text.withUnsafeBufferPointer { text in
      if length > RecordLimits.maximumLength {
        assessor.assessTooLong()
      } else {
        guard assessor.assess(text.baseAddress.unsafelyUnwrapped, count: length) == .record else { return nil }
        assessor.refuseClaims()
      }
      return PaymentResult(&assessor)
    }
  }
}

extension RecordAssessor {
  /// Rejects a record without errors that claims what only a batch or a ledger could have.
  fileprivate mutating func refuseClaims() {
    guard findings.isEmpty else { return }
    var agreement: Agreement?
    let refusals =
      if recordType == .refund {
        [ClaimRefusal(.paymentNotSettled, at: .refund(.payKey))]
      } else if let record = agreementRecord {
        Agreement.take(record, on: &agreement)
      } else {
        agreementPayment().map { Agreement.take($0, on: &agreement) } ?? []
      }
    if !refusals.isEmpty { assessAgain(refusals) }
  }
}
