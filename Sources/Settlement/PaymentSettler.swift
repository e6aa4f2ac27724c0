import BatchRun
import Rules

/// Settles single payments, given as JSON in memory. It writes no reports and does not remember earlier payments.
///
/// Use a settler from one thread at a time. Making one costs much more than settling a payment with it.
public struct PaymentSettler: ~Copyable {
  private var judge: RecordJudge

  /// Makes a settler and reads the files that the options name. Options about trailers, ledgers and threads have no
  /// effect.
  public init(options: SettlementOptions = SettlementOptions()) throws(SettlementFailure) {
    judge = RecordJudge(rules: try options.runOptions(for: []).rules, listsNotices: true)
  }

  /// Settles a payment: checks it, computes who gets how much and who bears which fee, and proves that the books
  /// balance.
  ///
  /// The result is that of a batch with only this record. So a payment under a preapproval is rejected because there is
  /// no agreement, and a refund because no payment is settled.
  /// - Parameter payment: a payment object as in a batch, on one line or on several.
  /// - Returns: the postings of a settled payment, or why it is rejected; nil for a header or trailer.
  public mutating func settle(_ payment: String) -> PaymentResult? {
    let length = payment.utf8.count
    if length > RecordLimits.maximumLength {
      judge.judgeTooLong()
    } else {
      guard judge.judge(Self.line(payment).span) == .record else { return nil }
      judge.refuseClaims()
    }
    return PaymentResult(judge.judgement)
  }

  /// The JSON on one line, as in a batch. Line feeds between tokens become spaces. Line feeds inside strings, which
  /// JSON does not allow, become carriage returns, which it does not allow there either.
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
  /// Rejects a record without errors if it makes claims that only a batch or a ledger could grant.
  fileprivate mutating func refuseClaims() {
    guard judgement.findings.isEmpty else { return }
    var agreement: Agreement?
    let refusals =
      if judgement.recordType == .refund {
        [ClaimRefusal(.paymentNotSettled, of: .refund)]
      } else if let record = judgement.agreementRecord {
        Agreement.apply(record, on: &agreement)
      } else {
        judgement.agreementPayment().map { Agreement.apply($0, on: &agreement) } ?? []
      }
    refuse(refusals)
  }
}
