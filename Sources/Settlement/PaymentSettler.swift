import BatchRun
import Input
import Rules

/// Settles payments one at a time, given as JSON in memory: no report is written, and no earlier payment remembered.
///
/// A settler is for one thread at a time. Making one costs much more than settling a payment with it.
public struct PaymentSettler: ~Copyable {
  private var judge: RecordJudge

  /// A settler by options, whose files are read; what they say of trailers, ledgers and threads means nothing here.
  public init(options: SettlementOptions = SettlementOptions()) throws(SettlementFailure) {
    judge = RecordJudge(rules: try options.runOptions(for: []).rules, listsNotices: true)
  }

  /// Settles a payment: checks it, works out who gets how much and who bears which fee, and proves that the books
  /// balance.
  ///
  /// The result is that of a batch of this record alone. So a payment under a preapproval is rejected, as nobody agreed
  /// to it, and so is a refund, as no payment is settled.
  /// - Parameter payment: a payment object as batches have it, on one line or on several.
  /// - Returns: the postings of a settled payment, or why it is rejected; nil of a batch's header or trailer.
  public mutating func settle(_ payment: String) -> PaymentResult? {
    let length = payment.utf8.count
    let text = Self.line(payment) + [UInt8](repeating: UInt8(ascii: "\n"), count: TextChunk.padding)
    return text.withUnsafeBufferPointer { text in
      if length > RecordLimits.maximumLength {
        judge.judgeTooLong()
      } else {
        guard judge.judge(text.baseAddress.unsafelyUnwrapped, count: length) == .record else { return nil }
        judge.refuseClaims()
      }
      return PaymentResult(judge.judgement)
    }
  }

  /// JSON on one line, as batches have a record: spaces for the line feeds between its tokens, and for those in its strings,
  /// where JSON has none, carriage returns, which it does not have there either.
  private static func line(_ json: String) -> [UInt8] {
    var (isInString, isEscaped) = (false, false)
    return json.utf8.map { byte in
      if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      return byte == UInt8(ascii: "\n") ? UInt8(ascii: isInString ? "\r" : " ") : byte
    }
  }
}

extension RecordJudge {
  /// Rejects a record without errors that claims what only a batch or a ledger could have.
  fileprivate mutating func refuseClaims() {
    guard judgement.findings.isEmpty else { return }
    var agreement: Agreement?
    let refusals =
      if judgement.recordType == .refund {
        [ClaimRefusal(.paymentNotSettled, of: .refund)]
      } else if let record = judgement.agreementRecord {
        Agreement.take(record, on: &agreement)
      } else {
        judgement.agreementPayment().map { Agreement.take($0, on: &agreement) } ?? []
      }
    refuse(refusals)
  }
}
